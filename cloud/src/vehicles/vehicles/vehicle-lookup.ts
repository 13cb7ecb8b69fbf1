import { nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { audit } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { type Refused, refusedInput } from '../../platform/refused.ts';
import type { VehicleRegistry } from '../../platform/vehicle-registry/vehicle-registry.ts';
import { vehicleById, vehicleByPermno, vehicleByPlate } from '../../records/vehicles/find-vehicles.ts';
import { isFresh, vehicleFrom } from '../../records/vehicles/vehicle.ts';
import { isAbsent } from '../../records/vehicles/vehicle-store.ts';
import type { VehicleRow } from '../../records/vehicles/vehicle-table.ts';
import { absenceKey, askRegistry, type Lookup, type LookupContext, type LookupKey } from './ask-registry.ts';

const UUID_LENGTH = 36;

/** A vehicle that is known here, by its plate in any spelling, its id, or its fixed id. */
export async function findVehicle(q: Queries, text: string): Promise<VehicleRow | null> {
  if (text.length === UUID_LENGTH) return await vehicleById(q, text);
  const plate = normalisePlate(text);
  if (plate === '') return null;
  return (await vehicleByPlate(q, plate)) ?? (await vehicleByPermno(q, plate));
}

/**
 * A vehicle by its plate in any spelling, its id, or its fixed id. An answer of the register from the last
 * day is good; an older one is returned at once and renewed behind it; without one, the register is asked
 * first.
 */
export async function lookUpVehicle(context: LookupContext, text: string): Promise<Lookup> {
  const { db, clock, vehicleRegistry: registry } = context;
  const known = await db.read((q) => findVehicle(q, text));
  const asIs: Lookup = known === null ? { found: 'nothing' } : { found: 'vehicle', vehicle: known };
  if (registry === null || (known !== null && isFresh(known, nowUtc(clock)))) return asIs;
  const by = await notAbsent(context, questions(known, text));
  if (known !== null && known.syncedAt !== null) {
    refreshBehind(context, registry, by);
    return asIs;
  }
  for (const one of by) {
    const asked = await askRegistry(context, registry, one);
    if (asked.found === 'vehicle') return asked;
    if (asked.found === 'no-answer') return known === null ? asked : asIs;
  }
  return asIs;
}

/** Asks the register for a plate, however lately it has answered. */
export async function renewVehicle(
  db: Db,
  context: Omit<LookupContext, 'db'>,
  plate: string,
  actor: Actor,
): Promise<{ ok: true; vehicle: VehicleRow } | Refused> {
  const { vehicleRegistry: registry } = context;
  if (registry === null) return refusedInput(mistake('no-registry'));
  const before = await db.read((q) => findVehicle(q, plate));
  const asked = await askRegistry({ ...context, db }, registry, { plate: normalisePlate(plate) });
  if (asked.found === 'nothing') return refusedInput(mistake('not-in-registry'));
  if (asked.found === 'no-answer') return refusedInput(mistake('registry-silent'));
  const { vehicle } = asked;
  await db.write(async (tx) => {
    await audit(tx, actor, {
      action: 'vehicle.renew',
      subject: 'vehicle',
      subjectId: vehicle.id,
      before: before && vehicleFrom(before, actor.at),
      after: vehicleFrom(vehicle, actor.at),
    });
  });
  return { ok: true, vehicle };
}

/** The questions to the register, in their order. */
function questions(known: VehicleRow | null, text: string): LookupKey[] {
  if (known !== null) {
    if (known.plate !== null) return [{ plate: known.plate }];
    return known.permno === null ? [] : [{ id: known.permno }];
  }
  const plate = normalisePlate(text);
  // An id in the cloud's own form that it does not have exists nowhere.
  return plate === '' || text.length === UUID_LENGTH ? [] : [{ plate }, { id: plate }];
}

async function notAbsent({ db, clock }: LookupContext, by: readonly LookupKey[]): Promise<LookupKey[]> {
  const now = nowUtc(clock);
  return await db.read(async (q) => {
    const left: LookupKey[] = [];
    for (const one of by) {
      if (!(await isAbsent(q, absenceKey(one), now))) left.push(one);
    }
    return left;
  });
}

function refreshBehind(context: LookupContext, registry: VehicleRegistry, by: readonly LookupKey[]): void {
  for (const one of by) {
    askRegistry(context, registry, one).catch((error: unknown) => {
      context.log.error(
        { event: EVENTS.registryFailed, source: registry.source, err: error },
        messageOf(error),
      );
    });
  }
}
