import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { type Decision, visitInDoubt } from '@hlid/protocol/records/decision';
import type { Direction } from '@hlid/protocol/records/lane';
import type { DoubtfulCar } from '@hlid/protocol/rules/doubtful-car';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { fromNewRow, preparedInsert } from '../../platform/db/prepared-insert.ts';
import { and, eq, eqPlaceholder, gt, isNull } from '../../platform/db/sql.ts';
import { doubtfulCarTable as t } from '../../records/lanes/doubtful-car-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { visitTable } from '../../records/visits/visit-table.ts';

/** The time is longer than any site lets a car wait. */
const MAX_WAIT_MS = DAY_MS;

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
    .where(and(eqPlaceholder(t.siteId, 'siteId'), eqPlaceholder(t.laneId, 'laneId')))
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
