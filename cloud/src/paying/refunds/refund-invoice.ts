import { formatMoney } from '@hlid/protocol/base/money';
import { refundId, reversalItem } from '@hlid/protocol/rules/visit-settlement';
import { auditInvoice, type InvoiceResult } from '../../money/invoices/change-invoices.ts';
import { creditRest } from '../../money/invoices/credit-note.ts';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { INVOICE_ACTIONS } from '../../money/invoices/invoice-actions.ts';
import { invoiceAct, refundedWith } from '../../money/invoices/invoice-approval.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { clearSettledTwice } from '../../money/payments/settled-twice.ts';
import {
  type ActToApprove,
  type AwaitsApproval,
  secondPerson,
} from '../../people/approvals/second-person.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { NOT_FOUND, refusedInput } from '../../platform/refused.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { settleRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';

/**
 * Takes a paid invoice back, once, by a credit note for what is left of it, which takes it out of the income. What it
 * paid of a visit inside is due again. No money moves.
 */
export async function refundInvoice(
  db: Db,
  actor: Actor,
  id: string,
  reason: string,
): Promise<InvoiceResult | AwaitsApproval> {
  return await db.write((tx) => refundInvoiceIn(tx, actor, id, reason));
}

/** The same within a transaction that does more. @param act what a second person approves, where more is done */
export async function refundInvoiceIn(
  tx: Tx,
  actor: Actor,
  id: string,
  reason: string,
  act?: ActToApprove,
): Promise<InvoiceResult | AwaitsApproval> {
  const before = await findInvoice(tx.q, id, ALL_ROWS);
  if (before === null) return NOT_FOUND;
  const why = INVOICE_ACTIONS.refund.refuse({ ...before, payments: { refund: 'books' } });
  if (why !== null) {
    const isThere = before.status === 'refunded' || before.openRefundMinor > 0;
    return isThere ? { ok: false, reason: 'already-there', id, mistake: why } : refusedInput(why);
  }
  const waits = await secondPerson(
    tx,
    actor,
    act ?? { ...invoiceAct('refund', before), args: { reason }, reason },
    await refundedWith(tx.q, before),
  );
  if (waits !== null) return waits;
  const { customerName, creditOfNumber, ...paid } = before;
  const invoice = { ...(await creditRest(tx, paid, actor.at, 'hand')), customerName, creditOfNumber };
  await giveBackPayment(tx, actor, paid, reason);
  await auditInvoice(tx, actor, 'invoice.refund', before, invoice, reason);
  return { ok: true, invoice };
}

/**
 * Takes a payment off its visit after the money went back: a car that is still inside does not leave on it,
 * here and at its site. A visit that was settled twice is so no more.
 */
export async function giveBackPayment(
  tx: Tx,
  actor: Actor,
  { visitId, cause, paymentType, lines, amountMinor, currency }: InvoiceRow,
  reason: string,
): Promise<void> {
  const before = visitId === null ? null : await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (before === null) return;
  await clearSettledTwice(tx.q, before.id);
  const flags = before.flags.filter((flag) => flag !== 'settled-twice');
  let after: VisitRow = { ...before, flags };
  if (before.endedAt === null) {
    // Fees were never counted as met.
    const asked = lines.filter(({ rule }) => rule === 'visit');
    const units = asked.reduce((sum, line) => sum + line.units, 0);
    const id = refundId(cause);
    const back = reversalItem({
      paymentStatus:
        paymentType === 'company-invoice' || paymentType === 'owner-invoice' ? paymentType : 'kiosk',
      amountMinor: asked.reduce((sum, line) => sum + line.amountMinor, 0),
      currency,
      units,
    });
    const met = { ...back, ...(id !== null && { id }) };
    after = (await settleRow(tx, actor, after, await siteOfVisit(tx.q, before), met, null)).row;
  }
  const historyText = `refunded ${formatMoney({ amountMinor, currency }, 'en')}: ${reason}`;
  await recordChange(tx, actor, { before, after }, { action: 'visit.refund', historyText, reason });
}
