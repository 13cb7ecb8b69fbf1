import type { Queries } from '../../platform/db/db.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, sql } from '../../platform/db/sql.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, listRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import { withOpenReversal } from '../../records/payments/open-reversal.ts';
import { paymentTable as t } from '../../records/payments/payment-table.ts';

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
    'siteLostAt',
    'receipt',
    'changedAt',
  ),
});
/** The condition of its index. */
export const FOR_PERSON = sql`(needs_person = 1 OR settled_twice = 1 OR charged_back = 1 OR reversal_ordered_at IS NOT NULL)`;

/** The orders by age and by amount. The payments are few. */
export const PAYMENT_ORDERS = ['newest', 'oldest', 'amount', '-amount'] as const;
export type PaymentOrder = (typeof PAYMENT_ORDERS)[number];

const ORDERS: Record<PaymentOrder, ListOrder> = {
  newest: { at: t.createdAt, id: t.id },
  oldest: { at: t.createdAt, id: t.id, upwards: true },
  amount: { at: t.amountMinor, id: t.id, upwards: true },
  '-amount': { at: t.amountMinor, id: t.id },
};

const isByAmount = (order: PaymentOrder) => order === 'amount' || order === '-amount';

/** The place of a payment in that order. */
export function placeOfPayment(order: PaymentOrder): (row: PaymentRow) => Place {
  return ({ id, createdAt, amountMinor }) => ({
    rank: 0,
    at: isByAmount(order) ? String(amountMinor) : createdAt,
    id,
  });
}

/** Payments that wait for a person, in order, beyond a place; of these sites (null: of all). */
export async function listForPerson(
  q: Queries,
  siteIds: readonly string[] | null,
  { order, ...page }: PageOfRows & { order: PaymentOrder },
): Promise<PaymentRow[]> {
  const rows = await listRows(q, t, ORDERS[order], and(FOR_PERSON, ofSites(t.siteId, siteIds)), page);
  return rows.map(withOpenReversal);
}

export async function countForPerson(q: Queries, siteIds: readonly string[] | null): Promise<number> {
  return await countRows(q, t, and(FOR_PERSON, ofSites(t.siteId, siteIds)));
}
