import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/mistake';
import { formatMoney } from '@hlid/protocol/money';
import { eq } from 'drizzle-orm';
import { audit } from '../audit/audit.ts';
import type { Db, Tx } from '../db/db.ts';
import type { Actor } from '../http/caller.ts';
import { creditWithdrawn, invoiceCredited } from '../invoices/invoice-payment.ts';
import { NOT_FOUND, type Refused, type RefusedInput, refusedInput } from '../refused.ts';
import { findPayment } from './find-payment.ts';
import type { PaymentRow } from './payment-store.ts';
import { type Chargeback, paymentTable as t } from './payment-table.ts';

/** Why a payment is not refunded beside it. */
export const CHARGED_BACK = mistake('charged-back');

/** What an operator or a provider reports of a chargeback. */
export type ChargebackReport = Omit<Chargeback, 'creditId' | 'openedAt' | 'decidedAt'>;

/**
 * Stores that the bank of a card's holder has taken money of a settled payment back, or how that ended. The payment stays
 * settled. A credit note takes the money out of the income when the chargeback opens; if it is won, the note is withdrawn.
 */
export async function recordChargeback(
  db: Db,
  actor: Actor,
  id: string,
  report: ChargebackReport,
): Promise<{ ok: true; payment: PaymentRow } | Refused> {
  return await db.write(async (tx) => {
    const before = await findPayment(tx.q, id);
    return before === null ? NOT_FOUND : await recordChargebackIn(tx, actor, before, report);
  });
}

/** The same in a transaction of the caller. What is known already changes nothing. */
export async function recordChargebackIn(
  tx: Tx,
  actor: Actor,
  before: PaymentRow,
  report: ChargebackReport,
): Promise<{ ok: true; payment: PaymentRow } | RefusedInput> {
  const { id, chargeback: known } = before;
  const judged = judgeChargeback(before, report);
  if (!judged.ok) return judged;
  if (judged.change === 'none') return { ok: true, payment: before };
  const { at } = actor;
  const isNew = judged.change === 'opened';
  const { creditId, openedAt } = known !== null && !isNew ? known : { creditId: newId(), openedAt: at };
  const isOpen = report.state === 'open';
  if (report.state === 'won') await creditWithdrawn(tx, creditId, at);
  // A payment that was refunded before is out of the income already.
  else if (isNew) await invoiceCredited(tx, id, { id: creditId, amountMinor: report.amountMinor }, at);
  const isSame = known !== null && !isNew && known.state === report.state;
  const decidedAt = isOpen ? null : isSame ? known.decidedAt : at;
  const chargeback: Chargeback = { ...report, creditId, openedAt, decidedAt };
  await tx.q.update(t).set({ chargeback, chargedBack: isOpen }).where(eq(t.id, id));
  await audit(tx, actor, {
    subject: 'payment',
    subjectId: id,
    action: 'payment.chargeback',
    before: known && { ...known },
    after: { ...chargeback },
  });
  return { ok: true, payment: { ...before, chargeback, chargedBack: isOpen } };
}

/** A chargeback that was won is over: another one of the same payment is a new one. */
function isNext(known: Chargeback, report: ChargebackReport): boolean {
  return known.state === 'won' && known.reference !== report.reference;
}

/** What a report changes of a payment: it opens a chargeback, it changes the known one, or nothing. */
export function judgeChargeback(
  payment: Pick<PaymentRow, 'state' | 'amountMinor' | 'currency' | 'chargeback'>,
  report: ChargebackReport,
): { ok: true; change: 'opened' | 'changed' | 'none' } | RefusedInput {
  const wrong = mistakeIn(payment, report);
  if (wrong !== null) return refusedInput(wrong);
  const { chargeback: known } = payment;
  if (known === null || isNext(known, report)) return { ok: true, change: 'opened' };
  const fields = ['state', 'reasonCode', 'deadline', 'evidence'] as const;
  return { ok: true, change: fields.every((name) => known[name] === report[name]) ? 'none' : 'changed' };
}

function mistakeIn(
  { state, amountMinor, currency, chargeback }: Parameters<typeof judgeChargeback>[0],
  report: ChargebackReport,
): Mistake | null {
  if (chargeback !== null && !isNext(chargeback, report)) {
    if (chargeback.reference !== report.reference) {
      return mistake('other-chargeback', 'reference', { reference: chargeback.reference });
    }
    if (chargeback.amountMinor !== report.amountMinor) return mistake('other-amount', 'amount');
    // A chargeback that was lost may still be won, by an appeal.
    const isLost = chargeback.state === 'lost' && report.state === 'open';
    const isWon = chargeback.state === 'won' && report.state !== 'won';
    return isLost || isWon ? mistake('chargeback-over', 'state', { state: chargeback.state }) : null;
  }
  // The holder of the card may charge back what has been refunded.
  if (state !== 'settled' && state !== 'reversed') {
    return mistake('charge-back-settled-only', [], { state });
  }
  return report.amountMinor > amountMinor
    ? mistake('more-than-paid', 'amount', { amount: formatMoney({ amountMinor, currency }, 'en') })
    : null;
}
