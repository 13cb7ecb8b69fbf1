import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db } from '../../platform/db/db.ts';
import { and, asc, inArray, isNull, lt, sql } from '../../platform/db/sql.ts';
import { driverCardTable, driverChargeTable, driverTable as t } from '../../records/drivers/driver-table.ts';
import { logErased, retentionActor } from './retention-log.ts';

interface When {
  before: UtcTime;
  now: UtcTime;
}

/** Erases drivers without a card who have not logged in lately, and with them their vehicles and sessions. */
export async function eraseDrivers(db: Db, { before, now }: When, limit: number): Promise<number> {
  return await db.write(async (tx) => {
    const hasNoCard = sql`NOT EXISTS (SELECT 1 FROM ${driverCardTable} WHERE ${driverCardTable.driverId} = ${t.id})`;
    const unused = tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(lt(t.usedAt, before), hasNoCard))
      .orderBy(asc(t.usedAt))
      .limit(limit);
    const erased = await tx.q.delete(t).where(inArray(t.id, unused)).returning({ id: t.id });
    await logErased(tx, { kind: 'driver', rows: erased.length, before }, retentionActor(now));
    return erased.length;
  });
}

/** Erases what was charged to drivers as long ago as visits lose their plates; payments and invoices stay. */
export async function eraseDriverCharges(db: Db, { before, now }: When, limit: number): Promise<number> {
  const { id, createdAt, dueAt } = driverChargeTable;
  return await db.write(async (tx) => {
    const old = tx.q
      .select({ id })
      .from(driverChargeTable)
      .where(and(lt(createdAt, before), isNull(dueAt)))
      .orderBy(asc(createdAt))
      .limit(limit);
    const erased = await tx.q.delete(driverChargeTable).where(inArray(id, old)).returning({ id });
    await logErased(tx, { kind: 'driver', rows: erased.length, before }, retentionActor(now));
    return erased.length;
  });
}
