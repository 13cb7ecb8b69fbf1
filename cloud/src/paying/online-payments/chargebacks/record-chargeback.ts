import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import { type ChargebackRow, chargebacksOf, writeChargeback } from '../../../money/payments/chargebacks.ts';
import { bookedMinor, findPayment } from '../../../money/payments/find-payment.ts';
import { PAYMENT_ACTIONS, rankOf, refuseChargebackState } from '../../../money/payments/payment-actions.ts';
import type { PaymentRow } from '../../../money/payments/payment-store.ts';
import { audit } from '../../../people/audit/audit.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, type RefusedInput, refusedInput } from '../../../platform/refused.ts';
import { balanceBooks } from '../balance-books.ts';

/** The report of an operator or a provider about a chargeback. */
export type ChargebackReport = Omit<ChargebackRow, 'paymentId' | 'openedAt' | 'decidedAt'>;
export type ChargebackChange = 'opened' | 'changed' | 'none';

/**
 * Stores that the bank of a card's holder has taken money of a payment back, or how that ended, as an operator types it.
 * The payment stays as it is. A credit note takes the money out of the income while the chargeback stands.
 */
export async function recordChargeback(
  db: Db,
  actor: Actor,
  id: string,
  report: ChargebackReport,
): Promise<{ ok: true; payment: PaymentRow } | Refused> {
  return await db.write(async (tx) => {
    const payment = await findPayment(tx.q, id);
    if (payment === null) return NOT_FOUND;
    const known = (await chargebacksOf(tx.q, [id])).find(({ reference }) => reference === report.reference);
    const wrong = typedWrong(payment, known, report);
    if (wrong !== null) return refusedInput(wrong);
    const done = await recordChargebackIn(tx, actor, payment, report);
    return done.ok ? { ok: true, payment: done.payment } : done;
  });
}

/** The same as a provider reports it, in a transaction of the caller. What is known already changes nothing. */
export async function recordChargebackIn(
  tx: Tx,
  actor: Actor,
  payment: PaymentRow,
  report: ChargebackReport,
): Promise<{ ok: true; payment: PaymentRow; change: ChargebackChange } | RefusedInput> {
  const { id } = payment;
  const known = (await chargebacksOf(tx.q, [id])).find(({ reference }) => reference === report.reference);
  const judged = judgeChargeback(payment, known, report);
  if (!judged.ok) return judged;
  const { change, after } = judged;
  if (change === 'none') return { ok: true, payment, change };
  const { at } = actor;
  const isDecided = after.state !== 'open';
  const isNewState = known?.state !== after.state;
  const row: ChargebackRow = {
    ...after,
    paymentId: id,
    openedAt: known?.openedAt ?? at,
    decidedAt: isDecided ? (isNewState ? at : (known?.decidedAt ?? at)) : null,
  };
  const chargedBack = await writeChargeback(tx.q, row);
  await balanceBooks(tx, id, at);
  await audit(tx, actor, {
    subject: 'payment',
    subjectId: id,
    action: 'payment.chargeback',
    before: known === undefined ? null : { ...known },
    after: { ...row },
  });
  return { ok: true, payment: { ...payment, chargedBack }, change };
}

/**
 * The change of a payment by a report: it opens a chargeback, changes the known one, or has no effect.
 * Reports come in any order: a chargeback was open before it was lost, and lost before an appeal has won it.
 * Fields that a report leaves open stay.
 */
export function judgeChargeback(
  { state }: Pick<PaymentRow, 'state'>,
  known: ChargebackReport | undefined,
  report: ChargebackReport,
): { ok: true; change: ChargebackChange; after: ChargebackReport } | RefusedInput {
  if (known === undefined) {
    const why = PAYMENT_ACTIONS.chargeback.refuse({ state });
    return why === null ? { ok: true, change: 'opened', after: report } : refusedInput(why);
  }
  if (rankOf(report.state) < rankOf(known.state)) return { ok: true, change: 'none', after: known };
  const { deadline, evidence } = known;
  const after = { ...report, deadline: report.deadline ?? deadline, evidence: report.evidence ?? evidence };
  const fields = ['state', 'amountMinor', 'reasonCode', 'deadline', 'evidence'] as const;
  const change = fields.every((name) => known[name] === after[name]) ? 'none' : 'changed';
  return { ok: true, change, after };
}

/** Mistakes that only a person makes who types a report. What a provider reports did happen. */
function typedWrong(
  payment: PaymentRow,
  known: ChargebackRow | undefined,
  report: ChargebackReport,
): Mistake | null {
  const { currency } = payment;
  const amountMinor = bookedMinor(payment);
  if (report.amountMinor > amountMinor) {
    return mistake('more-than-paid', 'amount', { amount: formatMoney({ amountMinor, currency }, 'en') });
  }
  if (known === undefined) return null;
  if (known.amountMinor !== report.amountMinor) return mistake('other-amount', 'amount');
  return refuseChargebackState(known.state, report.state);
}
