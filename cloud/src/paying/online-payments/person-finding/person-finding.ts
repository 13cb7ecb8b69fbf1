import type { PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { PAYMENT_ACTIONS } from '../../../money/payments/payment-actions.ts';
import type { PaymentRow } from '../../../money/payments/payment-store.ts';
import { isOpenRefund, type RefundRow, refundsOf } from '../../../money/payments/refunds.ts';
import { audit } from '../../../people/audit/audit.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { type Actor, callerName } from '../../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../../platform/refused.ts';
import { balanceBooks } from '../balance-books.ts';
import type { OnlineJournal } from '../online-journal.ts';
import { findOnlinePayment, updateRefund } from '../online-payment-store.ts';

/**
 * Records what a person found out at the provider about an online payment that needs a person. The rules are those of
 * terminals. The finding holds for uncertain refunds too: `given-back`, they were given; else they were not, and are
 * withdrawn, so that no money goes back twice.
 */
export async function recordFinding(
  { db, journal }: { db: Db; journal: OnlineJournal },
  actor: Actor,
  id: string,
  { finding, reason }: { finding: PersonFinding; reason: string },
): Promise<{ ok: true; payment: PaymentRow } | Refused> {
  return await db.write(async (tx) => {
    const before = await findOnlinePayment(tx.q, id);
    if (before === null) return NOT_FOUND;
    const { state, needsPerson, reason: problem } = before.payment;
    const refunds = await refundsOf(tx.q, id);
    const why = PAYMENT_ACTIONS[finding].refuse({ ...before.payment, refunds });
    if (why !== null) return refusedInput(why);
    const isOfParts = await resolveRefunds(tx, refunds.filter(isOpenRefund), finding, actor);
    const by = callerName(actor.caller);
    // A part that went back leaves the payment as it is.
    const ofPayment = isOfParts && finding === 'given-back' ? 'booked' : finding;
    const { payment } = await journal.applyIn(tx, id, { kind: 'finding', finding: ofPayment, by }, actor.at);
    await balanceBooks(tx, id, actor.at);
    await audit(tx, actor, {
      subject: 'payment',
      subjectId: id,
      action: 'payment.finding',
      reason,
      before: { state, needsPerson, reason: problem },
      after: { finding, state: payment.state, needsPerson: payment.needsPerson },
    });
    return { ok: true, payment };
  });
}

/**
 * Gives uncertain refunds the outcome that the person found, so that no money goes back twice.
 *
 * @returns whether they are of parts only
 */
async function resolveRefunds(
  tx: Tx,
  open: readonly RefundRow[],
  finding: PersonFinding,
  { at }: Actor,
): Promise<boolean> {
  const isGiven = finding === 'given-back';
  for (const { id } of open) {
    const state = isGiven ? 'refunded' : 'not-possible';
    await updateRefund(tx.q, id, { state, dueAt: null, doneAt: at });
  }
  return open.length > 0 && open.every(({ isWhole }) => !isWhole);
}
