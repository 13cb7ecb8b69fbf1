import type { VehicleItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, asc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { customerTable } from '../customers/customer-table.ts';
import type { Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { custodianTable as t } from './custodian-table.ts';

const ahead = prepared((q) =>
  q
    .select({
      customerId: t.customerId,
      billing: customerTable.billingMethod,
      from: t.dateFrom,
      until: t.dateTo,
    })
    .from(t)
    .leftJoin(customerTable, eq(customerTable.id, t.customerId))
    .where(
      and(
        eq(t.vehicleId, sql.placeholder('vehicleId')),
        or(isNull(t.dateTo), gt(t.dateTo, sql.placeholder('now'))),
        // What was released before it began lasts no time at all.
        sql`${t.dateFrom} IS NOT ${t.dateTo}`,
      ),
    )
    .orderBy(asc(t.dateFrom))
    .prepare(),
);

/** Who has a vehicle from now on, in order, as sites need to know it. */
export async function custodyAhead(
  q: Queries,
  vehicleId: string,
  now: UtcTime,
): Promise<VehicleItem['custody']> {
  return await ahead(q).all({ vehicleId, now });
}
