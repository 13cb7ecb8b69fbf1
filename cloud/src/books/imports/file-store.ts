import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, desc, eq, gt, inArray, lt, type SQL } from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, listRows, ofSite, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import {
  type BankEntryRow,
  bankEntryTable,
  bankStatementTable,
  moneyFileTable as f,
  type MoneyFileRow,
  type SettlementRowRow,
  settlementBatchTable,
  settlementRowTable,
} from '../../records/books/money-file-table.ts';

const ORDER: ListOrder = { at: f.importedAt, id: f.id };

export interface FileFilters {
  kind: MoneyFileRow['kind'];
  siteId?: string | undefined;
}

function filesWhere({ kind, siteId }: FileFilters, own: OwnRows): SQL | undefined {
  return and(
    eq(f.kind, kind),
    ofSites(f.siteId, sitesOf(own)),
    siteId === undefined ? undefined : ofSite(f.siteId, siteId),
  );
}

export async function listFiles(
  q: Queries,
  filters: FileFilters,
  own: OwnRows,
  page: PageOfRows,
): Promise<MoneyFileRow[]> {
  return await listRows(q, f, ORDER, filesWhere(filters, own), page);
}

export async function countFiles(q: Queries, filters: FileFilters, own: OwnRows): Promise<number> {
  return await countRows(q, f, filesWhere(filters, own));
}

export function placeByImport({ importedAt, id }: MoneyFileRow): Place {
  return { rank: 0, at: importedAt, id };
}

export async function findFile(
  q: Queries,
  kind: MoneyFileRow['kind'],
  id: string,
): Promise<MoneyFileRow | null> {
  const row = await q.select().from(f).where(eq(f.id, id)).get();
  return row?.kind === kind ? row : null;
}

export async function fileByHash(q: Queries, hash: string): Promise<MoneyFileRow | null> {
  return (await q.select().from(f).where(eq(f.hash, hash)).get()) ?? null;
}

export async function batchesOfFile(q: Queries, fileId: string) {
  return await q.select().from(settlementBatchTable).where(eq(settlementBatchTable.fileId, fileId));
}

export async function statementsOfFile(q: Queries, fileId: string) {
  return await q.select().from(bankStatementTable).where(eq(bankStatementTable.fileId, fileId));
}

/** A page of the rows of a file is in the order of the file. */
async function rowsOfFile<Table extends SQLiteTable>(
  q: Queries,
  table: Table,
  { fileId, n }: { fileId: SQLiteColumn; n: SQLiteColumn },
  id: string,
  { cursor, limit }: PageOfRows,
): Promise<Table['$inferSelect'][]> {
  const goesUp = cursor?.go !== 'newer';
  const from = cursor && (goesUp ? gt(n, Number(cursor.id)) : lt(n, Number(cursor.id)));
  return await q
    .select()
    .from<SQLiteTable>(table)
    .where(and(eq(fileId, id), from))
    .orderBy(goesUp ? asc(n) : desc(n))
    .limit(limit);
}

export async function settlementRows(q: Queries, id: string, page: PageOfRows): Promise<SettlementRowRow[]> {
  return await rowsOfFile(q, settlementRowTable, settlementRowTable, id, page);
}

export async function bankEntries(q: Queries, id: string, page: PageOfRows): Promise<BankEntryRow[]> {
  return await rowsOfFile(q, bankEntryTable, bankEntryTable, id, page);
}

/** Cursors of lists name a moment; that of a row counts nothing. */
export function placeInFile({ n }: { n: number }): Place {
  return { rank: 0, at: '1970-01-01T00:00:00.000Z', id: String(n) };
}

const INSERTED_AT_ONCE = 50;

/** Inserts rows in pieces: a statement takes a bounded number of values. */
export async function insertRows<Table extends SQLiteTable>(
  q: Queries,
  table: Table,
  rows: readonly Table['$inferInsert'][],
): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE) {
    await q.insert<SQLiteTable>(table).values(rows.slice(from, from + INSERTED_AT_ONCE));
  }
}

/** Deletes a file with all that was stored of it. Entries of banks that its batches were matched to are open again. */
export async function deleteFileRows(q: Queries, id: string): Promise<void> {
  const batches = await batchesOfFile(q, id);
  for (const batch of batches) {
    await q
      .update(bankEntryTable)
      .set({ batchId: null, match: 'none' })
      .where(inArray(bankEntryTable.batchId, [batch.id]));
  }
  await q.delete(settlementRowTable).where(eq(settlementRowTable.fileId, id));
  await q.delete(settlementBatchTable).where(eq(settlementBatchTable.fileId, id));
  await q.delete(bankEntryTable).where(eq(bankEntryTable.fileId, id));
  await q.delete(bankStatementTable).where(eq(bankStatementTable.fileId, id));
  await q.delete(f).where(eq(f.id, id));
}
