import { type Decision, decideNotMine, visitInDoubt } from '@hlid/protocol/decision';
import type { DoubtfulCar } from '@hlid/protocol/doubtful-car';
import type { Direction } from '@hlid/protocol/lane';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import { visitChange } from '@hlid/protocol/visit-transitions';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { eqPlaceholder } from '../db/compact-columns.ts';
import type { Queries, Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { fromNewRow, preparedInsert } from '../db/prepared-insert.ts';
import { siteById } from '../sites/choose-site.ts';
import { visitTable } from '../visits/record/visit-table.ts';
import { hasEdge } from './cloud-lane.ts';
import { doubtfulCarTable as t } from './doubtful-car-table.ts';
import { noteDecision } from './lane.ts';
import { passageById, savePassage } from './lane-passage.ts';
import { openSiteVisit, storeChange } from './lane-visits.ts';

/** Longer than any site has a car wait. */
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS;

export interface WaitingInDoubt extends DoubtfulCar {
  siteId: string;
  laneId: string;
  passageId: string;
}

const upsert = preparedInsert(t, {
  target: [t.siteId, t.laneId],
  set: fromNewRow(t, 'passageId', 'visitId', 'plate', 'at'),
});

const forget = prepared((q) =>
  q
    .delete(t)
    .where(and(eqPlaceholder(t.siteId, 'siteId'), eq(t.laneId, sql.placeholder('laneId'))))
    .prepare(),
);

/** Notes the decision of an exit: its car waits in doubt, or another one is there now. */
export async function noteDoubt(
  q: Queries,
  lane: { siteId: string; laneId: string; at: UtcTime },
  passage: { passageId: string; direction: Direction; plate: string | null; decision: Decision },
): Promise<void> {
  if (passage.direction !== 'exit') return;
  const { siteId, laneId, at } = lane;
  const { passageId, plate, decision } = passage;
  const visitId = visitInDoubt(decision);
  if (visitId === null) await forget(q).run({ siteId, laneId });
  else await upsert(q, { siteId, laneId, passageId, visitId, plate, at });
}

/** Cars that wait at exits, of all sites, for visits that may not be their own. */
export async function carsInDoubt(q: Queries, now: UtcTime): Promise<WaitingInDoubt[]> {
  const rows = await q
    .select({ car: t, visitPlate: visitTable.plate })
    .from(t)
    .innerJoin(visitTable, and(eq(visitTable.id, t.visitId), isNull(visitTable.endedAt)))
    .where(gt(t.at, utcTime(millis(now) - MAX_WAIT_MS)));
  const cars: WaitingInDoubt[] = [];
  for (const { car, visitPlate } of rows) {
    const { siteId, laneId, passageId, visitId, plate, at } = car;
    const site = await siteById(q, siteId);
    const waitsMs = (site?.settings.exitWaitMinutes ?? 0) * MINUTE_MS;
    if (visitPlate === null || millis(now) - millis(at) > waitsMs) continue;
    const readPlates = plate === null ? [] : [plate];
    cars.push({ siteId, laneId, passageId, visitId, visitPlate, readPlates });
  }
  return cars;
}

/**
 * Lets out a car that a lane without an edge daemon keeps in doubt, whose driver disputes the visit: the
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
