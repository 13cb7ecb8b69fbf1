import { describe, expect, it } from 'vitest';
import { type Visit, VisitSchema } from '../records/visit.ts';
import { priceVisit } from '../tariff/price-visit.ts';
import { type Product, ProductSchema } from '../tariff/product.ts';
import { billDays, billDue, type PayableVisit } from './payment-order.ts';

const AT = '2026-11-21T12:00:00.000Z';
const product = (fields: object = {}): Product =>
  ProductSchema.parse({
    vatRate: 24,
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
const DAY = product();

/** Inside since ten days ago by default. */
function inside(fields: Partial<PayableVisit> = {}, startedAt = '2026-11-12T08:00:00.000Z'): PayableVisit {
  const visit = VisitSchema.parse({
    id: '01a1fc93-bdd6-7682-9b18-8dd0566e2420',
    plate: 'ABX12',
    status: 'new',
    paymentStatus: null,
    startedAt,
    endedAt: null,
    createdAt: startedAt,
    price: null,
    unitsMet: 0,
    paidMinor: 0,
    paidUntil: null,
    quota: null,
    flags: [],
    entryLaneId: null,
    exitLaneId: null,
    entryReadId: null,
    exitReadId: null,
    exitFoundBy: null,
    permitId: null,
  });
  const priceOf = ({ unitsMet, paidMinor }: Visit) =>
    priceVisit({ product: DAY, startedAt, until: AT, timeZone: 'UTC', unitsMet, paidMinor });
  const price = priceOf(visit);
  return {
    visit,
    standing: 'due',
    demand: { price, quota: null, flags: [] },
    product: DAY,
    priceOf,
    ...fields,
  };
}

const NOTHING_DUE = { standing: 'nothing-due', demand: null } as const;

describe('days that are paid for', () => {
  it.each([
    ['all that are due', inside(), 10, DAY, { amountMinor: 5000, units: 10 }],
    ['more than are due', inside(), 12, DAY, { amountMinor: 6000, units: 12 }],
    ['fewer than are due', inside(), 9, DAY, 'too-little'],
    ['one of ten', inside(), 1, DAY, 'too-little'],
    [
      'enough days for too little money',
      inside(),
      10,
      product({ id: 'other', priceMinor: 100 }),
      'too-little',
    ],
    ['enough money for too few days', inside(), 5, product({ id: 'other', priceMinor: 5000 }), 'too-little'],
    ['in advance, where nothing is due', inside(NOTHING_DUE), 1, DAY, { amountMinor: 500, units: 1 }],
    [
      'too few, before the plate is known',
      inside({ standing: 'need-plate', demand: null }),
      1,
      DAY,
      'too-little',
    ],
    [
      'by a product for heavy vehicles',
      inside(),
      10,
      product({ id: 'h', vehicleCategory: 'heavy' }),
      'not-for-sale',
    ],
    ['in another currency', inside(), 10, product({ id: 'e', currency: 'EUR' }), 'not-for-sale'],
    ['by a product that costs nothing', inside(), 10, product({ priceMinor: 0 }), 'not-for-sale'],
    ['by none', inside(), 10, null, 'not-for-sale'],
    ['of a car that has left', inside({ standing: 'ended' }), 10, DAY, 'visit-ended'],
    ['while a payment is checked', inside({ standing: 'checking' }), 10, DAY, 'payment-under-way'],
  ])('%s', (_what, due, days, sold, expected) => {
    const bill = billDays(due, days, sold, null);
    if (typeof expected === 'string') expect(bill).toBe(expected);
    else expect(bill).toMatchObject({ ...expected, inAdvance: true });
  });

  it('are sold by a heavy vehicle’s own product, and by the light one where that prices it', () => {
    const heavy = product({ id: 'h', vehicleCategory: 'heavy' });
    expect(billDays(inside(), 10, heavy, 'heavy')).toMatchObject({ units: 10 });
    expect(billDays(inside(), 10, DAY, 'heavy')).toMatchObject({ units: 10 });
    expect(billDays(inside(), 10, product({ id: 'light-2' }), 'heavy')).toBe('not-for-sale');
  });
});

describe('days in advance', () => {
  it('are one line of their price, by the product that is sold', () => {
    expect(billDays(inside(NOTHING_DUE), 3, DAY, null)).toEqual({
      amountMinor: 1500,
      units: 3,
      currency: 'ISK',
      inAdvance: true,
      product: { id: 'day', version: 1, vatRate: 24 },
      lines: [{ rule: 'unit', units: 3, unitMinor: 500, amountMinor: 1500 }],
    });
  });

  it('are of the product that prices the visit, or of one like it', () => {
    const unpriced = { product: null, priceOf: () => null };
    const free = inside({ ...NOTHING_DUE, ...unpriced });
    expect(billDays(free, 1, DAY, null)).toMatchObject({ units: 1 });
    expect(billDays(free, 1, product({ currency: 'EUR' }), null)).toMatchObject({ currency: 'EUR' });
    expect(billDays(free, 1, product({ vehicleCategory: 'heavy' }), null)).toBe('not-for-sale');
    expect(billDays(inside(NOTHING_DUE), 1, product({ id: 'stay', type: 'visit' }), null)).toBe(
      'not-for-sale',
    );
  });

  it('are no less than what is due after them, with what its quota has met', () => {
    const due = inside();
    const quota = { id: 'q1', units: 4 };
    const priced: Visit[] = [];
    const priceOf = (visit: Visit) => {
      priced.push(visit);
      return due.priceOf({ ...visit, unitsMet: visit.unitsMet + (visit.quota?.units ?? 0) });
    };
    const withQuota = (demanded: boolean) => {
      const visit = { ...due.visit, quota: demanded ? null : quota };
      const price = priceOf({ ...visit, quota }) ?? expect.unreachable();
      return inside({ visit, priceOf, demand: { price, quota: demanded ? quota : null, flags: [] } });
    };
    for (const demanded of [true, false]) {
      expect(billDays(withQuota(demanded), 6, DAY, null)).toMatchObject({ amountMinor: 3000 });
      expect(priced.at(-1)).toMatchObject({ unitsMet: 6, quota });
    }
  });
});

it('what is due is paid as it is', () => {
  expect(billDue(inside())).toMatchObject({ amountMinor: 5000, units: 10, inAdvance: false });
  expect(billDue(inside(NOTHING_DUE))).toBe('nothing-due');
  expect(billDue(inside({ standing: 'ended' }))).toBe('visit-ended');
});
