import type { Queries } from '../../platform/db/db.ts';
import { contains } from '../../platform/db/search-key.ts';
import { and, eq, type SQL, sql } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import type { Place } from '../../platform/http/list-envelope.ts';
import { countRows, listRows, type PageOfRows } from '../../platform/http/list-rows.ts';
import { customerTable as t } from './customer-table.ts';

export type CustomerRow = typeof t.$inferSelect;

export interface CustomerFilters {
  collection?: 'latest' | 'want-monthly-billing' | undefined;
  /** A part of the name. */
  name?: string | undefined;
  /** A part of the address. */
  email?: string | undefined;
  /** Ten digits. */
  ssn?: string | undefined;
}

/** Newest first, oldest first; by name or mail address, and the other way round. Each has an index. */
export const CUSTOMER_ORDERS = ['newest', 'oldest', 'name', '-name', 'email', '-email'] as const;
export type CustomerOrder = (typeof CUSTOMER_ORDERS)[number];

const ORDERS: Record<CustomerOrder, ListOrder> = {
  newest: { at: t.createdAt, id: t.id },
  oldest: { at: t.createdAt, id: t.id, upwards: true },
  name: { at: t.nameKey, id: t.id, upwards: true },
  '-name': { at: t.nameKey, id: t.id },
  email: { at: t.emailKey, id: t.id, upwards: true },
  '-email': { at: t.emailKey, id: t.id },
};

/** The place of a customer in that order. */
export function placeOfCustomer(order: CustomerOrder): (row: CustomerRow) => Place {
  return ({ id, createdAt, nameKey, emailKey }) => {
    if (order === 'name' || order === '-name') return { rank: 0, at: nameKey, id };
    return { rank: 0, at: order === 'newest' || order === 'oldest' ? createdAt : emailKey, id };
  };
}

/** Customers in order, beyond a place. */
export async function listCustomers(
  q: Queries,
  filters: CustomerFilters,
  own: OwnRows,
  { order = 'newest', ...page }: PageOfRows & { order?: CustomerOrder },
): Promise<CustomerRow[]> {
  return await listRows(q, t, ORDERS[order], and(...conditions(filters, own)), page);
}

/** How many there are, up to one more than are counted. */
export async function countCustomers(q: Queries, filters: CustomerFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, and(...conditions(filters, own)));
}

export async function insertCustomer(q: Queries, row: CustomerRow): Promise<void> {
  await q.insert(t).values(row);
}

export async function updateCustomerRow(q: Queries, row: CustomerRow): Promise<void> {
  await q.update(t).set(row).where(eq(t.id, row.id));
}

function conditions({ collection, name, email, ssn }: CustomerFilters, own: OwnRows): (SQL | undefined)[] {
  return [
    own.all ? undefined : own.customerId === null ? sql`0` : eq(t.id, own.customerId),
    collection === 'want-monthly-billing' ? eq(t.billingMethod, 'monthly') : undefined,
    name === undefined ? undefined : contains(t.nameKey, name),
    email === undefined ? undefined : contains(t.emailKey, email),
    ssn === undefined ? undefined : eq(t.ssn, ssn),
  ];
}
