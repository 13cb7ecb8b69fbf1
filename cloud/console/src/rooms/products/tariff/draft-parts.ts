/**
 * The parts of a tariff, typed as JSON, that the fields of the editor can show. The schema that the cloud
 * uses is too large for the page.
 */
interface Part {
  /** Whether a field can show it. */
  fits(typed: unknown): boolean;
  /** The keys in it that no field shows. */
  unknownKeys(typed: unknown): string[];
}

type Parts = Readonly<Record<string, Part>>;

const number = value((typed) => typed === null || typeof typed === 'number');
const text = value((typed) => typeof typed === 'string');
const yesNo = value((typed) => typeof typed === 'boolean');

const label: Part = {
  fits: (typed) => isObject(typed) && Object.values(typed).every((name) => typeof name === 'string'),
  unknownKeys: () => [],
};

const window = object({
  weekdays: listOf(value(Number.isInteger)),
  startTime: text,
  endTime: text,
  dates: listOf(object({ from: text, to: text }, ['from', 'to'])),
  holidays: oneOf('only', 'never'),
});

const step = object(
  { kind: oneOf('flat', 'each', 'up-to'), priceMinor: number, everyMinutes: number, minutes: number },
  ['kind', 'priceMinor'],
);

const rates: Parts = {
  bands: listOf(object({ label, window, steps: listOf(step), capMinor: number }, ['steps'])),
  day: object(
    {
      kind: oneOf('rolling', 'calendar'),
      prices: listOf(object({ fromDay: number, priceMinor: number })),
      partial: oneOf('hours', 'full-day', 'free'),
      shortStayMinutes: number,
      stepsRestart: yesNo,
    },
    ['kind', 'prices'],
  ),
  caps: object({ weekMinor: number, week: oneOf('stay', 'calendar'), visitMinor: number }),
  flatRates: listOf(
    object(
      {
        label,
        entry: window,
        exit: window,
        priceMinor: number,
        untilNext: text,
        within: oneOf('day', 'weekend'),
        withinMinutes: number,
      },
      ['priceMinor'],
    ),
  ),
};

/** A whole tariff. */
export const TARIFF_PART: Part = object({
  ...rates,
  free: object(
    {
      minutes: number,
      when: oneOf('fits', 'always'),
      per: oneOf('visit', 'plate-24h', 'plate-day'),
      again: oneOf('nothing', 'rest'),
    },
    ['minutes'],
  ),
  entryGraceMinutes: number,
  exitGraceMinutes: number,
  straddle: oneOf('rate-at-start', 'pro-rata', 'restart'),
  boundary: oneOf('lower', 'upper'),
  flatRateChoice: oneOf('cheapest', 'priority'),
  holidays: listOf(text),
  classes: listOf(
    object({ label, category: oneOf('light', 'heavy'), seatsUpTo: number, massUpToKg: number, ...rates }),
  ),
  lateFee: object({ afterMinutes: number, amountMinor: number }, ['afterMinutes', 'amountMinor']),
  serviceFees: object({ kiosk: number, online: number }),
});

function value(fits: (typed: unknown) => boolean): Part {
  return { fits, unknownKeys: () => [] };
}

function oneOf(...values: string[]): Part {
  return value((typed) => typeof typed === 'string' && values.includes(typed));
}

function listOf(part: Part): Part {
  return {
    fits: (typed) => Array.isArray(typed) && typed.every((one) => part.fits(one)),
    unknownKeys: (typed) => (Array.isArray(typed) ? typed.flatMap((one) => part.unknownKeys(one)) : []),
  };
}

function object(parts: Parts, required: readonly string[] = []): Part {
  return {
    fits: (typed) =>
      isObject(typed) &&
      required.every((key) => typed[key] !== undefined) &&
      Object.entries(typed).every(([key, inner]) => inner === undefined || (parts[key]?.fits(inner) ?? true)),
    unknownKeys: (typed) =>
      isObject(typed)
        ? Object.entries(typed).flatMap(([key, inner]) => parts[key]?.unknownKeys(inner) ?? [key])
        : [],
  };
}

function isObject(typed: unknown): typed is Record<string, unknown> {
  return typeof typed === 'object' && typed !== null && !Array.isArray(typed);
}
