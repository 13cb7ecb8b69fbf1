import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyTariff } from '../../test/sample-tariffs.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';
import { SiteSettingsSchema } from '../records/lane.ts';
import type { Visit } from '../records/visit.ts';
import { ProductSchema } from '../tariff/product.ts';
import { TariffSchema } from '../tariff/tariff.ts';
import { decideLeaving, type GatheredAtExit } from './lane-facts.ts';
import { leavingTimes } from './leave-by.ts';
import { beginVisit } from './visit-transitions.ts';

const START = '2026-11-20T10:00:00.000Z';
const after = (ms: number) => utcTime(millis(START) + ms);

const product = (fields: object = {}) =>
  ProductSchema.parse({
    id: 'day',
    type: 'default',
    priceMinor: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    category: null,
    name: {},
    productCode: 'D',
    config: {},
    version: 1,
    ...fields,
  });

function gathered(visit: Partial<Visit>, sold = product(), settings: object = {}): GatheredAtExit {
  const arrival = { plate: 'ABX12', status: 'new', laneId: 'in-1', readId: 'r1' } as const;
  const begun = beginVisit(
    'visit-1',
    { ...arrival, flags: [], permitId: null, quota: null },
    { at: START, by: 'lane:in-1', reason: 'public' },
  );
  return {
    seen: { plate: 'ABX12', score: 1 },
    site: { settings: SiteSettingsSchema.parse({ entryGraceMinutes: 5, ...settings }), timeZone: 'UTC' },
    listed: [],
    quotas: [],
    leaving: { visit: { ...begun, ...visit }, foundBy: 'equal' },
    stay: { products: { atEntry: sold, now: sold } },
    billing: null,
  };
}

const opens = (facts: GatheredAtExit, at: UtcTime) => decideLeaving(facts, at).decision.open;

describe('until when a paid car may leave', () => {
  it('is the end of the paid days, however often it is asked after the time to leave is over', () => {
    const facts = gathered({ unitsMet: 2, paidUntil: after(HOUR_MS + 15 * MINUTE_MS) });
    for (const later of [HOUR_MS, HOUR_MS + 20 * MINUTE_MS, 30 * HOUR_MS]) {
      expect(leavingTimes(facts, after(later))).toEqual({
        leaveBy: after(2 * DAY_MS),
        stayPaidUntil: after(2 * DAY_MS),
      });
    }
    expect(leavingTimes(facts, after(2 * DAY_MS + 1)).leaveBy).toBeNull();
  });

  it('is the end of the time to leave, where that is later', () => {
    const paidUntil = after(DAY_MS + 10 * MINUTE_MS);
    const facts = gathered({ unitsMet: 1, paidUntil });
    const [inside, over] = [after(DAY_MS - 5 * MINUTE_MS), after(DAY_MS + 5 * MINUTE_MS)];
    expect(leavingTimes(facts, inside)).toEqual({ leaveBy: paidUntil, stayPaidUntil: after(DAY_MS) });
    expect(leavingTimes(facts, over)).toEqual({ leaveBy: paidUntil, stayPaidUntil: null });
  });

  it('has no end where one payment is for the whole stay', () => {
    const sold = product({ type: 'visit' });
    const facts = gathered({ unitsMet: 1, paidUntil: after(HOUR_MS) }, sold);
    expect(leavingTimes(facts, after(30 * MINUTE_MS))).toEqual({ leaveBy: null, stayPaidUntil: null });
  });

  it('is the end of the free time before anything is due, and nothing of it is paid', () => {
    expect(leavingTimes(gathered({}), after(MINUTE_MS))).toEqual({
      leaveBy: after(5 * MINUTE_MS),
      stayPaidUntil: null,
    });
    expect(leavingTimes(gathered({}), after(HOUR_MS)).leaveBy).toBeNull();
  });

  it('ends where a quota would be charged, or an invoice made', () => {
    const facts = gathered({ unitsMet: 1 });
    const quota = { id: 'q1', free: 9 };
    const charged = [
      { ...facts, quotas: [quota] },
      { ...facts, billing: 'monthly' as const },
      gathered({ unitsMet: 1 }, product(), { invoicesOwners: true }),
    ];
    for (const each of charged) expect(leavingTimes(each, after(HOUR_MS)).leaveBy).toEqual(after(DAY_MS));
  });

  it('is the first time at which more is due, where a flat rate makes it free again later', () => {
    const tariff = TariffSchema.parse({
      bands: [{ steps: [{ kind: 'each', priceMinor: 100, everyMinutes: 60 }] }],
      flatRates: [{ priceMinor: 300, exit: { startTime: '17:00', endTime: '19:00' } }],
      flatRateChoice: 'cheapest',
    });
    const facts = gathered({ paidMinor: 300 }, product({ config: { tariff } }), { entryGraceMinutes: 0 });
    expect(opens(facts, after(7.5 * HOUR_MS))).toBe(true);
    expect(leavingTimes(facts, after(HOUR_MS)).leaveBy).toEqual(after(3 * HOUR_MS));
  });
});

describe('the exit', () => {
  it('opens until then and not after it, by any tariff, whatever was paid and whenever it is asked', () => {
    const anyVisit = fc.record({
      unitsMet: fc.integer({ min: 0, max: 3 }),
      paidMinor: fc.integer({ min: 0, max: 6000 }),
      paidUntil: fc.option(fc.integer({ min: 0, max: 4 * 24 * 60 }), { nil: null }),
    });
    fc.assert(
      fc.property(
        anyTariff,
        anyVisit,
        fc.integer({ min: 0, max: 4 * 24 * 60 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 8, maxLength: 8 }),
        (tariff, { paidUntil, ...paid }, minutes, places) => {
          const until = paidUntil === null ? null : after(paidUntil * MINUTE_MS);
          const facts = gathered({ ...paid, paidUntil: until }, product({ config: { tariff } }));
          const now = after(minutes * MINUTE_MS);
          const { leaveBy, stayPaidUntil } = leavingTimes(facts, now);
          if (leaveBy === null) {
            // More is due now, or it never is.
            const later = places.map((place) => utcTime(millis(now) + place * 300 * DAY_MS));
            expect(new Set(later.map((at) => opens(facts, at))).size).toBeLessThanOrEqual(1);
            if (!opens(facts, now)) expect(stayPaidUntil).toBeNull();
            return;
          }
          const span = millis(leaveBy) - millis(now);
          for (const place of [0, 1, ...places]) {
            expect(opens(facts, utcTime(millis(now) + place * span)), String(place)).toBe(true);
          }
          expect(opens(facts, utcTime(millis(leaveBy) + 1))).toBe(false);
          if (stayPaidUntil !== null) expect(stayPaidUntil <= leaveBy).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
