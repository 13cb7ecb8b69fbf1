import { describe, expect, it } from 'vitest';
import { priceTariff } from './price-tariff.ts';
import { TariffSchema } from './tariff.ts';
import { tariffWarnings } from './tariff-warnings.ts';

const DAY = 660;
const NIGHT = 340;

interface Hours {
  startTime?: string;
  endTime?: string;
  weekdays?: number[];
}

function bandsOf(day: Hours, night: Hours) {
  return [
    { window: day, steps: [{ kind: 'each', priceMinor: DAY, everyMinutes: 60 }] },
    { window: night, steps: [{ kind: 'each', priceMinor: NIGHT, everyMinutes: 60 }] },
  ];
}

const tariffOf = (bands: object[], more: object = {}) => TariffSchema.parse({ bands, ...more });

/** The price on a Monday of November in Iceland. */
function price(tariff: ReturnType<typeof tariffOf>, from: string, to: string): number {
  const at = (time: string) => (time.includes('T') ? `2026-11-${time}Z` : `2026-11-16T${time}:00.000Z`);
  const question = { startedAt: at(from), until: at(to), timeZone: 'Atlantic/Reykjavik' };
  return priceTariff(tariff, question).amountMinor;
}

const SIGNS: [string, Hours, Hours][] = [
  ['the end of one is the start of the other', ...hours('08:00', '22:00', '22:00', '08:00')],
  ['as the schema has it', ...hours('08:00', '21:59', '22:00', '07:59')],
];

function hours(from: string, to: string, nightFrom: string, nightTo: string): [Hours, Hours] {
  return [
    { startTime: from, endTime: to },
    { startTime: nightFrom, endTime: nightTo },
  ];
}

describe.each(SIGNS)('two bands that meet: %s', (_name, day, night) => {
  it.each(['rate-at-start', 'restart', 'pro-rata'])('the one that begins counts, %s', (straddle) => {
    for (const bands of [bandsOf(day, night), bandsOf(day, night).toReversed()]) {
      const tariff = tariffOf(bands, { straddle });
      expect(price(tariff, '22:00', '23:00')).toBe(NIGHT);
      expect(price(tariff, '08:00', '09:00')).toBe(DAY);
      expect(price(tariff, '21:00', '23:00')).toBe(DAY + NIGHT);
      expect(price(tariff, '07:00', '09:00')).toBe(NIGHT + DAY);
      expect(price(tariff, '16T22:00:30', '16T22:00:59')).toBe(NIGHT);
      expect(price(tariff, '08:00', '17T08:00:00')).toBe(14 * DAY + 10 * NIGHT);
    }
  });
});

it('counts the minute of the end as part of a window where nothing begins with it', () => {
  const tariff = tariffOf(
    bandsOf({ startTime: '08:00', endTime: '21:59' }, { startTime: '23:00' }).slice(0, 1),
  );
  expect(price(tariff, '16T21:59:30', '16T21:59:59')).toBe(DAY);
  expect(price(tariff, '22:00', '23:00')).toBe(0);
});

it.each(['00:00', '24:00', '23:59'])('an end of %s is midnight', (endTime) => {
  const tariff = tariffOf(bandsOf({ startTime: '08:00', endTime }, { startTime: '00:00', endTime: '08:00' }));
  expect(price(tariff, '23:00', '17T00:00:00.000')).toBe(DAY);
  expect(price(tariff, '17T00:00:00.000', '17T01:00:00')).toBe(NIGHT);
  expect(tariffWarnings(tariff)).toEqual([]);
  const alone = tariffOf(bandsOf({ startTime: '08:00', endTime }, {}).slice(0, 1));
  expect(price(alone, '17T00:00:00.000', '17T00:00:59')).toBe(0);
  const always = tariffOf(bandsOf({ startTime: '00:00', endTime }, {}).slice(0, 1));
  expect(price(always, '13:00', '14:00')).toBe(DAY);
});

it('bands of other weekdays do not end a band', () => {
  const tariff = tariffOf(
    bandsOf({ startTime: '08:00', endTime: '22:00' }, { startTime: '22:00', weekdays: [7] }),
  );
  expect(price(tariff, '16T22:00:10', '16T22:00:50')).toBe(DAY);
  expect(price(tariff, '22T22:00:10', '22T22:00:50')).toBe(NIGHT);
});

it('the minute of `untilNext` is included', () => {
  const bands = bandsOf({}, {}).slice(0, 1);
  const tariff = tariffOf(bands, {
    flatRates: [{ entry: { startTime: '18:00' }, untilNext: '06:00', priceMinor: 100 }],
  });
  expect(price(tariff, '19:00', '17T06:00:59')).toBe(100);
  expect(price(tariff, '19:00', '17T06:01:00')).toBe(12 * DAY);
});

describe('what is named when a tariff is saved', () => {
  it.each([
    [
      'a true overlap',
      hours('08:00', '22:30', '22:00', '08:00'),
      'windows-overlap',
      { from: '22:00', to: '22:31' },
    ],
    [
      'a gap',
      hours('08:00', '20:59', '22:00', '08:00'),
      'windows-gap',
      { from: '21:00', to: '22:00', more: 6 },
    ],
    ['two gaps a day', hours('09:00', '20:59', '22:00', '08:00'), 'windows-gap', { more: 13 }],
  ])('%s', (_name, [day, night], code, params) => {
    expect(tariffWarnings(tariffOf(bandsOf(day, night)))).toMatchObject([
      { code, params: { weekday: 1, ...params } },
    ]);
  });

  it.each([
    [
      'a night that begins on Sunday, of a window for weekdays',
      bandsOf({ weekdays: [1, 2, 3, 4, 5], startTime: '22:00', endTime: '08:00' }, {}).slice(0, 1),
      ['bands', 0, 'window'],
      { weekday: 1, to: '08:00', before: 7 },
    ],
    [
      'a night that begins on Friday, of a window for the weekend',
      bandsOf({ weekdays: [6, 7], startTime: '20:00', endTime: '05:59' }, {}).slice(0, 1),
      ['bands', 0, 'window'],
      { weekday: 6, to: '05:59', before: 5 },
    ],
  ])('%s', (_name, bands, path, params) => {
    expect(tariffWarnings(tariffOf(bands))).toEqual([{ code: 'night-of-other-day', path, params }]);
  });

  it('the night of another day, in the window of a flat rate', () => {
    const flatRates = [
      {
        entry: { weekdays: [1, 2, 3, 4, 5], startTime: '18:00', endTime: '02:00' },
        untilNext: '08:00',
        priceMinor: 100,
      },
    ];
    expect(tariffWarnings(tariffOf(bandsOf({}, {}).slice(0, 1), { flatRates }))).toMatchObject([
      { code: 'night-of-other-day', path: ['flatRates', 0, 'entry'], params: { before: 7 } },
    ]);
  });

  it('a cap below the price of a step', () => {
    const bands = bandsOf({}, {}).slice(0, 1);
    const capped = (capMinor: number) => bands.map((band) => ({ ...band, capMinor }));
    expect(tariffWarnings(tariffOf(capped(DAY - 1)))).toMatchObject([
      { code: 'cap-below-step', path: ['bands', 0, 'capMinor'], params: { stepMinor: DAY } },
    ]);
    expect(tariffWarnings(tariffOf(bands, { caps: { visitMinor: DAY - 1 } }))).toMatchObject([
      { code: 'cap-below-step', path: ['caps', 'visitMinor'], params: { stepMinor: DAY } },
    ]);
    expect(tariffWarnings(tariffOf(capped(DAY), { caps: { visitMinor: DAY } }))).toEqual([]);
  });

  it('a flat rate that is never the cheapest', () => {
    const day = { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1000 }] };
    const rated = (priceMinor: number, more: object = {}) =>
      tariffWarnings(
        tariffOf(bandsOf({}, {}).slice(0, 1), { day, flatRates: [{ within: 'day', priceMinor }], ...more }),
      );
    expect(rated(1000)).toMatchObject([
      {
        code: 'flat-rate-never-cheaper',
        path: ['flatRates', 0, 'priceMinor'],
        params: { dayMinor: 1000 },
      },
    ]);
    expect(rated(999)).toEqual([]);
    expect(rated(1000, { flatRateChoice: 'priority' })).toEqual([]);
    expect(rated(1000, { flatRates: [{ within: 'weekend', priceMinor: 1000 }] })).toEqual([]);
  });

  it.each([
    [
      'nights of the week and of the weekend',
      [
        ...bandsOf(
          { weekdays: [1, 2, 3, 4, 5], startTime: '22:00', endTime: '08:00' },
          { weekdays: [6, 7], startTime: '22:00', endTime: '08:00' },
        ),
        ...bandsOf({ startTime: '08:00', endTime: '22:00' }, {}).slice(0, 1),
      ],
    ],
    ['windows that meet', bandsOf(...hours('08:00', '22:00', '22:00', '08:00'))],
    ['paid hours only', bandsOf({ startTime: '08:00', endTime: '18:00' }, {}).slice(0, 1)],
    ['hours within other hours', bandsOf({ startTime: '12:00', endTime: '13:59' }, {})],
    ['a weekend of its own', bandsOf({ weekdays: [6, 7] }, {})],
  ])('%s: nothing', (_name, bands) => {
    expect(tariffWarnings(tariffOf(bands))).toEqual([]);
  });
});
