import type { Payment } from '@hlid/protocol/records/payment';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPayments, type TestPayments } from '../../test/payments.ts';
import { testTransaction } from '../../test/terminal.ts';
import type { PaymentJournal, TerminalPaymentUpdate } from './payment-journal.ts';
import type { JournalEntry } from './payment-store.ts';

const AT = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T12:00:05.000Z';

const ENTRY: JournalEntry = {
  payment: {
    id: '01a1fc93-bdd6-7682-9b18-8dd0566e2420',
    visitId: '01a1fc93-bdd6-7682-9b18-8dd0566e2421',
    terminalId: 'pos-9',
    state: 'sent',
    amountMinor: 500,
    currency: 'ISK',
    units: 1,
    transaction: null,
    reason: 'before',
    needsPerson: true,
    receipt: ['OLD'],
    language: 'is',
    createdAt: AT,
    changedAt: AT,
  },
  orderKey: 'order-1',
  bill: { from: AT, until: AT, vatRate: 24, inAdvance: false, unitsMet: 0, paidMinor: 0 },
  baseline: { kind: 'none' },
  booking: null,
};
const { id } = ENTRY.payment;

let rig: TestPayments;
let journal: PaymentJournal;
beforeEach(() => {
  rig = createTestPayments();
  journal = rig.records.journal;
  return rig.site.core.commit.run(() => journal.begin(ENTRY));
});
afterEach(() => rig.close());

const write = (work: () => JournalEntry) => rig.site.core.commit.run(work);
const sent = () =>
  rig.site
    .events()
    .flatMap(({ body, at }) => (body.type === 'payment.changed' ? [{ ...body.payment, at }] : []));

describe('the journal of payments', () => {
  it('reports a payment as it has stored it', async () => {
    expect(rig.records.store.get(id)).toEqual(ENTRY);
    const moved = await write(() => journal.move(id, 'approved', {}, LATER));
    expect(rig.records.store.get(id)).toEqual(moved);
    expect(sent()).toEqual([
      { ...ENTRY.payment, at: AT },
      { ...moved.payment, at: LATER },
    ]);
  });

  const transaction = { ...testTransaction(500), marks: { trace: '7' } };
  const booked = {
    transaction: { reference: '0001', authorisation: '123456', card: { type: 'visa', lastFour: '1111' } },
  } as const;
  it.each<[string, TerminalPaymentUpdate, Partial<Payment>, Partial<JournalEntry>]>([
    ['nothing', {}, {}, {}],
    ['a reason', { reason: 'refused' }, { reason: 'refused' }, {}],
    ['that there is no reason', { reason: null }, { reason: null }, {}],
    ['that nobody need look', { needsPerson: false }, { needsPerson: false }, {}],
    ['a receipt', { receipt: ['NEW'] }, { receipt: ['NEW'] }, {}],
    ['that no receipt was printed', { receipt: [] }, {}, {}],
    ['a booking', { booking: transaction }, booked, { booking: transaction }],
    [
      'what was booked before',
      { baseline: { kind: 'unavailable', problem: 'busy' } },
      {},
      { baseline: { kind: 'unavailable', problem: 'busy' } },
    ],
  ])('learns %s', async (_what, update, payment, entry) => {
    const amended = { ...ENTRY.payment, ...payment, changedAt: LATER };
    expect(await write(() => journal.amend(id, update, LATER))).toEqual({
      ...ENTRY,
      ...entry,
      payment: amended,
    });
    const { reason = null } = update;
    // A payment that moves on no longer waits.
    expect(await write(() => journal.move(id, 'unknown', update, LATER))).toEqual({
      ...ENTRY,
      ...entry,
      payment: { ...amended, state: 'unknown', reason },
    });
  });

  it.each([
    ['where it may not go', () => journal.move(id, 'settled', {}, LATER), /sent cannot become settled/],
    ['that is not there', () => journal.move('nobody', 'approved', {}, LATER), /no payment nobody/],
    ['that is not there, amended', () => journal.amend('nobody', {}, LATER), /no payment nobody/],
  ])('refuses a payment %s, and writes nothing', async (_what, work, message) => {
    await expect(write(work)).rejects.toThrow(message);
    expect(rig.records.store.get(id)).toEqual(ENTRY);
    expect(sent()).toHaveLength(1);
  });
});
