import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db } from '../../../platform/db/db.ts';
import { and, eq, gt, isNotNull, lte } from '../../../platform/db/sql.ts';
import type { ScheduledRun } from '../../../platform/jobs/scheduled-runs.ts';
import { custodianTable as t } from '../../../records/vehicles/custodian-table.ts';
import { publishVehicle } from '../../../records/vehicles/publish-vehicle.ts';
import { vehicleTable } from '../../../records/vehicles/vehicle-table.ts';

const EVERY_MS = MINUTE_MS;
/** An earlier run has handled custodies that began or ended longer ago. */
const RECENT_MS = DAY_MS;

/**
 * Removes expired custody from the sites, which need not store it. All readers of the date apply it at
 * once; this only tidies up behind.
 */
export function custodyJob(db: Db): ScheduledRun {
  return {
    name: 'custody-turning',
    everyMs: EVERY_MS,
    async work({ now }) {
      const since = utcTime(millis(now) - RECENT_MS);
      const over = await db.read(async (q) => {
        return await q
          .selectDistinct({ plate: vehicleTable.plate })
          .from(t)
          .innerJoin(vehicleTable, eq(vehicleTable.id, t.vehicleId))
          .where(and(gt(t.dateTo, since), lte(t.dateTo, now), isNotNull(vehicleTable.plate)));
      });
      if (over.length === 0) return;
      await db.write(async (tx) => {
        for (const { plate } of over) {
          if (plate !== null) await publishVehicle(tx, plate, now);
        }
      });
    },
  };
}
