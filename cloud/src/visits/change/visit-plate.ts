import { foldPlate } from '@hlid/protocol/plate';
import type { Queries } from '../../db/db.ts';
import { categoryOfPlate } from '../../vehicles/category-of-plate.ts';
import { customerOfPlate } from '../../vehicles/customer-of-plate.ts';
import type { VisitRow } from '../list/visit-view.ts';

/** All that goes with a visit's plate: how it is found, whose the visit is, and what kind of vehicle. */
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
