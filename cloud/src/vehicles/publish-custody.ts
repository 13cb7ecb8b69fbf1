import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, eq, gt, isNotNull, isNull, or } from 'drizzle-orm';
import type { Tx } from '../db/db.ts';
import { custodianTable as t } from './custodian-table.ts';
import { publishVehicle } from './publish-vehicle.ts';
import { vehicleTable } from './vehicle-table.ts';

/** Tells sites anew of every vehicle in a customer's custody, now or later: its billing has changed. */
export async function publishCustodyOf(tx: Tx, customerId: string, now: UtcTime): Promise<void> {
  const held = await tx.q
    .selectDistinct({ plate: vehicleTable.plate })
    .from(t)
    .innerJoin(vehicleTable, eq(vehicleTable.id, t.vehicleId))
    .where(
      and(
        eq(t.customerId, customerId),
        or(isNull(t.dateTo), gt(t.dateTo, now)),
        isNotNull(vehicleTable.plate),
      ),
    );
  for (const { plate } of held) {
    if (plate !== null) await publishVehicle(tx, plate, now);
  }
}
