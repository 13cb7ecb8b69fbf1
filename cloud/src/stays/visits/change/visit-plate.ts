import { foldPlate } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../../platform/db/db.ts';
import { customerOfPlate } from '../../../records/vehicles/customer-of-plate.ts';
import { categoryOfPlate } from '../../../records/vehicles/priced-vehicle.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';

/** The fields that depend on a visit's plate: its search keys, its customer, and the kind of vehicle. */
export async function plateFields(
  q: Queries,
  plate: string | null,
  startedAt: string,
): Promise<Pick<VisitRow, 'plate' | 'plateFolded' | 'customerId' | 'vehicleCategory'>> {
  if (plate === null) return { plate, plateFolded: null, customerId: null, vehicleCategory: null };
  return {
    plate,
    plateFolded: foldPlate(plate),
    customerId: await customerOfPlate(q, plate, startedAt),
    vehicleCategory: await categoryOfPlate(q, plate),
  };
}
