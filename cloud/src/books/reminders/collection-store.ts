import { DAY_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { DAYS_AFTER_WARNING } from '@hlid/protocol/records/collection-law';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, isNotNull, isNull, type SQL, sql } from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, listRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import { claimTable } from '../../records/books/claim-table.ts';
import {
  type CollectionFileRow,
  type CollectionItemRow,
  collectionItemTable,
  collectionFileTable as t,
} from '../../records/books/collection-table.ts';
import { reminderTable } from '../../records/books/reminder-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';

const ORDER: ListOrder = { at: t.createdAt, id: t.id };

export interface CollectionFilters {
  siteId?: string | undefined;
}

function where({ siteId }: CollectionFilters, own: OwnRows): SQL | undefined {
  return and(siteId === undefined ? undefined : eq(t.siteId, siteId), ofSites(t.siteId, sitesOf(own)));
}

/** Files that the caller may see, newest first, beyond a place. */
export async function listCollectionFiles(
  q: Queries,
  filters: CollectionFilters,
  own: OwnRows,
  page: PageOfRows,
): Promise<CollectionFileRow[]> {
  return await listRows(q, t, ORDER, where(filters, own), page);
}

export async function countCollectionFiles(
  q: Queries,
  filters: CollectionFilters,
  own: OwnRows,
): Promise<number> {
  return await countRows(q, t, where(filters, own));
}

export function placeByCreation({ createdAt, id }: CollectionFileRow): Place {
  return { rank: 0, at: createdAt, id };
}

export async function findCollectionFile(q: Queries, id: string): Promise<CollectionFileRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

/** The invoices of a file, in their order. */
export async function itemsOf(q: Queries, fileId: string): Promise<CollectionItemRow[]> {
  const i = collectionItemTable;
  return await q.select().from(i).where(eq(i.fileId, fileId)).orderBy(asc(i.n));
}

export async function insertCollectionFile(
  q: Queries,
  file: CollectionFileRow,
  items: readonly CollectionItemRow[],
): Promise<void> {
  await q.insert(t).values(file);
  for (const item of items) await q.insert(collectionItemTable).values(item);
}

/**
 * Unpaid invoices, the longest due first, of which no reminder is undelivered or younger than the law's days, and that
 * neither a bank nor a collector has. More than may be handed over: disputes and the terms of sites are not looked at.
 */
export async function overdueAfterNotice(
  q: Queries,
  { siteId }: CollectionFilters,
  own: OwnRows,
  { at, limit }: { at: UtcTime; limit: number },
): Promise<string[]> {
  const i = invoiceTable;
  const latest = utcTime(Date.parse(at) - DAYS_AFTER_WARNING * DAY_MS);
  const rows = await q
    .select({ id: i.id })
    .from(i)
    .where(
      and(
        sql`${i.status} = 'draft'`,
        isNotNull(i.dueOn),
        isNull(i.creditOf),
        siteId === undefined ? undefined : eq(i.siteId, siteId),
        ofSites(i.siteId, sitesOf(own)),
        sql`EXISTS (SELECT 1 FROM ${reminderTable} warning WHERE warning.invoice_id = ${i.id}
          AND warning.step = 'warning')`,
        sql`NOT EXISTS (SELECT 1 FROM ${reminderTable} young WHERE young.invoice_id = ${i.id}
          AND (young.delivered_at IS NULL OR young.delivered_at > ${sql.param(latest)}))`,
        sql`NOT EXISTS (SELECT 1 FROM ${collectionItemTable} handed WHERE handed.invoice_id = ${i.id})`,
        sql`NOT EXISTS (SELECT 1 FROM ${claimTable} standing WHERE standing.invoice_id = ${i.id}
          AND standing.state IN ('new', 'unpaid'))`,
      ),
    )
    .orderBy(asc(i.dueOn), asc(i.number), asc(i.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
