import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { standingNotes } from '../../money/invoices/credit-note.ts';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import { invoicePaidByClaim, invoiceUnpaidByClaim, openInvoice } from '../../money/invoices/pay-invoice.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { ClaimAtBank, ClaimPayment } from '../../platform/banks/bank.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { type ClaimMovementRow, type ClaimRow, claimMovementTable } from '../../records/books/claim-table.ts';
import { auditClaim, orderCancel } from './change-claims.ts';
import { claimsOfInvoice, findClaim, movementsOf, updateClaim } from './claim-store.ts';

/**
 * Stores how a claim is at the bank, books what was paid and taken back once, and lets its invoice follow.
 *
 * @returns the claim as it is now
 */
export async function bookClaim(
  tx: Tx,
  before: ClaimRow,
  { claim, payments, at }: { claim: ClaimAtBank; payments: readonly ClaimPayment[]; at: UtcTime },
): Promise<ClaimRow> {
  const actor = cloudActor('claims', at);
  const rows = payments.map((payment, n) => movementRow(before.id, n, payment, at));
  const known = await movementsOf(tx.q, [before.id]);
  if (!known.every((row, n) => isSame(row, rows[n]))) {
    const odd = { reason: 'history-differs', detail: null, followedAt: at } as const;
    await updateClaim(tx.q, before.id, odd);
    return { ...before, ...odd };
  }
  for (const row of rows.slice(known.length)) await tx.q.insert(claimMovementTable).values(row);
  const after: ClaimRow = {
    ...before,
    state: claim.status,
    collection: claim.collection,
    terms: { ...before.terms, amountMinor: claim.amountMinor, finalDueOn: claim.finalDueOn },
    dueMinor: claim.dueMinor,
    paidMinor: rows.reduce((sum, { principalMinor }) => sum + principalMinor, 0),
    movements: rows.length,
    reason: before.reason === 'history-differs' || before.reason === 'not-reached' ? null : before.reason,
    followedAt: at,
  };
  const isChanged = before.state !== after.state || before.movements !== after.movements;
  if (isChanged) {
    after.modifiedAt = at;
    await auditClaim(tx, actor, 'claim.follow', before, after);
  }
  const { id, dueAt: _due, heldBy: _by, ...fields } = after;
  await updateClaim(tx.q, id, fields);
  await followInvoice(tx, after, at);
  return (await findClaim(tx.q, id)) ?? after;
}

function movementRow(claimId: string, n: number, payment: ClaimPayment, seenAt: UtcTime): ClaimMovementRow {
  const sign = payment.kind === 'reversal' ? -1 : 1;
  const signed = (minor: number) => (minor === 0 ? 0 : sign * minor);
  return {
    claimId,
    n,
    kind: payment.kind,
    at: payment.at,
    bookedOn: payment.bookedOn,
    valueOn: payment.valueOn,
    principalMinor: signed(payment.principalMinor),
    discountMinor: signed(payment.discountMinor),
    interestMinor: signed(payment.interestMinor),
    costsMinor: signed(payment.costsMinor),
    depositedMinor: signed(payment.depositedMinor),
    seenAt,
  };
}

/** What is booked stays: a bank only adds to the history of a claim. */
function isSame({ seenAt: _seen, ...known }: ClaimMovementRow, row: ClaimMovementRow | undefined): boolean {
  if (row === undefined) return false;
  const { seenAt: _now, ...reported } = row;
  return (Object.keys(known) as (keyof typeof known)[]).every((name) => known[name] === reported[name]);
}

/** An invoice is paid once claims have paid all that is open of it, and open again once a payment was taken back. */
async function followInvoice(tx: Tx, claim: ClaimRow, at: UtcTime): Promise<void> {
  const { invoiceId } = claim;
  const claims = await claimsOfInvoice(tx.q, invoiceId);
  const paidMinor = claims.reduce((sum, one) => sum + one.paidMinor, 0);
  const dueMinor = await askedFor(tx.q, invoiceId);
  if (dueMinor !== null && paidMinor >= dueMinor && paidMinor > 0) {
    await invoicePaidByClaim(tx, invoiceId, at);
  } else {
    await invoiceUnpaidByClaim(tx, invoiceId, at);
  }
  const open = await openInvoice(tx.q, invoiceId, at);
  const isOver = open === 'invoice-paid' || open === 'not-payable' || open === 'no-invoice';
  if (isOver && claim.state === 'unpaid' && claim.order === null) {
    await orderCancel(tx, cloudActor('claims', at), claim);
  }
}

/** What an invoice asks for, less its credit notes; null: it is not there any more. */
async function askedFor(q: Queries, invoiceId: string): Promise<number | null> {
  const invoice = await invoiceById(q, invoiceId);
  if (invoice === null) return null;
  const notes = await standingNotes(q, invoiceId);
  return notes.reduce((sum, note) => sum + note.amountMinor, invoice.amountMinor);
}
