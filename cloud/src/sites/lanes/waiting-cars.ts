import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { comparePlates, foldPlate } from '@hlid/protocol/plate/plate';
import { MIN_NEAR_TYPED, nearKeys } from '@hlid/protocol/plate/plate-search';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { passageDecisionTable } from '../../records/passages/passage-table.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';

/** More than a driver looks through. */
const MAX_NEAR = 10;

/** Whether its car waits at a closed exit for the payment of this visit, by the last decision there. */
export async function waitsAtExit(
  q: Queries,
  { id, endedAt }: VisitRow,
  site: ChosenSite,
  now: UtcTime,
): Promise<boolean> {
  if (endedAt !== null) return false;
  const { visitId, passageId, direction, at, open, reason } = passageDecisionTable;
  const newest = async (condition: SQL | undefined) =>
    await q
      .select({ passageId, at, open, reason })
      .from(passageDecisionTable)
      .where(condition)
      .orderBy(desc(at), desc(sql`${passageDecisionTable}.rowid`))
      .limit(1);
  const [asked] = await newest(and(eq(visitId, id), eq(direction, 'exit')));
  // It may have been let out since, without its visit.
  const [last] = asked ? await newest(eq(passageId, asked.passageId)) : [];
  if (last === undefined || last.open || last.reason !== 'need-payment') return false;
  return millis(now) - millis(last.at) < site.settings.exitWaitMinutes * MINUTE_MS;
}

const askedNear = prepared((q) =>
  q
    .select()
    .from(v)
    .where(
      and(
        isNull(v.endedAt),
        eq(v.status, sql`'need-payment'`),
        sql`${v.plateFolded} IN (SELECT value FROM json_each(${sql.placeholder('keys')}))`,
      ),
    )
    .limit(MAX_NEAR)
    .prepare(),
);

/** Visits of cars that wait at an exit whose plate is near: the driver, or the camera, has one character wrong. */
export async function visitsWaitingNear(q: Queries, typed: string, now: UtcTime): Promise<VisitRow[]> {
  if (typed.length < MIN_NEAR_TYPED) return [];
  const keys = JSON.stringify([foldPlate(typed), ...nearKeys(typed)]);
  const waiting: VisitRow[] = [];
  for (const row of await askedNear(q).all({ keys })) {
    if (row.plate === null || comparePlates(row.plate, typed) !== 'near') continue;
    if (await waitsAtExit(q, row, await siteOfVisit(q, row), now)) waiting.push(row);
  }
  return waiting;
}
