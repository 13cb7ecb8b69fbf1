import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { audit } from '../../people/audit/audit.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused } from '../../platform/refused.ts';
import { type OverrideEdit, withEdit } from '../../records/vehicles/vehicle-override.ts';
import type { VehicleRow } from '../../records/vehicles/vehicle-table.ts';
import { saveVehicle, vehicleOfPlate } from './save-vehicle.ts';
import { findVehicle } from './vehicle-lookup.ts';

/** No plate is longer, in any spelling. */
const LONGEST_PLATE = 20;

/**
 * Sets fields of a vehicle against the register, or takes that off again. A plate that is not known yet may have
 * overrides too.
 */
export async function overrideVehicle(
  db: Db,
  actor: Actor,
  text: string,
  edit: OverrideEdit,
): Promise<{ ok: true; vehicle: VehicleRow } | Refused> {
  return await db.write(async (tx) => {
    const known = await findVehicle(tx.q, text);
    const plate = normalisePlate(text);
    if (known === null && (plate === '' || text.length > LONGEST_PLATE)) return NOT_FOUND;
    const before = known ?? (await vehicleOfPlate(tx, plate, actor.at));
    const overrides = withEdit(before.overrides, edit);
    if (canonicalJson(overrides) === canonicalJson(before.overrides)) return { ok: true, vehicle: before };
    const edited: VehicleRow = {
      ...before,
      overrides,
      overridesCreatedAt: overrides === null ? null : (before.overridesCreatedAt ?? actor.at),
      overridesModifiedAt: overrides === null ? null : actor.at,
    };
    const vehicle = await saveVehicle(tx, before, edited, actor.at);
    await audit(tx, actor, {
      action: 'vehicle.override',
      subject: 'vehicle',
      subjectId: vehicle.id,
      before: before.overrides,
      after: overrides,
    });
    return { ok: true, vehicle };
  });
}
