import type { Queries } from '../../platform/db/db.ts';
import { and, asc, eq, inArray, ne } from '../../platform/db/sql.ts';
import {
  type ChargeState,
  driverCardTable as card,
  driverChargeTable as charge,
  driverTable as driver,
  driverVehicleTable as vehicle,
} from './driver-table.ts';

export type DriverRow = typeof driver.$inferSelect;
export type DriverCardRow = typeof card.$inferSelect;
export type DriverVehicleRow = typeof vehicle.$inferSelect;
export type DriverChargeRow = typeof charge.$inferSelect;

/** Money that has moved, or may have. */
const SPENT: readonly ChargeState[] = ['charging', 'unknown', 'paid'];
const OPEN: readonly ChargeState[] = ['waiting', 'charging', 'unknown'];

export async function findDriver(q: Queries, id: string): Promise<DriverRow | null> {
  return (await q.select().from(driver).where(eq(driver.id, id)).get()) ?? null;
}

export async function findDriverByEmail(q: Queries, email: string): Promise<DriverRow | null> {
  return (await q.select().from(driver).where(eq(driver.email, email)).get()) ?? null;
}

export async function findDriverBySsn(q: Queries, ssn: string): Promise<DriverRow | null> {
  return (await q.select().from(driver).where(eq(driver.ssn, ssn)).get()) ?? null;
}

export async function findCard(q: Queries, driverId: string): Promise<DriverCardRow | null> {
  return (await q.select().from(card).where(eq(card.driverId, driverId)).get()) ?? null;
}

export async function vehiclesOf(q: Queries, driverId: string): Promise<DriverVehicleRow[]> {
  return await q.select().from(vehicle).where(eq(vehicle.driverId, driverId)).orderBy(asc(vehicle.plate));
}

export async function findVehicleOfDriver(q: Queries, plate: string): Promise<DriverVehicleRow | null> {
  return (await q.select().from(vehicle).where(eq(vehicle.plate, plate)).get()) ?? null;
}

/** The driver who is charged automatically for a plate; null: there is none now. */
export async function payerOfPlate(q: Queries, plate: string): Promise<string | null> {
  const row = await q
    .select({ id: driver.id, pausedFor: driver.pausedFor, caps: driver.caps })
    .from(vehicle)
    .innerJoin(driver, eq(driver.id, vehicle.driverId))
    .innerJoin(card, eq(card.driverId, driver.id))
    .where(eq(vehicle.plate, plate))
    .get();
  return row !== undefined && row.pausedFor === null && row.caps !== null ? row.id : null;
}

export async function insertCharge(q: Queries, row: typeof charge.$inferInsert): Promise<void> {
  await q.insert(charge).values(row);
}

export async function updateCharge(
  q: Queries,
  id: string,
  fields: Partial<Omit<DriverChargeRow, 'id'>>,
): Promise<void> {
  await q.update(charge).set(fields).where(eq(charge.id, id));
}

export async function findCharge(q: Queries, id: string): Promise<DriverChargeRow | null> {
  return (await q.select().from(charge).where(eq(charge.id, id)).get()) ?? null;
}

/** Whether a charge of a visit has not ended. */
export async function hasOpenCharge(q: Queries, visitId: string): Promise<boolean> {
  const { id, visitId: visit, state } = charge;
  const found = await q
    .select({ id })
    .from(charge)
    .where(and(eq(visit, visitId), inArray(state, [...OPEN])))
    .limit(1);
  return found.length > 0;
}

/** Whether a visit has a charge that was, or will be, refused for a reason. */
export async function hasCharge(q: Queries, visitId: string, reason: string): Promise<boolean> {
  const found = await q
    .select({ id: charge.id })
    .from(charge)
    .where(and(eq(charge.visitId, visitId), eq(charge.reason, reason)))
    .limit(1);
  return found.length > 0;
}

/** Whether the driver got a mail about a charge of a visit. */
export async function wasMailed(
  q: Queries,
  { driverId, visitId }: Pick<DriverChargeRow, 'driverId' | 'visitId'>,
): Promise<boolean> {
  const found = await q
    .select({ id: charge.id })
    .from(charge)
    .where(and(eq(charge.visitId, visitId), eq(charge.driverId, driverId), charge.mailed))
    .limit(1);
  return found.length > 0;
}

export async function hasUnknownCharge(q: Queries, driverId: string, but = ''): Promise<boolean> {
  const found = await q
    .select({ id: charge.id })
    .from(charge)
    .where(and(eq(charge.driverId, driverId), eq(charge.state, 'unknown'), ne(charge.id, but)))
    .limit(1);
  return found.length > 0;
}

/** The sums that have been charged to a driver: for one stay, and on one day. */
export async function spentBy(
  q: Queries,
  driverId: string,
  { visitId, day }: { visitId: string; day: string },
): Promise<{ stayMinor: number; dayMinor: number }> {
  const rows = await q
    .select({ visitId: charge.visitId, day: charge.day, amountMinor: charge.amountMinor })
    .from(charge)
    .where(and(eq(charge.driverId, driverId), inArray(charge.state, [...SPENT])));
  const sum = (some: typeof rows) => some.reduce((total, { amountMinor }) => total + amountMinor, 0);
  return {
    stayMinor: sum(rows.filter((row) => row.visitId === visitId)),
    dayMinor: sum(rows.filter((row) => row.day === day)),
  };
}
