import { DAY_MS, MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import { and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import { publishVehicle } from '../vehicles/publish-vehicle.ts';
import { vehicleTable } from '../vehicles/vehicle-table.ts';
import { assignCustomer } from '../visits/assign-customer.ts';
import { visitTable } from '../visits/visit-table.ts';
import { custodianTable as t } from './custodian-table.ts';

const EVERY_MS = MINUTE_MS;
/** What turned longer ago was seen to by an earlier run. */
const LATELY_MS = DAY_MS;

/**
 * Sees to custody that begins or ends by its date: a visit in hand becomes the customer's when it begins, and sites
 * need not hold what is over. Whoever reads a date goes by it at once; this only tidies up behind.
 */
export function custodyTurning(db: Db): ScheduledRun {
  return {
    name: 'custody-turning',
    everyMs: EVERY_MS,
    async work({ now }) {
      const since = utcTime(millis(now) - LATELY_MS);
      const begun = await db.read(async (q) => {
        return await q
          .selectDistinct({
            plate: vehicleTable.plate,
            customerId: t.customerId,
            from: t.dateFrom,
            until: t.dateTo,
          })
          .from(t)
          .innerJoin(vehicleTable, eq(vehicleTable.id, t.vehicleId))
          .innerJoin(visitTable, eq(visitTable.plate, vehicleTable.plate))
          .where(
            and(
              gt(t.dateFrom, since),
              lte(t.dateFrom, now),
              or(isNull(t.dateTo), gt(t.dateTo, now)),
              isNull(visitTable.endedAt),
              sql`${visitTable.customerId} IS NOT ${t.customerId}`,
            ),
          );
      });
      const over = await db.read(async (q) => {
        return await q
          .selectDistinct({ plate: vehicleTable.plate })
          .from(t)
          .innerJoin(vehicleTable, eq(vehicleTable.id, t.vehicleId))
          .where(and(gt(t.dateTo, since), lte(t.dateTo, now), isNotNull(vehicleTable.plate)));
      });
      if (begun.length + over.length === 0) return;
      await db.write(async (tx) => {
        for (const { plate, customerId, ...period } of begun) {
          if (plate !== null) await assignCustomer(tx, plate, customerId, period, now);
        }
        for (const { plate } of over) {
          if (plate !== null) await publishVehicle(tx, plate, now);
        }
      });
    },
  };
}
