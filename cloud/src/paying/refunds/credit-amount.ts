import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import { auditInvoice, type InvoiceResult } from '../../money/invoices/change-invoices.ts';
import { creditPart, creditRest, standingNotes } from '../../money/invoices/credit-note.ts';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { refuseCredit } from '../../money/invoices/invoice-actions.ts';
import { creditedWith } from '../../money/invoices/invoice-approval.ts';
import { shareOf } from '../../money/invoices/invoice-payment.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import {
  type ActToApprove,
  type AwaitsApproval,
  secondPerson,
} from '../../people/approvals/second-person.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { NOT_FOUND, refusedInput } from '../../platform/refused.ts';

/** The amount of an issued invoice that no credit note has taken back. */
export async function leftToCredit(
  q: Queries,
  { id, amountMinor }: Pick<InvoiceRow, 'id' | 'amountMinor'>,
): Promise<number> {
  const notes = await standingNotes(q, id);
  return notes.reduce((sum, note) => sum + note.amountMinor, amountMinor);
}

/**
 * Credits an amount of an issued invoice, by a credit note with the same share of each VAT. No money moves, and nothing is
 * due again.
 *
 * @param amountMinor null: all that is left
 * @param act what a second person approves
 */
export async function creditAmountIn(
  tx: Tx,
  actor: Actor,
  id: string,
  { amountMinor: wanted, reason }: { amountMinor: number | null; reason: string },
  act: ActToApprove,
): Promise<InvoiceResult | AwaitsApproval> {
  const before = await findInvoice(tx.q, id, ALL_ROWS);
  if (before === null) return NOT_FOUND;
  const why = refuseCredit(before);
  if (why !== null) return refusedInput(why);
  const leftMinor = await leftToCredit(tx.q, before);
  const amountMinor = wanted ?? leftMinor;
  if (amountMinor > leftMinor || leftMinor <= 0) {
    const left = formatMoney({ amountMinor: leftMinor, currency: before.currency }, 'en');
    return refusedInput(mistake('credit-too-much', 'credit', { left }));
  }
  const waits = await secondPerson(tx, actor, act, await creditedWith(tx.q, before, amountMinor));
  if (waits !== null) return waits;
  const { customerName: _, creditOfNumber: __, ...invoice } = before;
  if (amountMinor === leftMinor) await creditRest(tx, invoice, actor.at, 'hand');
  else await creditPart(tx, invoice, { cause: newId(), ...shareOf(invoice, 0 - amountMinor) }, actor.at);
  const after = await findInvoice(tx.q, id, ALL_ROWS);
  if (after === null) return NOT_FOUND;
  await auditInvoice(tx, actor, 'invoice.credit', before, after, reason);
  return { ok: true, invoice: after };
}
