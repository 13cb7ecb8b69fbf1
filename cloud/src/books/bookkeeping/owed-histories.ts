import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, eq, gte, inArray, isNotNull, isNull, lt, or, sql, unindexed } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { claimMovements, movementsOfInvoices } from '../../records/books/claim-movements.ts';
import { claimTable } from '../../records/books/claim-table.ts';
import { invoiceTable as t } from '../../records/invoices/invoice-table.ts';
import { bookedColumns, notesOf, type Span } from './entry-store.ts';
import type { BookedInvoice } from './invoice-entries.ts';
import type { ReceivableHistory } from './receivable.ts';

/** An invoice with who owes it. */
export interface OwedInvoice extends BookedInvoice {
  customerId: string | null;
  soldTo: string | null;
  payerSsn: string | null;
  payerName: string | null;
  /** Null: it was paid when it was issued. */
  dueOn: string | null;
}

export interface OwedHistory extends ReceivableHistory {
  invoice: OwedInvoice;
}

const UNPAID_TYPES = ['company-invoice', 'owner-invoice'] as const;

/**
 * The invoices that may be owed in full or in part at the end of a day, with all that has happened to them. It leaves
 * out only what was settled by then and has not changed since.
 *
 * @param span the day, from its first beginning to its last end
 */
export async function owedHistories(q: Queries, day: string, span: Span): Promise<OwedHistory[]> {
  const ids = [
    ...(await openInvoices(q)),
    ...(await paidSince(q, span)),
    ...(await creditedSince(q, span)),
    ...(await unevenlyClaimed(q)),
    ...(await claimMovements(q, { from: dayAfter(day, 1), before: LAST_DAY })).map(
      ({ invoiceId }) => invoiceId,
    ),
  ];
  const invoices = await inChunks(
    ids,
    async (some) =>
      await q
        .select({
          ...bookedColumns,
          customerId: t.customerId,
          soldTo: t.soldTo,
          payerSsn: t.payerSsn,
          payerName: t.payerName,
          dueOn: t.dueOn,
        })
        .from(t)
        .where(and(inArray(t.id, some), lt(unindexed(t.issuedAt), span.before))),
  );
  const roots = invoices.map(({ id }) => id);
  const notes = await notesOf(q, roots);
  const backNotes = await notesOf(
    q,
    notes.map(({ id }) => id),
  );
  const backBy = groupBy(backNotes, ({ creditOf }) => creditOf ?? '');
  const notesBy = groupBy(notes, ({ creditOf }) => creditOf ?? '');
  const movementsBy = groupBy(await movementsOfInvoices(q, roots), ({ invoiceId }) => invoiceId);
  return invoices.map((invoice) => {
    const own = notesBy.get(invoice.id) ?? [];
    return {
      invoice,
      notes: [...own, ...own.flatMap(({ id }) => backBy.get(id) ?? [])],
      movements: movementsBy.get(invoice.id) ?? [],
    };
  });
}

const LAST_DAY = '9999-12-31';

async function openInvoices(q: Queries): Promise<string[]> {
  const isOwed = and(
    isNotNull(t.number),
    isNull(unindexed(t.creditOf)),
    inArray(t.paymentType, [...UNPAID_TYPES]),
  );
  const ids: string[] = [];
  for (const isOpen of [sql`${t.status} = 'draft'`, sql`${t.status} = 'incomplete'`]) {
    for (const { id } of await q.select({ id: t.id }).from(t).where(and(isOpen, isOwed))) ids.push(id);
  }
  return ids;
}

/** What was open at the beginning of the day, and is paid now. */
async function paidSince(q: Queries, { from }: Span): Promise<string[]> {
  const rows = await q
    .select({ id: t.id })
    .from(t)
    .where(
      and(
        isNotNull(t.paidAt),
        gte(t.paidAt, from),
        isNull(unindexed(t.creditOf)),
        inArray(t.paymentType, [...UNPAID_TYPES]),
      ),
    );
  return rows.map(({ id }) => id);
}

/** What was taken back since, or after it was paid. */
async function creditedSince(q: Queries, { from }: Span): Promise<string[]> {
  const note = alias(t, 'note');
  const rows = await q
    .selectDistinct({ id: t.id })
    .from(note)
    .innerJoin(t, eq(t.id, note.creditOf))
    .where(
      and(
        isNotNull(note.creditOf),
        inArray(note.paymentType, [...UNPAID_TYPES]),
        isNull(unindexed(t.creditOf)),
        or(gte(unindexed(t.refundedAt), from), gte(unindexed(note.issuedAt), t.paidAt)),
      ),
    );
  return rows.map(({ id }) => id);
}

/** What claims have paid in part, or more than was asked for, or beside another payment. */
async function unevenlyClaimed(q: Queries): Promise<string[]> {
  const c = claimTable;
  const rows = await q
    .select({ id: c.invoiceId })
    .from(c)
    .innerJoin(t, eq(t.id, c.invoiceId))
    .where(sql`${c.movements} > 0`)
    .groupBy(c.invoiceId)
    .having(sql`sum(${c.paidMinor}) <> ${t.amountMinor} OR ${t.paidWith} IS NOT 'claim'`);
  return rows.map(({ id }) => id);
}
