import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { vehicleByPlate } from '../../records/vehicles/find-vehicles.ts';
import { FRESH_MS, holdersOf } from '../../records/vehicles/vehicle.ts';
import type { VehicleRow } from '../../records/vehicles/vehicle-table.ts';

/**
 * The register is asked again after a day. If it has not answered for another one, no card is charged by its
 * answer.
 */
const MAX_AGE_MS = 2 * FRESH_MS;

/**
 * The place of a person among those whom the register names for a vehicle: the operator before the owner. Null:
 * it names others.
 */
export function registeredRank(vehicle: VehicleRow, ssn: string | null): number | null {
  const rank = holdersOf(vehicle).findIndex((holder) => holder.ssn?.replace(/\D/g, '') === ssn);
  return ssn === null || rank === -1 ? null : rank;
}

/** Whether the register names a person for a plate, by an answer that is not too old to charge a card by. */
export async function isRegistered(
  q: Queries,
  { plate, ssn }: { plate: string; ssn: string | null },
  now: UtcTime,
): Promise<boolean> {
  const vehicle = await vehicleByPlate(q, plate);
  if (vehicle === null || vehicle.syncedAt === null) return false;
  return registeredRank(vehicle, ssn) !== null && millis(now) - millis(vehicle.syncedAt) < MAX_AGE_MS;
}
