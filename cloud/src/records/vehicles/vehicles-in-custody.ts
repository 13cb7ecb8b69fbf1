import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gt, isNull, lte, or, type SQL, sql } from '../../platform/db/sql.ts';
import { custodianTable as t } from './custodian-table.ts';

/**
 * A subquery: the ids of vehicles in custody at a moment.
 *
 * @param customerId the customer that has them in custody; null: no customer, so none
 */
export function vehiclesInCustody(at: UtcTime, customerId?: string | null): SQL {
  return sql`SELECT ${t.vehicleId} FROM ${t} WHERE ${and(whose(customerId), covers(at))}`;
}

/** Whether a customer has a vehicle at a moment. */
export async function isInCustody(
  q: Queries,
  vehicleId: string,
  at: UtcTime,
  customerId: string | null,
): Promise<boolean> {
  const found = await q
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.vehicleId, vehicleId), whose(customerId), covers(at)))
    .limit(1)
    .get();
  return found !== undefined;
}

function whose(customerId: string | null | undefined): SQL | undefined {
  if (customerId === undefined) return undefined;
  return customerId === null ? sql`0` : eq(t.customerId, customerId);
}

function covers(at: UtcTime): SQL | undefined {
  return and(lte(t.dateFrom, at), or(isNull(t.dateTo), gt(t.dateTo, at)));
}
