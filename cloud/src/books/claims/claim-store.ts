import type { Queries } from '../../platform/db/db.ts';
import {
  and,
  asc,
  eq,
  getTableColumns,
  inArray,
  lt,
  type SQL,
  sql,
  unindexed,
} from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { beyond, inDirection, type ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import {
  type ClaimMovementRow,
  type ClaimRow,
  type ClaimState,
  claimMovementTable,
  claimTable as t,
} from '../../records/books/claim-table.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';

/** A claim with what its invoice says about it. */
export interface FoundClaimRow extends ClaimRow {
  invoiceNumber: number | null;
  payerName: string | null;
  customerId: string | null;
  customerName: string | null;
}

export interface ClaimFilters {
  state?: ClaimState | undefined;
  siteId?: string | undefined;
  invoiceId?: string | undefined;
  customerId?: string | undefined;
  /** `YYYY-MM-DD`. */
  dueBefore?: string | undefined;
}

const ORDER: ListOrder = { at: t.createdAt, id: t.id };

function selectClaims(q: Queries) {
  return q
    .select({
      ...getTableColumns(t),
      invoiceNumber: invoiceTable.number,
      payerName: sql<string | null>`coalesce(${invoiceTable.payerName}, ${invoiceTable.soldTo})`,
      customerId: invoiceTable.customerId,
      customerName: customerTable.name,
    })
    .from(t)
    .leftJoin(invoiceTable, eq(invoiceTable.id, t.invoiceId))
    .leftJoin(customerTable, eq(customerTable.id, invoiceTable.customerId));
}

/** Each filter leads through its own index; the first that is given does. */
function where(
  { state, siteId, invoiceId, customerId, dueBefore }: ClaimFilters,
  own: OwnRows,
): SQL | undefined {
  const isOfFew = invoiceId !== undefined || customerId !== undefined;
  const isDated = dueBefore !== undefined && !isOfFew;
  return and(
    invoiceId === undefined ? undefined : eq(t.invoiceId, invoiceId),
    customerId === undefined ? undefined : sql`${t.invoiceId} IN (${invoicesOf(customerId)})`,
    dueBefore === undefined ? undefined : lt(unindexed(t.dueOn, isOfFew), dueBefore),
    siteId === undefined ? undefined : eq(unindexed(t.siteId, isOfFew || isDated), siteId),
    state === undefined
      ? undefined
      : eq(unindexed(t.state, isOfFew || isDated || siteId !== undefined), state),
    ofSites(t.siteId, sitesOf(own)),
  );
}

function invoicesOf(customerId: string): SQL {
  const i = invoiceTable;
  return sql`SELECT ${i.id} FROM ${i} WHERE ${eq(i.customerId, customerId)}`;
}

/** Claims that the caller may see, newest first, beyond a place. */
export async function listClaims(
  q: Queries,
  filters: ClaimFilters,
  own: OwnRows,
  { cursor, limit }: PageOfRows,
): Promise<FoundClaimRow[]> {
  const go = cursor?.go ?? 'older';
  return await selectClaims(q)
    .where(and(where(filters, own), cursor && beyond(ORDER, go, cursor)))
    .orderBy(...inDirection(ORDER, go))
    .limit(limit);
}

export async function countClaims(q: Queries, filters: ClaimFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, where(filters, own));
}

export function placeByCreation({ createdAt, id }: ClaimRow): Place {
  return { rank: 0, at: createdAt, id };
}

export async function findShownClaim(q: Queries, id: string): Promise<FoundClaimRow | null> {
  const [found] = await selectClaims(q).where(eq(t.id, id));
  return found ?? null;
}

export async function findClaim(q: Queries, id: string): Promise<ClaimRow | null> {
  return (await q.select().from(t).where(eq(t.id, id)).get()) ?? null;
}

export async function claimsOfInvoice(q: Queries, invoiceId: string): Promise<ClaimRow[]> {
  return await q.select().from(t).where(eq(t.invoiceId, invoiceId)).orderBy(asc(t.createdAt));
}

/** Whether the bank has it, or may get it. */
export function isStanding({ state }: Pick<ClaimRow, 'state'>): boolean {
  return state === 'new' || state === 'unpaid' || state === 'paid';
}

export async function movementsOf(q: Queries, claimIds: readonly string[]): Promise<ClaimMovementRow[]> {
  const m = claimMovementTable;
  return await q
    .select()
    .from(m)
    .where(inArray(m.claimId, [...claimIds]))
    .orderBy(asc(m.claimId), asc(m.n));
}

export async function updateClaim(q: Queries, id: string, change: Partial<ClaimRow>): Promise<void> {
  await q.update(t).set(change).where(eq(t.id, id));
}
