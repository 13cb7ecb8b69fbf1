import type { VehicleCategory } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../db/db.ts';
import { recordEvent } from '../../integration-events/record-event.ts';
import { visitTable as t } from './visit-table.ts';

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
