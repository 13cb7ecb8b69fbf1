import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Visit, VisitSchema } from './visit.ts';
import { givenBackItem, refundId, settledVisit, settlementInFull } from './visit-settlement.ts';

const AT = '2026-11-21T12:00:00.000Z';
const GRACE = { at: AT, exitGraceMinutes: 15 };

const price = (amountMinor: number, units: number) => ({
  ...{ amountMinor, currency: 'ISK', product: { id: 'day', version: 1 }, pricedAt: AT },
  lines: [{ rule: 'unit' as const, units, amountMinor }],
});
const inside = (fields: object = {}): Visit =>
  VisitSchema.parse({
    ...{ id: randomUUID(), plate: 'ABX12', status: 'need-payment', paymentStatus: null },
    ...{ startedAt: '2026-11-19T13:00:00.000Z', endedAt: null, createdAt: AT, price: price(1000, 2) },
    ...{ unitsMet: 0, paidUntil: null, flags: [], entryLaneId: null, exitLaneId: null, entryReadId: null },
    ...{ exitReadId: null, exitFoundBy: null, permitId: null, ...fields },
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
  ])('%s: its price says so, and its lines add up to what is left', (_how, met, { amountMinor, line }) => {
    const visit = inside();
    const settled = settledVisit(visit, met, { ...GRACE, price: visit.price });
    expect(settled.price?.amountMinor).toBe(amountMinor);
    expect(settled.price?.lines.at(-1)).toEqual(line);
    expect(settled.price?.lines.reduce((sum, { amountMinor: part }) => sum + part, 0)).toBe(amountMinor);
  });

  it('and given back owes as before', () => {
    const visit = inside();
    for (const met of [paid(2, 1000), paid(0, 1000)]) {
      const settled = settledVisit(visit, met, { ...GRACE, price: visit.price });
      expect(settled).toMatchObject({ status: 'new', paidUntil: '2026-11-21T12:15:00.000Z' });
      const back = settledVisit(settled, givenBackItem(met), { ...GRACE, price: null });
      expect(back).toMatchObject({
        ...{ unitsMet: 0, paidMinor: 0, paidUntil: null, paymentStatus: null, price: null, endedAt: null },
      });
    }
  });

  it('and left is not opened by money that goes back', () => {
    const left = inside({ status: 'completed', endedAt: AT, unitsMet: 2, paymentStatus: 'kiosk' });
    const back = settledVisit(left, givenBackItem(paid(2, 1000)), { ...GRACE, price: null });
    expect(back).toMatchObject({ status: 'completed', paymentStatus: 'kiosk', unitsMet: 0 });
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
