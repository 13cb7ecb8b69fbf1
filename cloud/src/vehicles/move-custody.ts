import { eq } from 'drizzle-orm';
import { overlappingCustody } from '../custody/custodian-store.ts';
import type { Tx } from '../db/db.ts';
import { custodianTable as t } from './custodian-table.ts';

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
