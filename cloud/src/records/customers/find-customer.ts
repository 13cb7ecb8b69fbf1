import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eq, eqPlaceholder } from '../../platform/db/sql.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { SsnSchema } from '../../platform/http/input-fields.ts';
import { type CustomerRow, listCustomers } from './customer-store.ts';
import { customerTable as t } from './customer-table.ts';

const rowById = prepared((q) => q.select().from(t).where(eqPlaceholder(t.id, 'id')).prepare());

/** A customer that the caller may see. */
export async function findCustomer(q: Queries, id: string, own: OwnRows): Promise<CustomerRow | null> {
  if (!own.all && own.customerId !== id) return null;
  return (await rowById(q).get({ id })) ?? null;
}

export async function findCustomerBySsn(q: Queries, ssn: string): Promise<CustomerRow | null> {
  return (await q.select().from(t).where(eq(t.ssn, ssn)).get()) ?? null;
}

/** Customers with a text in their name, or with that national id, that the caller may see; newest first. */
export async function searchCustomers(
  q: Queries,
  text: string,
  own: OwnRows,
  limit: number,
): Promise<CustomerRow[]> {
  const ssn = SsnSchema.safeParse(text);
  const filters = ssn.success ? { ssn: ssn.data } : { name: text };
  return await listCustomers(q, filters, own, { cursor: undefined, limit });
}
