import { nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Driver } from '@hlid/protocol/pages/driver-api';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { audit, cloudActor } from '../../people/audit/audit.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, lt, sql } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import {
  type DriverVehicleRow,
  findDriver,
  findVehicleOfDriver,
  vehiclesOf,
} from '../../records/drivers/driver-store.ts';
import { driverVehicleTable as t } from '../../records/drivers/driver-table.ts';
import { vehicleByPlate } from '../../records/vehicles/find-vehicles.ts';
import { FRESH_MS, isFresh } from '../../records/vehicles/vehicle.ts';
import { registeredRank } from '../../stays/charges/registered-driver.ts';
import { askRegistry, type Lookup, type LookupContext } from '../../vehicles/vehicles/ask-registry.ts';
import { movedMail, notRegisteredMail } from './charge/driver-mail.ts';
import {
  auditDriver,
  type DriverActor,
  type DriverResult,
  known,
  MAX_VEHICLES,
  refused,
  viewOf,
} from './drivers.ts';

/**
 * Adds a vehicle of which the register names the driver's electronic identity as operator or owner. It ends the payments
 * of another driver, unless the register names that one before this one.
 */
export async function addRegisteredVehicle(
  context: LookupContext,
  actor: DriverActor,
  typed: string,
): Promise<DriverResult<Driver>> {
  const plate = normalisePlate(typed);
  const asked = await lookUp(context, plate);
  if (asked.found === 'no-answer') return refused('no-register');
  return await context.db.write(async (tx) => {
    const { q } = tx;
    const driver = await known(q, actor.caller.driverId);
    const vehicle = asked.found === 'vehicle' ? await vehicleByPlate(q, plate) : null;
    const rank = vehicle && registeredRank(vehicle, driver.ssn);
    if (vehicle === null || rank === null) return refused('not-registered');
    const before = await findVehicleOfDriver(q, plate);
    const other =
      before === null || before.driverId === driver.id ? null : await findDriver(q, before.driverId);
    const otherRank =
      before?.proof === 'register' && other !== null ? registeredRank(vehicle, other.ssn) : null;
    if (otherRank !== null && otherRank < rank) return refused('wrong-proof');
    const isNew = before?.driverId !== driver.id;
    if (isNew && (await vehiclesOf(q, driver.id)).length >= MAX_VEHICLES) return refused('too-many-vehicles');
    const row = { driverId: driver.id, proof: 'register', visitId: null, provedAt: actor.at } as const;
    await q
      .insert(t)
      .values({ plate, ...row })
      .onConflictDoUpdate({ target: t.plate, set: row });
    if (other !== null) await queueMail(tx, movedMail(other, plate), actor.at);
    await auditDriver(tx, actor, 'driver.vehicle-add', { proof: row.proof, vehicleId: vehicle.id });
    return { ok: true, value: await viewOf(q, driver) };
  });
}

/** The register's data of a plate: from its answer of the last day, or by a new request. */
async function lookUp(context: LookupContext, plate: string): Promise<Lookup> {
  const { db, clock, vehicleRegistry: registry } = context;
  const vehicle = await db.read((q) => vehicleByPlate(q, plate));
  if (vehicle !== null && isFresh(vehicle, nowUtc(clock))) return { found: 'vehicle', vehicle };
  return registry === null ? { found: 'no-answer' } : await askRegistry(context, registry, { plate });
}

const EVERY_MS = 10 * MINUTE_MS;
const A_TIME = 50;

/** Asks the register once a day whether it still names the drivers who have proved vehicles by it, and ends their proofs. */
export function registerProofJob(context: LookupContext): ScheduledRun {
  return {
    name: 'register-proofs',
    everyMs: EVERY_MS,
    async work({ now, signal }) {
      for (const { plate } of await context.db.read((q) => toConfirm(q, now))) {
        if (signal.aborted) return;
        const asked = await lookUp(context, plate);
        if (asked.found === 'no-answer') return;
        await context.db.write((tx) => confirm(tx, plate, nowUtc(context.clock)));
      }
    },
  };
}

/** Proofs that the register has not confirmed for a day, the oldest first. */
async function toConfirm(q: Queries, now: UtcTime): Promise<{ plate: string }[]> {
  const staleAt = utcTime(millis(now) - FRESH_MS);
  return await q
    .select({ plate: t.plate })
    .from(t)
    // The condition matches the index's own, which a parameter would not.
    .where(and(sql`${t.proof} = 'register'`, lt(t.provedAt, staleAt)))
    .orderBy(asc(t.provedAt))
    .limit(A_TIME);
}

async function confirm(tx: Tx, plate: string, now: UtcTime): Promise<void> {
  const proof = await findVehicleOfDriver(tx.q, plate);
  if (proof?.proof !== 'register') return;
  const driver = await findDriver(tx.q, proof.driverId);
  const vehicle = await vehicleByPlate(tx.q, plate);
  if (driver !== null && vehicle !== null && registeredRank(vehicle, driver.ssn) !== null) {
    await tx.q.update(t).set({ provedAt: now }).where(eq(t.plate, plate));
    return;
  }
  await end(tx, proof, now);
  if (driver !== null) await queueMail(tx, notRegisteredMail(driver, plate), now);
}

async function end(tx: Tx, { plate, driverId: subjectId }: DriverVehicleRow, now: UtcTime): Promise<void> {
  await tx.q.delete(t).where(eq(t.plate, plate));
  const change = { subject: 'driver', subjectId, action: 'driver.vehicle-end', before: null } as const;
  await audit(tx, cloudActor('register-proofs', now), { ...change, after: { reason: 'not-registered' } });
}
