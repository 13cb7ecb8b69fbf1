import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { blankAudit } from '../../people/audit/blank-audit.ts';
import type { Db } from '../../platform/db/db.ts';
import { and, asc, inArray, isNull, lt, sql } from '../../platform/db/sql.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { custodianTable } from '../../records/vehicles/custodian-table.ts';
import { vehicleTable as t } from '../../records/vehicles/vehicle-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { inTurns } from './in-turns.ts';
import { logErased, retentionActor } from './retention-log.ts';

/**
 * Erases a register's data of vehicles, such as their owners' names and national ids. The vehicles are those
 * that are not in custody, that no visit names any more, and that people here have entered nothing about.
 * @returns the number of vehicles
 */
export async function eraseVehicles(
  db: Db,
  when: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  const { before, now } = when;
  return await db.write(async (tx) => {
    const unused = and(
      lt(t.createdAt, before),
      isNull(t.overrides),
      sql`NOT EXISTS (SELECT 1 FROM ${custodianTable} WHERE ${custodianTable.vehicleId} = ${t.id})`,
      sql`NOT EXISTS (SELECT 1 FROM ${visitTable} WHERE ${visitTable.plate} = ${t.plate})`,
    );
    const vehicles = await tx.q
      .select({ id: t.id, plate: t.plate })
      .from(t)
      .where(unused)
      .orderBy(asc(t.createdAt))
      .limit(limit);
    await inTurns(vehicles, async (some) => {
      for (const { plate } of some) {
        if (plate !== null) await publishChange(tx, 'all', { kind: 'vehicle', op: 'remove', id: plate });
      }
    });
    const ids = vehicles.map(({ id }) => id);
    if (ids.length > 0) await tx.q.delete(t).where(inArray(t.id, ids));
    await blankAudit(tx.q, 'vehicle', ids);
    await logErased(tx, { kind: 'vehicle', rows: ids.length, before }, retentionActor(now));
    return ids.length;
  });
}
