import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate, normalisePlate } from '@hlid/protocol/plate/plate';
import { issueToOwner } from '../../money/invoices/issue-to-owner.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { RegisteredVehicle } from '../../platform/vehicle-registry/vehicle-registry.ts';
import { vehicleByPermno, vehicleByPlate } from '../../records/vehicles/find-vehicles.ts';
import { publishVehicle } from '../../records/vehicles/publish-vehicle.ts';
import { categoryOf } from '../../records/vehicles/vehicle.ts';
import { moveCustody } from '../../records/vehicles/vehicle-custody.ts';
import { forgetAbsence, insertVehicle, updateVehicleRow } from '../../records/vehicles/vehicle-store.ts';
import type { VehicleRow } from '../../records/vehicles/vehicle-table.ts';
import { assignCategory } from '../../records/visits/assign-visits.ts';

/** A vehicle of which nothing is known but its plate. */
function bareVehicle(plate: string, at: UtcTime): VehicleRow {
  return {
    id: newId(),
    plate,
    plateFolded: foldPlate(plate),
    permno: null,
    vin: null,
    seats: null,
    passengers: null,
    vehicleCategory: null,
    vehicleGroup: null,
    useGroup: null,
    make: null,
    model: null,
    modelYear: null,
    color: null,
    massinro: null,
    massladen: null,
    taxGroup: null,
    registeredOn: null,
    country: null,
    operator: null,
    owner: null,
    category: null,
    source: null,
    syncedAt: null,
    overrides: null,
    overridesCreatedAt: null,
    overridesModifiedAt: null,
    createdAt: at,
    modifiedAt: at,
  };
}

/** The vehicle with that plate, made where it is not known yet. */
export async function vehicleOfPlate(tx: Tx, plate: string, at: UtcTime): Promise<VehicleRow> {
  const known = await vehicleByPlate(tx.q, plate);
  if (known !== null) return known;
  const vehicle = bareVehicle(plate, at);
  await insertVehicle(tx.q, vehicle);
  return vehicle;
}

/**
 * Stores a register's data of a vehicle. A plate that has moved to another vehicle is removed from the former
 * one: custody stays with the vehicle, not with the plate.
 *
 * @returns the vehicle as it is now
 */
export async function saveRegistered(
  tx: Tx,
  registered: RegisteredVehicle,
  source: string,
  at: UtcTime,
): Promise<VehicleRow> {
  const { regno, ...registration } = registered;
  const plate = normalisePlate(regno);
  const same = registration.permno === null ? null : await vehicleByPermno(tx.q, registration.permno);
  const holder = await vehicleByPlate(tx.q, plate);
  const moved = holder !== null && isAnother(holder, same, registration.permno);
  if (moved) await takePlate(tx, holder, at);
  const before = same ?? (moved ? null : holder);
  if (moved && same !== null && holder.permno === null) await moveCustody(tx, holder.id, same.id);
  const after: VehicleRow = {
    ...(before ?? bareVehicle(plate, at)),
    ...registration,
    plate,
    plateFolded: foldPlate(plate),
    source,
    syncedAt: at,
  };
  await forgetAbsence(tx.q, plate);
  return await saveVehicle(tx, before, after, at);
}

/** Writes a vehicle, and updates visits in hand and sites with what has changed for them. */
export async function saveVehicle(
  tx: Tx,
  before: VehicleRow | null,
  edited: VehicleRow,
  at: UtcTime,
): Promise<VehicleRow> {
  const changed = { ...edited, category: categoryOf(edited) };
  const isSame =
    before !== null && canonicalJson(before) === canonicalJson({ ...changed, syncedAt: before.syncedAt });
  const after = isSame ? changed : { ...changed, modifiedAt: at };
  if (before === null) await insertVehicle(tx.q, after);
  else await updateVehicleRow(tx.q, after);
  const [was, is] = [before?.plate ?? null, after.plate];
  if (was !== null && was !== is) await publishVehicle(tx, was, at);
  if (is !== null && (was !== is || before?.category !== after.category)) {
    await publishVehicle(tx, is, at);
    await assignCategory(tx, is, after.category, at);
  }
  if (is !== null && !isSame) await issueToOwner(tx, is, at);
  return after;
}

/** Whether the vehicle that has the plate here is not the one that has it by the register. */
function isAnother(holder: VehicleRow, same: VehicleRow | null, permno: string | null): boolean {
  if (same !== null) return holder.id !== same.id;
  return holder.permno !== null && permno !== null && holder.permno !== permno;
}

/** It is to be asked for by its fixed id, whatever its new plate is. */
async function takePlate(tx: Tx, holder: VehicleRow, at: UtcTime): Promise<void> {
  const bare = { plate: null, plateFolded: null, syncedAt: null, modifiedAt: at };
  await updateVehicleRow(tx.q, { ...holder, ...bare });
}
