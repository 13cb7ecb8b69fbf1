import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { z } from 'zod';
import { PAYMENT_ACTIONS } from '../../src/money/payments/payment-actions.ts';
import { onlineRefundTable } from '../../src/records/online-payments/online-payment-table.ts';
import { chargebackTable } from '../../src/records/payments/chargeback-table.ts';
import { paymentTable } from '../../src/records/payments/payment-table.ts';
import { settlementTable, visitTable } from '../../src/records/visits/visit-table.ts';
import type { OnlineRig } from '../online-payments.ts';
import { reportPayment, samplePayment } from '../payments.ts';
import { actionKind } from './action-kind.ts';

const REASON = 'As it was';
let plates = 0;
const nextPlate = () => `PAY${String(++plates).padStart(4, '0')}`;

const StateArbitrary = fc.record({
  isOnline: fc.boolean(),
  state: fc.constantFrom('settled', 'settled', 'unknown', 'declined', 'reversed'),
  needsPerson: fc.boolean(),
  reason: fc.constantFrom(null, null, 'reverse-unknown'),
  settledTwice: fc.constantFrom(false, false, true),
  refund: fc.constantFrom(null, null, 'ordered', 'unclear', 'not-possible'),
  attempts: fc.constantFrom(0, 10),
  chargeback: fc.constantFrom(null, null, 'open', 'lost', 'won'),
  chargedBackMinor: fc.constantFrom(100, 500),
} as const);
type State = typeof StateArbitrary extends fc.Arbitrary<infer S> ? S : never;

async function make(rig: OnlineRig, given: State): Promise<string> {
  const { isOnline, refund, attempts, chargeback, settledTwice } = given;
  const id = isOnline ? (await rig.paid(nextPlate())).id : await paidAtTerminal(rig, given.chargedBackMinor);
  const at = rig.api.now();
  await rig.api.db.write(async ({ q }) => {
    const { state, needsPerson, reason } = given;
    await q
      .update(paymentTable)
      .set({ state, needsPerson, reason, settledTwice, chargedBack: chargeback === 'open' })
      .where(eq(paymentTable.id, id));
    // A payment that is not booked has settled nothing.
    if (state === 'unknown' || state === 'declined')
      await q.delete(settlementTable).where(eq(settlementTable.id, id));
    if (settledTwice) {
      const [row] = await q.select().from(paymentTable).where(eq(paymentTable.id, id));
      const visit = eq(visitTable.id, row?.visitId ?? '');
      await q
        .update(visitTable)
        .set({ flags: ['settled-twice'] })
        .where(visit);
    }
    if (chargeback !== null) {
      const dates = { openedAt: at, decidedAt: chargeback === 'open' ? null : at };
      await q.insert(chargebackTable).values({
        paymentId: id,
        reference: randomUUID(),
        amountMinor: given.chargedBackMinor,
        reasonCode: '10.4',
        deadline: null,
        evidence: null,
        state: chargeback,
        ...dates,
      });
    }
    if (isOnline && refund !== null) {
      await q.insert(onlineRefundTable).values({
        id: randomUUID(),
        paymentId: id,
        amountMinor: 100,
        isWhole: false,
        state: refund,
        reason: REASON,
        by: 'account:the-operator',
        reference: null,
        gatewayState: {},
        attempts,
        dueAt: null,
        heldBy: null,
        createdAt: at,
        doneAt: null,
        failedAt: null,
      });
    }
  });
  return id;
}

async function paidAtTerminal({ api }: OnlineRig, amountMinor: number): Promise<string> {
  const { id: visitId } = await api.visit({ plate: nextPlate() });
  const payment = samplePayment({ visitId, amountMinor });
  await reportPayment(api, payment);
  return payment.id;
}

const finding = (found: string) => () => ({ body: { finding: found, reason: REASON } });

export const PAYMENT_KIND = actionKind({
  rules: PAYMENT_ACTIONS,
  states: StateArbitrary,
  make,
  pathOf: (id) => `/payments/${id}`,
  calls: {
    booked: finding('booked'),
    'not-booked': finding('not-booked'),
    'given-back': finding('given-back'),
    reverse: () => ({ body: { reason: REASON } }),
    keep: (_, { visitId }) => ({
      path: `/visit/${z.string().parse(visitId)}/reviewed`,
      body: { flags: ['settled-twice'], reason: REASON },
    }),
    chargeback: () => ({ body: { reference: randomUUID(), amount: 1, reasonCode: '10.4' } }),
  },
});
