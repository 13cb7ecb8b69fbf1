import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, desc, eq, eqPlaceholder, isNull, type SQL, sql, unindexed } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { customerTable } from '../customers/customer-table.ts';
import { productTable } from '../products/product-table.ts';
import { visitTable } from '../visits/visit-table.ts';
import { quotaVisitTable, quotaTable as t } from './quota-table.ts';

export type QuotaRow = typeof t.$inferSelect;

/** A quota, and for which vehicles and where (null: at every site) its product makes it good. */
export interface FoundQuota {
  quota: QuotaRow;
  vehicleCategory: (typeof productTable.$inferSelect)['vehicleCategory'];
  siteId: string | null;
}

export interface QuotaFilters {
  customer?: string | undefined;
  product?: string | undefined;
}

/** More visits than this at once are not shown with their quota. */
export const SHOWN_VISITS = 100;

const { vehicleCategory, siteId } = productTable;

function selectQuotas(q: Queries) {
  return q
    .select({ quota: t, vehicleCategory, siteId })
    .from(t)
    .innerJoin(productTable, eq(productTable.id, t.productId));
}

const quotaById = prepared((q) => selectQuotas(q).where(eqPlaceholder(t.id, 'id')).prepare());

const openVisitsOf = prepared((q) => {
  const { id, plate, status, startedAt } = visitTable;
  return q
    .select({
      quotaId: quotaVisitTable.quotaId,
      customerId: quotaVisitTable.customerId,
      units: quotaVisitTable.units,
      visit: { id, siteId: visitTable.siteId, plate, status, startedAt },
    })
    .from(quotaVisitTable)
    .innerJoin(visitTable, eq(visitTable.id, quotaVisitTable.visitId))
    .where(and(eqPlaceholder(quotaVisitTable.quotaId, 'quotaId'), sql`${quotaVisitTable.open} = 1`))
    .orderBy(desc(quotaVisitTable.visitId))
    .limit(SHOWN_VISITS)
    .prepare();
});

/** The sites where a customer has units left; null: every site. */
export async function sitesOfFreeUnits(q: Queries, customerId: string): Promise<(string | null)[]> {
  const rows = await q
    .selectDistinct({ siteId })
    .from(t)
    .innerJoin(productTable, eq(productTable.id, t.productId))
    .where(and(eq(t.customerId, customerId), isNull(t.deletedAt), sql`${t.total} > ${t.used}`));
  return rows.map((row) => row.siteId);
}

/** A quota, deleted or not. */
export async function findAnyQuota(q: Queries, id: string): Promise<FoundQuota | null> {
  return (await quotaById(q).get({ id })) ?? null;
}

/** A quota that the caller may see. */
export async function findQuota(q: Queries, id: string, own: OwnRows): Promise<FoundQuota | null> {
  const found = await findAnyQuota(q, id);
  if (found === null || found.quota.deletedAt !== null) return null;
  return own.all || found.quota.customerId === own.customerId ? found : null;
}

/** Quotas, newest first, beyond a place. */
export async function listQuotas(
  q: Queries,
  filters: QuotaFilters,
  own: OwnRows,
  page: PageOfRows,
): Promise<QuotaRow[]> {
  const order = { at: t.createdAt, id: t.id };
  return await listRows(q, t, order, quotaCondition(filters, own), page);
}

/** How many there are, up to one more than are counted. */
export async function countQuotas(q: Queries, filters: QuotaFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, quotaCondition(filters, own));
}

/** A customer's quota of that product and name. */
export async function findSameQuota(
  q: Queries,
  { customerId, productId, name }: Pick<QuotaRow, 'customerId' | 'productId' | 'name'>,
): Promise<QuotaRow | null> {
  const [same] = await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.customerId, customerId),
        eq(unindexed(t.productId), productId),
        eq(t.name, name),
        isNull(t.deletedAt),
      ),
    )
    .limit(1);
  return same ?? null;
}

/** All units of a customer's quotas. */
export async function sumOfCustomer(
  q: Queries,
  customerId: string,
): Promise<{ total: number; used: number }> {
  const sum = (column: typeof t.total | typeof t.used) =>
    sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number);
  const [row] = await q
    .select({ total: sum(t.total), used: sum(t.used) })
    .from(t)
    .where(and(eq(t.customerId, customerId), isNull(t.deletedAt)));
  return row ?? { total: 0, used: 0 };
}

export type OpenQuotaVisit = Awaited<ReturnType<typeof openVisits>>[number];

/** Visits that stand in a quota now; at most SHOWN_VISITS. */
export async function openVisits(q: Queries, quotaId: string) {
  return await openVisitsOf(q).all({ quotaId });
}

/** Ids of a customer's visits that stand in a quota now; at most SHOWN_VISITS. */
export async function openVisitIds(q: Queries, customerId: string): Promise<string[]> {
  const rows = await q
    .select({ visitId: quotaVisitTable.visitId })
    .from(quotaVisitTable)
    .where(and(eq(quotaVisitTable.customerId, customerId), sql`${quotaVisitTable.open} = 1`))
    .orderBy(desc(quotaVisitTable.visitId))
    .limit(SHOWN_VISITS);
  return rows.map(({ visitId }) => visitId);
}

/** Whether there is such a customer, and its language. */
export async function customerLanguage(q: Queries, id: string): Promise<string | null> {
  const [customer] = await q
    .select({ language: customerTable.language })
    .from(customerTable)
    .where(eq(customerTable.id, id));
  return customer?.language ?? null;
}

export async function insertQuota(q: Queries, row: QuotaRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateQuotaRow(q: Queries, row: QuotaRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

/** The condition of a list of quotas. */
export function quotaCondition({ customer, product }: QuotaFilters, own: OwnRows): SQL | undefined {
  // A customer has few quotas, a product may have those of thousands.
  const byCustomer = !own.all || customer !== undefined;
  return and(
    isNull(t.deletedAt),
    // `= NULL` matches no row: an account without a customer has no quotas.
    own.all ? undefined : sql`${t.customerId} = ${own.customerId}`,
    customer === undefined ? undefined : eq(t.customerId, customer),
    product === undefined ? undefined : eq(unindexed(t.productId, byCustomer), product),
  );
}
