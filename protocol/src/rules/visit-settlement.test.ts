import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Visit, VisitSchema } from '../records/visit.ts';
import {
  priceToSettle,
  refundId,
  reversalItem,
  settledVisit,
  settlementInFull,
  unitsOwed,
} from './visit-settlement.ts';

const AT = '2026-11-21T12:00:00.000Z';
const GRACE = { at: AT, exitGraceMinutes: 15 };

const price = (amountMinor: number, units: number) => ({
  amountMinor,
  currency: 'ISK',
  product: { id: 'day', version: 1 },
  pricedAt: AT,
  lines: [{ rule: 'unit' as const, units, amountMinor }],
});
const inside = (fields: object = {}): Visit =>
  VisitSchema.parse({
    id: randomUUID(),
    plate: 'ABX12',
    status: 'need-payment',
    paymentStatus: null,
    startedAt: '2026-11-19T13:00:00.000Z',
    endedAt: null,
    createdAt: AT,
    price: price(1000, 2),
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
    ...fields,
  });
const paid = (units: number, amountMinor: number) =>
  ({ paymentStatus: 'kiosk', currency: 'ISK', units, amountMinor }) as const;

describe('a visit that is settled', () => {
  it.each([
    [
      'in full',
      paid(2, 1000),
      { amountMinor: 0, line: { rule: 'units-met', units: -2, amountMinor: -1000 } },
    ],
    [
      'in part',
      paid(1, 500),
      { amountMinor: 500, line: { rule: 'units-met', units: -1, amountMinor: -500 } },
    ],
    [
      'in advance',
      paid(3, 1500),
      { amountMinor: 0, line: { rule: 'units-met', units: -2, amountMinor: -1000 } },
    ],
    ['in money', paid(0, 1000), { amountMinor: 0, line: { rule: 'paid', units: 1, amountMinor: -1000 } }],
    [
      'by giving it up',
      { ...paid(0, 1000), paymentStatus: 'void' as const },
      { amountMinor: 0, line: { rule: 'waived', units: -2, amountMinor: -1000 } },
    ],
    [
      'by giving it up when less was due',
      { ...paid(0, 300), paymentStatus: 'whitelisted' as const },
      { amountMinor: 0, line: { rule: 'waived', units: -2, amountMinor: -1000 } },
    ],
  ])('%s: its price says so, and its lines add up to what is left', (_how, met, { amountMinor, line }) => {
    const visit = inside();
    const settled = settledVisit(visit, met, { ...GRACE, price: visit.price });
    expect(settled.price?.amountMinor).toBe(amountMinor);
    expect(settled.price?.lines.at(-1)).toEqual(line);
    expect(settled.price?.lines.reduce((sum, { amountMinor: part }) => sum + part, 0)).toBe(amountMinor);
  });

  it('owes as before once the money was given back', () => {
    const visit = inside();
    for (const met of [paid(2, 1000), paid(0, 1000)]) {
      const settled = settledVisit(visit, met, { ...GRACE, price: visit.price });
      expect(settled).toMatchObject({ status: 'new', paidUntil: '2026-11-21T12:15:00.000Z' });
      const back = settledVisit(settled, reversalItem(met), { ...GRACE, price: null });
      expect(back).toMatchObject({
        unitsMet: 0,
        paidMinor: 0,
        paidUntil: null,
        paymentStatus: null,
        price: null,
        endedAt: null,
      });
    }
  });

  it('is not reopened by a refund once it has left', () => {
    const left = inside({ status: 'completed', endedAt: AT, unitsMet: 2, paymentStatus: 'kiosk' });
    const back = settledVisit(left, reversalItem(paid(2, 1000)), { ...GRACE, price: null });
    expect(back).toMatchObject({ status: 'completed', paymentStatus: 'kiosk', unitsMet: 0 });
  });
});

const LEFT = { status: 'completed', endedAt: AT } as const;
const UNMET = { unitsMet: 0, paidMinor: 0 };
const SOLD = { quota: { id: 'q1', units: 2 }, unitsMet: 3, paidMinor: 100 };

describe('a settlement', () => {
  it.each([
    ['kiosk', 0, { unitsMet: 3, paidMinor: 1100, quota: SOLD.quota, status: 'new' }],
    ['kiosk', 2, { unitsMet: 5, paidMinor: 100, quota: SOLD.quota, status: 'new' }],
    ['company-invoice', 0, { unitsMet: 3, paidMinor: 1100, quota: SOLD.quota, status: 'new' }],
    ['owner-invoice', 0, { unitsMet: 3, paidMinor: 1100, quota: SOLD.quota, status: 'new' }],
    ['owner-invoice', 2, { unitsMet: 5, paidMinor: 100, quota: SOLD.quota, status: 'new' }],
    ['failed', 0, { unitsMet: 3, paidMinor: 100, quota: SOLD.quota, status: 'new' }],
    ['whitelisted', 0, { unitsMet: 3, paidMinor: 100, quota: { id: 'q1', units: 0 }, status: 'new' }],
    ['void', 0, { unitsMet: 3, paidMinor: 100, quota: { id: 'q1', units: 0 }, ...LEFT }],
  ] as const)('counts %s of %d units', (paymentStatus, units, expected) => {
    const visit = inside(SOLD);
    const met = { ...paid(units, 1000), paymentStatus };
    const settled = settledVisit(visit, met, { ...GRACE, price: visit.price });
    expect(settled).toMatchObject({ ...expected, paymentStatus, paidUntil: '2026-11-21T12:15:00.000Z' });
    expect(settled.endedAt).toBe(paymentStatus === 'void' ? AT : null);
  });

  it('does not change a visit that has left, which keeps its end', () => {
    const endedAt = '2026-11-20T13:00:00.000Z';
    for (const paymentStatus of ['kiosk', 'void', 'whitelisted'] as const) {
      const met = { ...paid(2, 1000), paymentStatus };
      const visit = inside({ endedAt });
      expect(settledVisit(visit, met, { ...GRACE, price: visit.price })).toMatchObject({
        status: 'completed',
        endedAt,
        paymentStatus,
        price: { amountMinor: 0 },
      });
    }
  });

  it('no amount of another currency: only a waiver takes off the price all the same', () => {
    const visit = inside();
    const settle = (paymentStatus: Visit['paymentStatus'] & string) =>
      settledVisit(
        visit,
        { ...paid(0, 1000), paymentStatus, currency: 'EUR' },
        { ...GRACE, price: visit.price },
      );
    expect(settle('kiosk')).toMatchObject({ paidMinor: 0, price: visit.price });
    for (const waiver of ['void', 'whitelisted'] as const) {
      expect(settle(waiver)).toMatchObject({ paidMinor: 0, price: { amountMinor: 0 } });
    }
  });

  it('what is paid where there is no price', () => {
    const visit = inside({ price: null });
    const settled = settledVisit(visit, paid(0, 700), { ...GRACE, price: null });
    expect(settled).toMatchObject({ paidMinor: 700, price: null, paymentStatus: 'kiosk' });
  });

  it('nothing of a settlement of nothing, which leaves the price as it is', () => {
    const visit = inside();
    const settled = settledVisit(visit, paid(0, 0), { ...GRACE, price: visit.price });
    expect(settled).toMatchObject({ ...UNMET, paymentStatus: 'kiosk', price: visit.price, status: 'new' });
  });
});

describe('money that goes back', () => {
  it.each([
    ['some of the units', { unitsMet: 3 }, paid(-2, 0), { unitsMet: 1, paidMinor: 0 }, true],
    ['all of the units', { unitsMet: 3 }, paid(-3, 0), UNMET, false],
    ['more units than were met', { unitsMet: 1 }, paid(-3, 0), UNMET, false],
    ['some of the money', { paidMinor: 900 }, paid(0, -400), { unitsMet: 0, paidMinor: 500 }, true],
    ['all of the money', { paidMinor: 900 }, paid(0, -900), UNMET, false],
    ['more money than was paid', { paidMinor: 300 }, paid(0, -900), UNMET, false],
    [
      'units, and not the money',
      { unitsMet: 2, paidMinor: 300 },
      paid(-2, 0),
      { ...UNMET, paidMinor: 300 },
      true,
    ],
  ])('%s', (_what, had, back, left, isPaid) => {
    const visit = inside({ ...had, status: 'new', paymentStatus: 'kiosk', paidUntil: AT });
    expect(settledVisit(visit, back, { ...GRACE, price: visit.price })).toEqual({
      ...visit,
      ...left,
      paidUntil: null,
      price: null,
      paymentStatus: isPaid ? 'kiosk' : null,
    });
  });
});

describe('what a settlement is for', () => {
  const now = { ...price(1500, 3), units: 3 };
  const reported = price(1000, 2);
  const current = { ...price(1500, 3), pricedAt: AT };

  it.each([
    ['was asked to pay', { status: 'need-payment' as const }, reported],
    ['has left', { status: 'new' as const, endedAt: AT }, reported],
    ['goes on', { status: 'new' as const }, current],
    ['was asked to pay, without a price', { price: null }, current],
    ['has left, without a price', { status: 'new' as const, endedAt: AT, price: null }, current],
  ])('of a visit that %s', (_what, fields, expected) => {
    expect(priceToSettle(inside(fields), () => now, AT)).toEqual(expected);
  });

  it('is nothing where nothing prices it', () => {
    expect(priceToSettle(inside({ status: 'new' }), () => null, AT)).toBeNull();
  });

  it('has no units once all of it is paid', () => {
    expect(unitsOwed(reported)).toBe(2);
    expect(unitsOwed({ ...reported, amountMinor: 0 })).toBe(0);
  });
});

it('a settlement in full meets what is still due', () => {
  const due = {
    ...price(500, 1),
    lines: [...price(1000, 2).lines, { rule: 'units-met' as const, units: -1, amountMinor: -500 }],
  };
  expect(settlementInFull('kiosk', due, 'ISK')).toEqual(paid(1, 500));
  expect(settlementInFull('void', due, 'ISK')).toMatchObject({ units: 0, amountMinor: 500 });
  expect(settlementInFull('kiosk', null, 'ISK')).toEqual(paid(0, 0));
});

it('a refund has an id that its payment gives it', () => {
  const id = randomUUID();
  const back = refundId(id) ?? '';
  expect(back).not.toBe(id);
  expect(refundId(back)).toBe(id);
  expect(refundId('01a1fc93-bdd6-7682-9b18-8dd0566e2420-17')).toBeNull();
});
