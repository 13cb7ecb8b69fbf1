import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { VehicleItem } from '@hlid/protocol/site-link/site-change';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, eqPlaceholder, gt, isNull, lt, ne, or, sql } from '../../platform/db/sql.ts';
import { customerTable } from '../customers/customer-table.ts';
import { type CustodianRow, custodianTable as t } from './custodian-table.ts';

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
        eqPlaceholder(t.vehicleId, 'vehicleId'),
        or(isNull(t.dateTo), gt(t.dateTo, sql.placeholder('now'))),
        // A custody that was released before it began lasts no time at all.
        sql`${t.dateFrom} IS NOT ${t.dateTo}`,
      ),
    )
    .orderBy(asc(t.dateFrom))
    .prepare(),
);

/** The custodies of a vehicle from now on, in order, as sites need them. */
export async function custodyAhead(
  q: Queries,
  vehicleId: string,
  now: UtcTime,
): Promise<VehicleItem['custody']> {
  return await ahead(q).all({ vehicleId, now });
}

/** Other custodies of the vehicle that share a moment with this one, in order. */
export async function overlappingCustody(
  q: Queries,
  { id, vehicleId, dateFrom, dateTo }: Pick<CustodianRow, 'id' | 'vehicleId' | 'dateFrom' | 'dateTo'>,
): Promise<CustodianRow[]> {
  return await q
    .select()
    .from(t)
    .where(
      and(
        eq(t.vehicleId, vehicleId),
        ne(t.id, id),
        or(isNull(t.dateTo), gt(t.dateTo, dateFrom)),
        dateTo === null ? undefined : lt(t.dateFrom, dateTo),
        // A custody that was released before it began lasts no time at all.
        sql`${t.dateFrom} IS NOT ${t.dateTo}`,
      ),
    )
    .orderBy(t.dateFrom);
}

/**
 * Gives one vehicle the custody of another that turned out to be the same. What overlaps the vehicle's own stays
 * behind.
 */
export async function moveCustody(tx: Tx, fromVehicleId: string, toVehicleId: string): Promise<void> {
  const moving = await tx.q.select().from(t).where(eq(t.vehicleId, fromVehicleId));
  for (const custody of moving) {
    const inTheWay = await overlappingCustody(tx.q, { ...custody, vehicleId: toVehicleId });
    if (inTheWay.length > 0) continue;
    await tx.q.update(t).set({ vehicleId: toVehicleId }).where(eq(t.id, custody.id));
  }
}
