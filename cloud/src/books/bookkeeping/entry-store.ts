import { dayAfter } from '@hlid/protocol/base/calendar-day';
import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { moneyAccountTable } from '../../records/books/money-account-table.ts';
import {
  bankEntryTable,
  settlementBatchTable,
  settlementRowTable,
} from '../../records/books/money-file-table.ts';
import { invoiceTable as t } from '../../records/invoices/invoice-table.ts';
import { onlinePaymentTable } from '../../records/online-payments/online-payment-table.ts';
import type { SettlementRowKind } from '../files/file-content.ts';
import type { BookedAccount, BookedBankEntry, BookedBatch } from './file-entries.ts';
import type { BookedInvoice } from './invoice-entries.ts';

export const bookedColumns = {
  id: t.id,
  number: t.number,
  series: t.series,
  creditOf: t.creditOf,
  cause: t.cause,
  productId: t.productId,
  paymentType: t.paymentType,
  amountMinor: t.amountMinor,
  currency: t.currency,
  tipMinor: t.tipMinor,
  lines: t.lines,
  vat: t.vat,
  incomeParts: t.incomeParts,
  paidWith: t.paidWith,
  paidAt: t.paidAt,
  paymentId: t.paymentId,
  issuedAt: t.issuedAt,
};

/** A stretch of time; its end is not included. */
export interface Span {
  from: string;
  before: string;
}

/** What was issued in a span: at once, or after it had waited. */
export async function invoicesIssued(q: Queries, { from, before }: Span): Promise<BookedInvoice[]> {
  const atOnce = and(gte(t.createdAt, from), lt(t.createdAt, before), sql`issued_at = created_at`);
  const later = and(gte(t.issuedAt, from), lt(t.issuedAt, before), sql`issued_at <> created_at`);
  return [...(await invoicesWhere(q, atOnce)), ...(await invoicesWhere(q, later))];
}

/** The invoices that were paid in a span after they had been issued. */
export async function invoicesPaid(q: Queries, { from, before }: Span): Promise<BookedInvoice[]> {
  return await invoicesWhere(q, and(isNotNull(t.paidAt), gte(t.paidAt, from), lt(t.paidAt, before)));
}

async function invoicesWhere(q: Queries, where: SQL | undefined): Promise<BookedInvoice[]> {
  return await q.select(bookedColumns).from(t).where(and(where, sql`+number IS NOT NULL`));
}

export async function invoicesById(q: Queries, ids: readonly string[]): Promise<BookedInvoice[]> {
  return await inChunks(
    ids,
    async (some) => await q.select(bookedColumns).from(t).where(inArray(t.id, some)),
  );
}

/** The credit notes of invoices. */
export async function notesOf(q: Queries, invoiceIds: readonly string[]): Promise<BookedInvoice[]> {
  return await inChunks(
    invoiceIds,
    async (some) =>
      await q
        .select(bookedColumns)
        .from(t)
        .where(and(isNotNull(t.creditOf), inArray(t.creditOf, some))),
  );
}

/** The gateways of online payments. */
export async function gatewaysOf(q: Queries, paymentIds: readonly string[]): Promise<Map<string, string>> {
  const { id, gatewayId } = onlinePaymentTable;
  const found = await inChunks(
    paymentIds,
    async (some) => await q.select({ id, gatewayId }).from(onlinePaymentTable).where(inArray(id, some)),
  );
  return new Map(found.map((one) => [one.id, one.gatewayId]));
}

export interface NamedAccount extends BookedAccount {
  kind: 'settlement' | 'bank';
  name: string;
}

/** There are few. */
export async function bookedAccounts(q: Queries): Promise<Map<string, NamedAccount>> {
  const { id, kind, name, siteId, gatewayId } = moneyAccountTable;
  const rows = await q.select({ id, kind, name, siteId, gatewayId }).from(moneyAccountTable).orderBy(asc(id));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The batches of days, both included: by their payout, and those without one by their newest row. */
export async function batchesOf(
  q: Queries,
  { from, to }: { from: string; to: string },
  accounts: ReadonlyMap<string, BookedAccount>,
): Promise<BookedBatch[]> {
  const b = settlementBatchTable;
  const paid = await q
    .select()
    .from(b)
    .where(and(isNotNull(b.paidOn), gte(b.paidOn, from), lt(b.paidOn, dayAfter(to, 1))));
  const unpaid = await q.select().from(b).where(isNull(b.paidOn));
  const newest = await newestDays(
    q,
    unpaid.map(({ id }) => id),
  );
  const dated = [
    ...paid.map((row) => ({ row, day: row.paidOn })),
    ...unpaid.map((row) => ({ row, day: newest.get(row.id) ?? null })),
  ].flatMap(({ row, day }) => (day !== null && day >= from && day <= to ? [{ row, day }] : []));
  const sums = await sumsOfBatches(
    q,
    dated.map(({ row }) => row.id),
  );
  return dated.flatMap(({ row, day }): BookedBatch[] => {
    const account = accounts.get(row.accountId);
    if (account === undefined) return [];
    const { id, fileId, reference, currency, roundingMinor } = row;
    return [{ id, fileId, reference, currency, roundingMinor, day, account, sums: sums.get(id) ?? [] }];
  });
}

async function newestDays(q: Queries, batchIds: readonly string[]): Promise<Map<string, string>> {
  const r = settlementRowTable;
  const rows = await inChunks(
    batchIds,
    async (some) =>
      await q
        .select({ id: r.batchId, day: sql<string>`max(${r.bookedOn})` })
        .from(r)
        .where(inArray(r.batchId, some))
        .groupBy(r.batchId),
  );
  return new Map(rows.map(({ id, day }) => [id, day]));
}

async function sumsOfBatches(
  q: Queries,
  batchIds: readonly string[],
): Promise<Map<string, BookedBatch['sums'][number][]>> {
  const r = settlementRowTable;
  const rows = await inChunks(
    batchIds,
    async (some) =>
      await q
        .select({
          id: r.batchId,
          kind: r.kind,
          grossMinor: sql`sum(${r.grossMinor})`.mapWith(Number),
          feeMinor: sql`sum(${r.feeMinor})`.mapWith(Number),
        })
        .from(r)
        .where(inArray(r.batchId, some))
        .groupBy(r.batchId, r.kind)
        .orderBy(r.batchId, r.kind),
  );
  return new Map(
    [...groupBy(rows, ({ id }) => id)].map(([id, its]) => [
      id,
      // The kind was parsed before it was stored.
      its.map(({ kind, grossMinor, feeMinor }) => ({
        kind: kind as SettlementRowKind,
        grossMinor,
        feeMinor,
      })),
    ]),
  );
}

/** What banks have booked on days, both included, that is a payout of a provider. */
export async function bankEntriesOf(
  q: Queries,
  { from, to }: { from: string; to: string },
  accounts: ReadonlyMap<string, NamedAccount>,
): Promise<BookedBankEntry[]> {
  const e = bankEntryTable;
  const b = settlementBatchTable;
  const entries: BookedBankEntry[] = [];
  for (const bank of accounts.values()) {
    if (bank.kind !== 'bank') continue;
    const rows = await q
      .select({
        fileId: e.fileId,
        n: e.n,
        bookedOn: e.bookedOn,
        amountMinor: e.amountMinor,
        currency: e.currency,
        reference: e.reference,
        providerAccountId: b.accountId,
      })
      .from(e)
      .innerJoin(b, eq(b.id, e.batchId))
      .where(and(eq(e.accountId, bank.id), gte(e.bookedOn, from), lt(e.bookedOn, dayAfter(to, 1))));
    entries.push(...rows.map((row) => ({ ...row, bank })));
  }
  return entries;
}
