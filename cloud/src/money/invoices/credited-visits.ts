import type { Queries } from '../../platform/db/db.ts';
import { and, eq, inArray, isNull } from '../../platform/db/sql.ts';
import { type ChargeRow, chargeTable as t } from '../../records/invoices/charge-table.ts';
import { creditNotesOf } from './invoice-store.ts';

/** The visits that credit notes have taken off an invoice. */
export async function visitsTakenBack(q: Queries, invoiceId: string): Promise<Set<string>> {
  const notes = await creditNotesOf(q, invoiceId);
  return new Set(notes.flatMap(({ lines }) => lines.flatMap(({ visitId }) => visitId ?? [])));
}

/** The charges for a visit that an invoice has collected, and no credit note has taken back. */
export async function chargesOn(q: Queries, invoiceId: string, visitId: string): Promise<ChargeRow[]> {
  return await q
    .select()
    .from(t)
    .where(and(eq(t.invoiceId, invoiceId), eq(t.visitId, visitId), isNull(t.creditedBy)));
}

/** A credit note takes these charges back. */
export async function markCredited(q: Queries, ids: readonly string[], noteId: string): Promise<void> {
  if (ids.length > 0)
    await q
      .update(t)
      .set({ creditedBy: noteId })
      .where(inArray(t.id, [...ids]));
}
