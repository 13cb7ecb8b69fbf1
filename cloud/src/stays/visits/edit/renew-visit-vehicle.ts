import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type Actor, ownRows } from '../../../platform/http/caller.ts';
import type { CloudContext } from '../../../platform/http/cloud-env.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../../platform/refused.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import { renewVehicle } from '../../../vehicles/vehicles/vehicle-lookup.ts';
import { VISIT_ACTIONS } from '../visit-actions.ts';

/** Asks the register again for the vehicle of a visit; a current visit has its category from then on. */
export async function renewVisitVehicle(
  context: CloudContext,
  actor: Actor,
  id: string,
): Promise<{ ok: true } | Refused> {
  const { db } = context;
  const visit = await db.read((q) => findVisitRow(q, id, ownRows(actor.caller)));
  if (visit === null) return NOT_FOUND;
  const why = VISIT_ACTIONS['renew-vehicle'].refuse({
    ...visit,
    hasRegistry: context.vehicleRegistry !== null,
  });
  if (why !== null || visit.plate === null) return refusedInput(why ?? mistake('no-plate-yet'));
  const renewed = await renewVehicle(db, context, visit.plate, actor);
  return renewed.ok ? { ok: true } : renewed;
}
