import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growsInProportion, growthOf } from '../../test/cost.ts';
import { anyTariff } from '../../test/sample-tariffs.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import { priceTariff, type TariffQuestion } from './price-tariff.ts';
import { TariffSchema } from './tariff.ts';

const after = (from: string, ms: number) => utcTime(millis(from) + ms);
const tariffOf = (tariff: object) => TariffSchema.parse(tariff);
const START = '2026-11-20T08:00:00.000Z';

const HOURLY = tariffOf({ bands: [{ steps: [{ kind: 'each', priceMinor: 100, everyMinutes: 60 }] }] });

function priced(tariff: object, stayMs: number, more: Partial<TariffQuestion> = {}) {
  const startedAt = more.startedAt ?? START;
  return priceTariff(tariffOf(tariff), {
    startedAt,
    until: after(startedAt, stayMs),
    timeZone: 'Atlantic/Reykjavik',
    ...more,
  });
}

const anyStart = fc
  .integer({ min: Date.parse('2026-03-20T00:00:00Z'), max: Date.parse('2026-04-05T00:00:00Z') })
  .map((ms) => utcTime(ms));
const anyStay = fc.integer({ min: 0, max: 20 * DAY_MS });
const anyZone = fc.constantFrom('Atlantic/Reykjavik', 'Europe/Vienna', 'America/New_York');

describe('whatever the tariff', () => {
  it('is never negative, and its lines add up', () => {
    fc.assert(
      fc.property(anyTariff, anyStart, anyStay, anyZone, fc.nat(9000), fc.nat(3), (...given) => {
        const [tariff, startedAt, stay, timeZone, paidMinor, quotaUnits] = given;
        const until = after(startedAt, stay);
        const price = priceTariff(tariff, { startedAt, until, timeZone, paidMinor, quotaUnits });
        expect(price.amountMinor).toBeGreaterThanOrEqual(0);
        expect(Number.isSafeInteger(price.amountMinor)).toBe(true);
        expect(price.lines.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(price.amountMinor);
        for (const { units, unitMinor, amountMinor } of price.lines) {
          if (unitMinor !== undefined) expect(units * unitMinor).toBe(amountMinor);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never falls as a stay grows', () => {
    fc.assert(
      fc.property(anyTariff, anyStart, anyStay, fc.nat(DAY_MS), anyZone, (...given) => {
        const [tariff, startedAt, stay, more, timeZone] = given;
        const at = (ms: number) =>
          priceTariff(tariff, { startedAt, until: after(startedAt, ms), timeZone }).amountMinor;
        expect(at(stay + more)).toBeGreaterThanOrEqual(at(stay));
      }),
      { numRuns: 500 },
    );
  });

  it('costs the same in one payment or in several', () => {
    fc.assert(
      fc.property(anyTariff, anyStart, anyStay, fc.array(fc.nat(2000), { maxLength: 5 }), (...given) => {
        const [tariff, startedAt, stay, parts] = given;
        const due = (paidMinor: number) =>
          priceTariff(tariff, { startedAt, until: after(startedAt, stay), timeZone: 'UTC', paidMinor })
            .amountMinor;
        const whole = due(0);
        let paid = 0;
        for (const part of parts) paid += Math.min(part, due(paid));
        expect(paid + due(paid)).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('gives a quota its units of 24 hours, and no more than all of them', () => {
    fc.assert(
      fc.property(anyTariff, anyStart, anyStay, (tariff, startedAt, stay) => {
        const question = { startedAt, until: after(startedAt, stay), timeZone: 'UTC' };
        const { units } = priceTariff(tariff, question);
        const { boundary } = tariff;
        const days = stay / DAY_MS + (boundary === 'upper' ? 1e-9 : 0);
        expect(units).toBeLessThanOrEqual(Math.ceil(days));
        if (units > 0 && (tariff.free?.when ?? 'fits') === 'fits' && !tariff.day) {
          expect(priceTariff(tariff, { ...question, quotaUnits: Math.ceil(days) }).amountMinor).toBe(0);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a tariff', () => {
  it('names what made the price', () => {
    const tariff = {
      free: { minutes: 15, when: 'always' },
      bands: [
        {
          label: { is: 'Dagtaxti', en: 'Day rate' },
          steps: [
            { kind: 'flat', priceMinor: 260, minutes: 60 },
            { kind: 'each', priceMinor: 130, everyMinutes: 60 },
          ],
        },
      ],
      day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1000 }] },
    };
    const label = { is: 'Dagtaxti', en: 'Day rate' };
    expect(priced(tariff, 27 * HOUR_MS + 15 * MINUTE_MS, { paidMinor: 1000 })).toEqual({
      amountMinor: 520,
      units: 2,
      lines: [
        { rule: 'free', units: 15, amountMinor: 0 },
        { rule: 'day', units: 1, unitMinor: 1000, amountMinor: 1000 },
        { rule: 'step', units: 1, unitMinor: 260, amountMinor: 260, minutes: 60, label },
        { rule: 'step', units: 2, unitMinor: 130, amountMinor: 260, minutes: 60, label },
        { rule: 'paid', units: 1, amountMinor: -1000 },
      ],
    });
  });

  it('charges paid hours only, by weekday, hour, date and holiday', () => {
    const tariff = {
      holidays: ['12-25', '2026-12-24'],
      bands: [
        {
          window: { weekdays: [1, 2, 3, 4, 5], startTime: '09:00', endTime: '17:59', holidays: 'never' },
          steps: [{ kind: 'each', priceMinor: 100, everyMinutes: 60 }],
        },
      ],
    };
    const stay = (startedAt: string, hours: number) =>
      priced(tariff, hours * HOUR_MS, { startedAt }).amountMinor;
    expect(stay('2026-11-20T17:00:00.000Z', 16)).toBe(100);
    // A Friday evening to Monday morning.
    expect(stay('2026-11-20T17:30:00.000Z', 63.5)).toBe(100);
    expect(stay('2026-11-20T17:30:00.000Z', 63.6)).toBe(200);
    expect(stay('2026-12-24T09:00:00.000Z', 24)).toBe(0);
    expect(stay('2026-12-28T09:00:00.000Z', 9)).toBe(900);
  });

  it('keeps a night to its cap, over midnight', () => {
    const tariff = {
      bands: [
        {
          window: { startTime: '20:00', endTime: '05:59' },
          steps: [{ kind: 'each', priceMinor: 200, everyMinutes: 60 }],
          capMinor: 500,
        },
      ],
    };
    const { amountMinor, lines } = priced(tariff, 48 * HOUR_MS, { startedAt: '2026-11-20T12:00:00.000Z' });
    expect(amountMinor).toBe(1000);
    expect(lines).toContainEqual({ rule: 'cap', capOf: 'opening', units: 16, amountMinor: -3000 });
  });

  it('becomes cheaper by the day: 1 to 7, 8 to 14, 15 and on', () => {
    const prices = [
      { fromDay: 1, priceMinor: 1750 },
      { fromDay: 8, priceMinor: 1350 },
      { fromDay: 15, priceMinor: 1200 },
    ];
    const tariff = { day: { kind: 'rolling', partial: 'full-day', prices } };
    const days = (count: number) => priced(tariff, count * DAY_MS).amountMinor;
    expect([days(7), days(8), days(14), days(15), days(20)]).toEqual([12250, 13600, 21700, 22900, 28900]);
    expect(priced(tariff, 20 * DAY_MS).lines).toEqual([
      { rule: 'day', units: 7, unitMinor: 1750, amountMinor: 12250 },
      { rule: 'day', units: 7, unitMinor: 1350, amountMinor: 9450 },
      { rule: 'day', units: 6, unitMinor: 1200, amountMinor: 7200 },
    ]);
  });

  it('takes a table of totals', () => {
    const steps = [
      { kind: 'up-to', minutes: 60, priceMinor: 200 },
      { kind: 'up-to', minutes: 180, priceMinor: 500 },
      { kind: 'each', priceMinor: 100, everyMinutes: 30 },
    ];
    const costs = (minutes: number) => priced({ bands: [{ steps }] }, minutes * MINUTE_MS).amountMinor;
    expect([costs(1), costs(60), costs(61), costs(180), costs(181), costs(240)]).toEqual([
      200, 200, 500, 500, 600, 700,
    ]);
  });

  it('has its price for what the steps of a day do not say', () => {
    const tariff = {
      bands: [
        {
          steps: [
            { kind: 'up-to', minutes: 60, priceMinor: 200 },
            { kind: 'up-to', minutes: 180, priceMinor: 500 },
          ],
        },
      ],
      day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1200 }] },
    };
    const costs = (hours: number) => priced(tariff, hours * HOUR_MS).amountMinor;
    expect([costs(1), costs(3), costs(3.1), costs(24), costs(25), costs(28)]).toEqual([
      200, 500, 1200, 1200, 1400, 2400,
    ]);
  });

  it('charges a price for the rest once for each night, and the day after it', () => {
    const tariff = {
      bands: [
        {
          window: { startTime: '08:00', endTime: '17:59' },
          steps: [{ kind: 'each', priceMinor: 300, everyMinutes: 60 }],
        },
        { window: { startTime: '18:00', endTime: '07:59' }, steps: [{ kind: 'flat', priceMinor: 500 }] },
      ],
    };
    const from = (startedAt: string, hours: number) =>
      priced(tariff, hours * HOUR_MS, { startedAt }).amountMinor;
    expect(from('2026-11-20T19:00:00.000Z', 13)).toBe(500);
    expect(from('2026-11-20T19:00:00.000Z', 17)).toBe(500 + 4 * 300);
    expect(from('2026-11-20T17:00:00.000Z', 24)).toBe(300 + 500 + 9 * 300);
    expect(from('2026-11-20T19:00:00.000Z', 37)).toBe(500 + 10 * 300 + 500);
  });

  it('gives a plate its free time once in a day of the calendar', () => {
    const tariff = { bands: HOURLY.bands, free: { minutes: 15, per: 'plate-day', again: 'rest' } };
    const earlierStays = [{ from: '2026-11-19T23:50:00.000Z', to: '2026-11-20T00:05:00.000Z' }];
    const stay = (startedAt: string, minutes: number, timeZone = 'UTC') =>
      priced(tariff, minutes * MINUTE_MS, { startedAt, earlierStays, timeZone }).amountMinor;
    expect(stay('2026-11-20T08:00:00.000Z', 15)).toBe(0);
    // The stay began on the same day in Vienna, at ten minutes to one.
    expect(stay('2026-11-20T08:00:00.000Z', 1, 'Europe/Vienna')).toBe(100);
  });

  describe('with flat rates', () => {
    const tariff = {
      bands: HOURLY.bands,
      flatRates: [
        {
          label: { is: 'Morgunhani', en: 'Early bird' },
          entry: { startTime: '06:00', endTime: '08:59' },
          exit: { startTime: '15:00', endTime: '18:59' },
          priceMinor: 700,
        },
      ],
    };
    const at = (startedAt: string, hours: number, more = {}) =>
      priced({ ...tariff, ...more }, hours * HOUR_MS, { startedAt });

    it('takes the one that is cheaper', () => {
      expect(at('2026-11-20T08:00:00.000Z', 9)).toMatchObject({
        amountMinor: 700,
        lines: [{ rule: 'flat-rate', label: { en: 'Early bird' } }],
      });
      expect(at('2026-11-20T08:59:00.000Z', 6.1).amountMinor).toBe(700);
      expect(at('2026-11-20T09:00:00.000Z', 9).amountMinor).toBe(900);
      expect(at('2026-11-20T08:00:00.000Z', 11).amountMinor).toBe(1100);
      expect(at('2026-11-20T08:00:00.000Z', 24 + 9).amountMinor).toBe(3300);
    });

    it('takes the first that fits, where the tariff sets it', () => {
      const dear = { flatRates: [{ ...tariff.flatRates[0], priceMinor: 2000 }] };
      expect(at('2026-11-20T08:00:00.000Z', 9, dear).amountMinor).toBe(900);
      expect(at('2026-11-20T08:00:00.000Z', 9, { ...dear, flatRateChoice: 'priority' }).amountMinor).toBe(
        2000,
      );
    });
  });

  it('counts an exact hour as two, where the tariff sets it', () => {
    const upper = { bands: HOURLY.bands, boundary: 'upper' };
    expect(priced(upper, HOUR_MS - 1).amountMinor).toBe(100);
    expect(priced(upper, HOUR_MS).amountMinor).toBe(200);
    expect(priced({ bands: HOURLY.bands }, HOUR_MS).amountMinor).toBe(100);
  });

  it('leaves out what permits cover', () => {
    const covered = [{ from: after(START, HOUR_MS), to: after(START, 9 * HOUR_MS) }];
    expect(priced(HOURLY, 10 * HOUR_MS, { covered }).amountMinor).toBe(200);
    expect(priced(HOURLY, 9 * HOUR_MS, { covered: [{ from: START, to: after(START, DAY_MS) }] })).toEqual({
      amountMinor: 0,
      units: 0,
      lines: [],
    });
  });

  it('lets who turns round go', () => {
    const tariff = { ...HOURLY, entryGraceMinutes: 5 };
    expect(priced(tariff, 5 * MINUTE_MS).amountMinor).toBe(0);
    expect(priced(tariff, 5 * MINUTE_MS + 1).amountMinor).toBe(100);
  });

  it('asks a fee by the way it is paid, of who owes something', () => {
    const tariff = { ...HOURLY, serviceFees: { online: 50 } };
    const paying = (channel: 'kiosk' | 'online', stay: number) =>
      priced(tariff, stay, { payment: { at: START, channel } }).amountMinor;
    expect([paying('online', HOUR_MS), paying('kiosk', HOUR_MS), paying('online', 0)]).toEqual([150, 100, 0]);
  });
});

describe('the clocks', () => {
  const timeZone = 'Europe/Vienna';
  const daily = (kind: 'rolling' | 'calendar') =>
    tariffOf({ day: { kind, partial: 'full-day', prices: [{ fromDay: 1, priceMinor: 1000 }] } });
  const between = (tariff: object, startedAt: string, until: string) =>
    priceTariff(tariffOf(tariff), { startedAt, until, timeZone }).amountMinor;

  it('do not lengthen a stay when they go forward', () => {
    // On the wall 28 March 12:00 to 29 March 12:30: 23.5 hours.
    const [from, to] = ['2026-03-28T11:00:00.000Z', '2026-03-29T10:30:00.000Z'];
    expect(between(daily('rolling'), from, to)).toBe(1000);
    expect(between(HOURLY, from, to)).toBe(2400);
  });

  it('do not shorten one when they go back', () => {
    // On the wall 24 October 12:00 to 25 October 11:30: 24.5 hours.
    const [from, to] = ['2026-10-24T10:00:00.000Z', '2026-10-25T10:30:00.000Z'];
    expect(between(daily('rolling'), from, to)).toBe(2000);
    expect(between(HOURLY, from, to)).toBe(2500);
  });

  it('make calendar days of 23 and 25 hours', () => {
    expect(between(daily('calendar'), '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z')).toBe(1000);
    expect(between(daily('calendar'), '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.001Z')).toBe(2000);
    expect(between(daily('calendar'), '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z')).toBe(1000);
  });

  it('do not make one night two, for its cap', () => {
    const night = tariffOf({
      bands: [
        {
          window: { startTime: '20:00', endTime: '05:59' },
          steps: [{ kind: 'each', priceMinor: 200, everyMinutes: 60 }],
          capMinor: 500,
        },
      ],
    });
    expect(between(night, '2026-03-28T19:00:00.000Z', '2026-03-29T04:00:00.000Z')).toBe(500);
    expect(between(night, '2026-10-24T18:00:00.000Z', '2026-10-25T05:00:00.000Z')).toBe(500);
    expect(between(night, '2026-10-24T18:00:00.000Z', '2026-10-25T20:00:00.000Z')).toBe(700);
  });

  it('count a leap day as a day', () => {
    expect(between(daily('calendar'), '2028-02-28T11:00:00.000Z', '2028-03-01T11:00:00.000Z')).toBe(3000);
  });
});

const window = (startTime: string, endTime: string) => ({ startTime, endTime });

it.each<[string, object]>([
  [
    'the half hour, by day and by night',
    {
      bands: [
        { window: window('08:00', '21:59'), steps: [{ kind: 'each', priceMinor: 66, everyMinutes: 30 }] },
        { window: window('22:00', '07:59'), steps: [{ kind: 'each', priceMinor: 34, everyMinutes: 30 }] },
      ],
      day: { kind: 'calendar', prices: [{ fromDay: 1, priceMinor: 100_000 }] },
    },
  ],
  ['the minute', { bands: [{ steps: [{ kind: 'each', priceMinor: 5, everyMinutes: 1 }] }] }],
])('prices ten years by %s with work in proportion to the days', (_what, tariff) => {
  const growth = growthOf((days) => () => priced(tariff, days * DAY_MS), 3653);
  expect(growth).toSatisfy(growsInProportion);
  expect(priced(tariff, 3653 * DAY_MS).lines.length).toBeLessThan(10);
});
