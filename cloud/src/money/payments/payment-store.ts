import { and, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/db.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { countRows, listRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';
import { withOpenReversal } from './open-reversal.ts';

export type PaymentRow = typeof t.$inferSelect;
export const writePayment = preparedInsert(t, {
  target: t.id,
  set: fromNewRow(
    t,
    'state',
    'transaction',
    'reason',
    'needsPerson',
    'reversalOrderedAt',
    'receipt',
    'changedAt',
  ),
});
/** The condition of its index. */
export const FOR_PERSON = sql`(needs_person = 1 OR settled_twice = 1 OR charged_back = 1 OR reversal_ordered_at IS NOT NULL)`;

const ORDER = { at: t.createdAt, id: t.id };

/** Payments that wait for a person, newest first, after a position; of these sites (null: of all). */
export async function listForPerson(
  q: Queries,
  siteIds: readonly string[] | null,
  page: PageOfRows,
): Promise<PaymentRow[]> {
  const rows = await listRows(q, t, ORDER, and(FOR_PERSON, ofSites(t.siteId, siteIds)), page);
  return rows.map(withOpenReversal);
}

export async function countForPerson(q: Queries, siteIds: readonly string[] | null): Promise<number> {
  return await countRows(q, t, and(FOR_PERSON, ofSites(t.siteId, siteIds)));
}
