import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growsInProportion, growthOf } from '../../test/cost.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { wallClock } from '../base/site-time.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import { type Period, type PriceQuestion, priceVisit, waivePrice } from './price-visit.ts';
import type { Product } from './product.ts';

const START = '2026-11-20T10:00:00.000Z';
const after = (ms: number, from = START) => utcTime(millis(from) + ms);

const product = (startTime = '00:00', endTime = '23:59', priceMinor = 500): Product => ({
  id: 'product-1',
  type: 'default',
  priceMinor,
  currency: 'ISK',
  vatRate: 24,
  vehicleCategory: 'light',
  category: null,
  name: { is: 'Stæði' },
  productCode: 'P1',
  config: { startTime, endTime },
  version: 3,
});

const priceOf = (changes: Partial<PriceQuestion> = {}) =>
  priceVisit({ product: product(), startedAt: START, until: after(HOUR_MS), timeZone: 'UTC', ...changes });

const unitsOf = (changes: Partial<PriceQuestion>) => priceOf(changes).units;

describe('a stay', () => {
  it('costs a unit for each started 24 hours', () => {
    expect(priceOf({ until: after(25 * HOUR_MS) })).toEqual({
      amountMinor: 1000,
      currency: 'ISK',
      units: 2,
      lines: [{ rule: 'unit', units: 2, unitMinor: 500, amountMinor: 1000 }],
      product: { id: 'product-1', version: 3, vatRate: 24 },
    });
  });

  it.each([
    [-1, 0],
    [0, 0],
    [1, 1],
    [DAY_MS - 1, 1],
    [DAY_MS, 1],
    [DAY_MS + 1, 2],
    [3 * DAY_MS, 3],
    [3 * DAY_MS + 1, 4],
  ])('of %d ms has %d units', (ms, units) => {
    expect(unitsOf({ until: after(ms) })).toBe(units);
  });

  it('owes nothing and has no lines if it has no units', () => {
    expect(priceOf({ until: START })).toMatchObject({ amountMinor: 0, units: 0, lines: [] });
  });

  it('is measured in elapsed time when the clocks change', () => {
    const timeZone = 'Europe/Berlin';
    // On the wall 28 March 12:00 to 29 March 12:30: 24.5 hours, of which 23.5 went by.
    const spring = { startedAt: '2026-03-28T11:00:00.000Z', timeZone };
    expect(unitsOf({ ...spring, until: '2026-03-29T10:30:00.000Z' })).toBe(1);
    // 24 October 12:00 to 25 October 11:30: 23.5 on the wall, 24.5 went by.
    const autumn = { startedAt: '2026-10-24T10:00:00.000Z', timeZone };
    expect(unitsOf({ ...autumn, until: '2026-10-25T10:30:00.000Z' })).toBe(2);
    expect(unitsOf({ ...autumn, until: '2026-10-25T10:00:00.000Z' })).toBe(1);
  });
});

describe('what was met', () => {
  it('is taken off: who pays for two days and stays three owes one', () => {
    expect(priceOf({ until: after(3 * DAY_MS), unitsMet: 2 })).toMatchObject({
      amountMinor: 500,
      units: 3,
      lines: [
        { rule: 'unit', units: 3, amountMinor: 1500 },
        { rule: 'units-met', units: -2, amountMinor: -1000 },
      ],
    });
  });

  it('is never more than the stay', () => {
    expect(priceOf({ unitsMet: 5 })).toMatchObject({
      amountMinor: 0,
      units: 1,
      lines: [{ rule: 'unit' }, { rule: 'units-met', units: -1, amountMinor: -500 }],
    });
    expect(priceOf({ until: START, unitsMet: 5 }).lines).toEqual([]);
  });

  it('survives JSON where parking is free', () => {
    const price = priceOf({ product: product('00:00', '23:59', 0), unitsMet: 1 });
    expect(JSON.parse(JSON.stringify(price))).toEqual(price);
  });
});

describe('the active window', () => {
  const between = (from: string, to: string, window: [string, string], timeZone = 'UTC') =>
    unitsOf({ startedAt: `${from}.000Z`, until: `${to}.000Z`, product: product(...window), timeZone });

  it('leaves out a stay that does not touch it', () => {
    expect(between('2026-11-20T18:00:00', '2026-11-21T07:59:59', ['08:00', '17:59'])).toBe(0);
    expect(between('2026-11-20T18:00:00', '2026-11-21T08:00:01', ['08:00', '17:59'])).toBe(1);
    expect(between('2026-11-20T17:59:59', '2026-11-20T19:00:00', ['08:00', '17:59'])).toBe(1);
  });

  it('is not touched by a stay that ends as it opens', () => {
    expect(between('2026-11-20T18:00:00', '2026-11-21T08:00:00', ['08:00', '17:59'])).toBe(0);
  });

  it('includes its last minute', () => {
    expect(between('2026-11-20T23:59:30', '2026-11-20T23:59:59', ['08:00', '23:59'])).toBe(1);
    expect(between('2026-11-20T23:59:00', '2026-11-21T00:30:00', ['08:00', '23:58'])).toBe(0);
    expect(between('2026-11-21T00:00:00', '2026-11-21T07:00:00', ['08:00', '23:59'])).toBe(0);
  });

  it('may cross midnight', () => {
    const night: [string, string] = ['22:00', '05:59'];
    expect(between('2026-11-20T06:00:00', '2026-11-20T21:59:59', night)).toBe(0);
    expect(between('2026-11-20T05:59:00', '2026-11-20T07:00:00', night)).toBe(1);
    expect(between('2026-11-20T23:30:00', '2026-11-21T00:30:00', night)).toBe(1);
  });

  it('counts the last unit only where what is left of the stay touches it', () => {
    const office: [string, string] = ['08:00', '17:59'];
    expect(between('2026-11-20T18:00:00', '2026-11-21T20:00:00', office)).toBe(1);
    expect(between('2026-11-20T18:00:00', '2026-11-22T08:30:00', office)).toBe(2);
  });

  it('goes by the wall clock of the site', () => {
    const office: [string, string] = ['08:00', '17:59'];
    expect(between('2026-11-20T07:00:00', '2026-11-20T07:30:00', office, 'Europe/Berlin')).toBe(1);
    expect(between('2026-06-20T06:00:00', '2026-06-20T06:30:00', office, 'Europe/Berlin')).toBe(1);
    expect(between('2026-06-20T05:00:00', '2026-06-20T06:00:00', office, 'Europe/Berlin')).toBe(0);
  });

  it('does not open in an hour that the clocks leave out, and opens in both of one that comes twice', () => {
    const early: [string, string] = ['02:00', '02:29'];
    expect(between('2026-03-28T23:00:00', '2026-03-29T12:00:00', early, 'Europe/Berlin')).toBe(0);
    expect(between('2026-10-25T01:05:00', '2026-10-25T01:10:00', early, 'Europe/Berlin')).toBe(1);
    expect(between('2026-10-25T00:35:00', '2026-10-25T00:55:00', early, 'Europe/Berlin')).toBe(0);
  });
});

describe('covered time', () => {
  const cover = (fromMs: number, toMs: number): Period => ({ from: after(fromMs), to: after(toMs) });

  it('is not due', () => {
    expect(unitsOf({ covered: [cover(0, HOUR_MS)] })).toBe(0);
    expect(unitsOf({ covered: [cover(-DAY_MS, DAY_MS)] })).toBe(0);
    expect(unitsOf({ covered: [cover(0, HOUR_MS - 1)] })).toBe(1);
    expect(unitsOf({ covered: [cover(1, HOUR_MS)] })).toBe(1);
  });

  it('saves whole units only', () => {
    const until = after(3 * DAY_MS);
    expect(unitsOf({ until, covered: [cover(DAY_MS, 2 * DAY_MS)] })).toBe(2);
    expect(unitsOf({ until, covered: [cover(DAY_MS + 1, 2 * DAY_MS)] })).toBe(3);
    expect(unitsOf({ until, covered: [cover(0, 2 * DAY_MS - 1)] })).toBe(2);
  });

  it('may come in pieces, in any order, over one another and beyond the stay', () => {
    const covered = [cover(2 * DAY_MS, 9 * DAY_MS), cover(-DAY_MS, HOUR_MS), cover(MINUTE_MS, 2 * DAY_MS)];
    expect(unitsOf({ until: after(3 * DAY_MS), covered })).toBe(0);
    expect(unitsOf({ until: after(3 * DAY_MS), covered: covered.slice(0, 2) })).toBe(2);
    expect(unitsOf({ covered: [cover(5 * DAY_MS, 6 * DAY_MS), cover(-5 * DAY_MS, -DAY_MS)] })).toBe(1);
  });

  it('that lasts as long as the window leaves nothing due', () => {
    const covered = [{ from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T18:00:00.000Z' }];
    const stay = { startedAt: '2026-11-20T07:30:00.000Z', until: '2026-11-20T17:00:00.000Z' };
    expect(unitsOf({ ...stay, product: product('08:00', '17:59'), covered })).toBe(0);
  });
});

describe('always', () => {
  const window = fc.constantFrom(
    ['00:00', '23:59'],
    ['08:00', '17:59'],
    ['22:00', '05:59'],
    ['02:00', '02:29'],
  );
  const timeZone = fc.constantFrom('Atlantic/Reykjavik', 'Europe/Berlin', 'America/New_York');
  const minutes = fc.integer({ min: 0, max: 6 * 1440 });
  const startedAt = fc
    .tuple(fc.constantFrom('2026-03-27T00:00:00.000Z', '2026-10-23T00:00:00.000Z'), minutes)
    .map(([from, offset]) => after(offset * MINUTE_MS, from));
  const spans = fc.array(fc.tuple(minutes, minutes), { maxLength: 4 });
  const question = fc
    .record({ window, timeZone, startedAt, spans, length: minutes, unitsMet: fc.integer({ min: 0, max: 5 }) })
    .map(({ window: [from, to], spans, length, ...rest }) => ({
      ...rest,
      product: product(from, to),
      until: after(length * MINUTE_MS, rest.startedAt),
      covered: spans.map(([offset, span]) => ({
        from: after((offset - 1440) * MINUTE_MS, rest.startedAt),
        to: after((offset - 1440 + span) * MINUTE_MS, rest.startedAt),
      })),
    }));

  it('is due what a minute by minute count says', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const units = new Set<number>();
        const { startTime, endTime } = asked.product.config;
        for (let at = millis(asked.startedAt); at < millis(asked.until); at += MINUTE_MS) {
          const unit = Math.floor((at - millis(asked.startedAt)) / DAY_MS);
          if (units.has(unit)) continue;
          const moment = utcTime(at);
          if (asked.covered.some(({ from, to }) => from <= moment && moment < to)) continue;
          const { minute } = wallClock(moment, asked.timeZone);
          const time = utcTime(minute * MINUTE_MS).slice(11, 16);
          const active =
            startTime <= endTime
              ? time >= startTime && time <= endTime
              : time >= startTime || time <= endTime;
          if (active) units.add(unit);
        }
        expect(priceVisit(asked).units).toBe(units.size);
      }),
      { numRuns: 60 },
    );
  });

  it('is never below zero, is the sum of its lines, and is a whole number', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const { amountMinor, lines } = priceVisit(asked);
        expect(amountMinor).toBeGreaterThanOrEqual(0);
        expect(amountMinor).toBe(lines.reduce((sum, line) => sum + line.amountMinor, 0));
        expect(Number.isInteger(amountMinor)).toBe(true);
      }),
    );
  });

  it('never falls as the stay grows, and never rises as more is met or covered', () => {
    fc.assert(
      fc.property(question, minutes, (asked, more) => {
        const { amountMinor } = priceVisit(asked);
        const longer = priceVisit({ ...asked, until: after(more * MINUTE_MS, asked.until) });
        expect(longer.amountMinor).toBeGreaterThanOrEqual(amountMinor);
        expect(priceVisit({ ...asked, unitsMet: asked.unitsMet + 1 }).amountMinor).toBeLessThanOrEqual(
          amountMinor,
        );
        expect(priceVisit({ ...asked, covered: [] }).amountMinor).toBeGreaterThanOrEqual(amountMinor);
      }),
    );
  });
});

describe('a stay of ten years', () => {
  const until = after(3652 * DAY_MS);

  it.each([
    ['00:00', '23:59'],
    ['08:00', '17:59'],
    ['22:00', '05:59'],
  ])('is priced from %s to %s, with work in proportion to its days', (startTime, endTime) => {
    const nights = Array.from({ length: 3652 }, (_, day) => ({
      from: after(day * DAY_MS + 12 * HOUR_MS),
      to: after(day * DAY_MS + 13 * HOUR_MS),
    }));
    const asked = { until, product: product(startTime, endTime), timeZone: 'Europe/Berlin' };
    expect(unitsOf(asked)).toBe(3652);
    expect(unitsOf({ ...asked, covered: nights })).toBe(3652);
    const growth = growthOf((days) => {
      const covered = nights.slice(0, days);
      return () => unitsOf({ ...asked, until: after(days * DAY_MS), covered });
    }, 3652);
    expect(growth).toSatisfy(growsInProportion);
  });
});

describe('waivePrice', () => {
  const price = {
    amountMinor: 1000,
    currency: 'ISK',
    units: 3,
    lines: [
      { rule: 'unit' as const, units: 3, amountMinor: 1500 },
      { rule: 'units-met' as const, units: -1, amountMinor: -500 },
    ],
    product: { id: 'day', version: 1 },
  };

  it('takes off what is due, so that the lines add up to nothing', () => {
    const waived = waivePrice(price);
    expect(waived.amountMinor).toBe(0);
    expect(waived.lines.at(-1)).toEqual({ rule: 'waived', units: -2, amountMinor: -1000 });
    expect(waived.lines.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(0);
  });

  it('leaves alone what is not due', () => {
    const free = { ...price, amountMinor: 0 };
    expect(waivePrice(free)).toBe(free);
  });
});
