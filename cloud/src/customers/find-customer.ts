import { eq, sql } from 'drizzle-orm';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { OwnRows } from '../http/caller.ts';
import type { CustomerRow } from './customer-store.ts';
import { customerTable as t } from './customer-table.ts';

const rowById = prepared((q) =>
  q
    .select()
    .from(t)
    .where(eq(t.id, sql.placeholder('id')))
    .prepare(),
);

/** A customer that the caller may see. */
export async function findCustomer(q: Queries, id: string, own: OwnRows): Promise<CustomerRow | null> {
  if (!own.all && own.customerId !== id) return null;
  return (await rowById(q).get({ id })) ?? null;
}

export async function findCustomerBySsn(q: Queries, ssn: string): Promise<CustomerRow | null> {
  return (await q.select().from(t).where(eq(t.ssn, ssn)).get()) ?? null;
}
