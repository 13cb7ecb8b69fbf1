import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { decideNotMine } from '@hlid/protocol/records/decision';
import { visitChange } from '@hlid/protocol/rules/visit-transitions';
import type { Tx } from '../../platform/db/db.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { hasEdge } from './cloud-lane.ts';
import type { WaitingInDoubt } from './doubtful-cars.ts';
import { noteDecision } from './lane.ts';
import { passageById, savePassage } from './lane-passage.ts';
import { openSiteVisit, storeChange } from './lane-visits.ts';

/**
 * Lets out a car that a lane without an edge daemon keeps in doubt after its driver disputes the visit: the
 * next read of it is answered with an open gate. `at-site`: its site decides.
 */
export async function disownAtLane(
  tx: Tx,
  car: WaitingInDoubt,
  typed: string,
  at: UtcTime,
): Promise<'opened' | 'gone' | 'at-site'> {
  const site = await siteById(tx.q, car.siteId);
  if (site === null || (await hasEdge(tx.q, car.siteId))) return 'at-site';
  const passage = await passageById(tx.q, car.passageId);
  const lane = { site, id: car.laneId };
  const visit = await openSiteVisit(tx.q, lane, car.visitPlate, at);
  if (passage === null || visit === null || visit.id !== car.visitId) return 'gone';
  const flagged = { ...visit, flags: [...new Set([...visit.flags, 'not-mine' as const])] };
  await storeChange(tx, lane, visitChange(visit, flagged, { at, by: 'kiosk', reason: `not-mine: ${typed}` }));
  const opened = { ...passage, decision: decideNotMine(visit.id), visitId: null };
  await noteDecision(tx, { ...lane, direction: 'exit' }, opened, at);
  await savePassage(tx.q, opened);
  return 'opened';
}
