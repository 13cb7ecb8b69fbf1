import type { Tariff, TariffClass, TariffFlatRate, TariffWindow } from '@hlid/protocol/tariff/tariff-shape';

/** A part of a tariff as typed: what is left out gets the cloud's default. */
type Typed = Record<string, unknown>;

/**
 * A typed tariff with what the cloud sets where nothing is written, so that it can be priced before it is saved. The schema
 * that the cloud uses is too large for this page; it checks the tariff when it is saved.
 *
 * @throws TypeError where it has another shape than a tariff
 */
export function withDefaults(typed: Typed): Tariff {
  const { free, classes = [], ...rest } = typed;
  return {
    straddle: 'rate-at-start',
    boundary: 'lower',
    flatRateChoice: 'cheapest',
    holidays: [],
    serviceFees: {},
    ...rest,
    ...ratesOf(typed),
    ...(free !== undefined && { free: { when: 'fits', per: 'visit', again: 'nothing', ...objectOf(free) } }),
    classes: listOf(classes).map((one) => ({ ...one, ...ratesOf(one) })),
    // The cloud checks the types of what was typed; here they are only believed.
  } as unknown as Tariff;
}

function ratesOf({ bands = [], day, caps = {}, flatRates = [] }: Typed): Partial<TariffClass> {
  return {
    bands: listOf(bands).map((band) =>
      band['window'] === undefined ? band : { ...band, window: windowOf(band['window']) },
    ) as unknown as TariffClass['bands'],
    ...(day !== undefined && {
      day: { partial: 'hours', stepsRestart: true, ...objectOf(day) } as unknown as NonNullable<
        TariffClass['day']
      >,
    }),
    caps: objectOf(caps),
    flatRates: listOf(flatRates).map(({ entry = {}, exit = {}, ...one }) => ({
      ...one,
      entry: windowOf(entry),
      exit: windowOf(exit),
    })) as unknown as TariffFlatRate[],
  };
}

function windowOf(typed: unknown): TariffWindow {
  return { startTime: '00:00', endTime: '23:59', ...objectOf(typed) };
}

function objectOf(typed: unknown): Typed {
  if (typeof typed !== 'object' || typed === null || Array.isArray(typed))
    throw new TypeError('not an object');
  return { ...typed };
}

function listOf(typed: unknown): Typed[] {
  if (!Array.isArray(typed)) throw new TypeError('not a list');
  return typed.map(objectOf);
}
