import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import type { Tx } from '../../platform/db/db.ts';
import { and, eq, gte, isNull, lt, sql } from '../../platform/db/sql.ts';
import { recordEvent } from '../integration-events/record-event.ts';
import { visitTable as t } from './visit-table.ts';

/**
 * Gives visits of a plate to the customer who has the vehicle for a time: those that began within it and have no
 * customer yet. Visits that began before stay as they are: a stay, its pictures and its price reveal where a stranger was.
 *
 * @param period `until` null: until further notice
 */
export async function assignCustomer(
  tx: Tx,
  plate: string,
  customerId: string,
  period: { from: UtcTime; until: UtcTime | null },
  now: UtcTime,
): Promise<void> {
  const { from, until } = period;
  const visits = await tx.q
    .update(t)
    .set({ customerId, modifiedAt: now })
    .where(
      and(
        eq(t.plate, plate),
        isNull(t.customerId),
        gte(t.startedAt, from),
        until === null ? undefined : lt(t.startedAt, until),
      ),
    )
    .returning({ id: t.id, siteId: t.siteId });
  for (const { id, siteId } of visits) {
    await recordEvent(tx, { type: 'visit.updated', subjectId: id, siteId, at: now });
  }
}

/** Notes what kind of vehicle is on a visit in hand of that plate. */
export async function assignCategory(
  tx: Tx,
  plate: string,
  vehicleCategory: VehicleCategory | null,
  now: UtcTime,
): Promise<void> {
  const visits = await tx.q
    .update(t)
    .set({ vehicleCategory, modifiedAt: now })
    .where(and(eq(t.plate, plate), isNull(t.endedAt), sql`${t.vehicleCategory} IS NOT ${vehicleCategory}`))
    .returning({ id: t.id, siteId: t.siteId });
  for (const { id, siteId } of visits) {
    await recordEvent(tx, { type: 'visit.updated', subjectId: id, siteId, at: now });
  }
}
