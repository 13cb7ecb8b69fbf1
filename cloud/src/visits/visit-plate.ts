import { foldPlate } from '@hlid/protocol/plate';
import type { Actor } from '../audit/audit.ts';
import { customerOfPlate } from '../custody/customer-of-plate.ts';
import type { Queries, Tx } from '../db/db.ts';
import { categoryOfPlate } from '../vehicles/category-of-plate.ts';
import { followPlate } from '../whitelist/follow-plate.ts';
import type { VisitRow } from './visit-view.ts';

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

/** A visit whose plate a person has corrected; what covers it goes with it. @param n of the edit in the site's feed */
export async function withPlate(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  plate: string,
  n: number,
): Promise<VisitRow> {
  await followPlate(tx, actor, visit.id, plate);
  return {
    ...visit,
    ...(await plateFields(tx.q, plate, visit.startedAt)),
    plateEditedAt: n,
    flags: visit.flags.filter((flag) => flag !== 'unreadable-plate'),
    ...(visit.status === 'need-plate' ? { status: 'new', statusEditedAt: n } : {}),
  };
}
