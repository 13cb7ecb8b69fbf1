import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { comparePlates, foldPlate } from '@hlid/protocol/plate/plate';
import { MIN_NEAR_TYPED, nearKeys } from '@hlid/protocol/plate/plate-search';
import { waitsAtGate } from '@hlid/protocol/rules/car-at-gate';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, desc, eq, gt, isNull, ne, or, type SQL, sql } from '../../platform/db/sql.ts';
import { passageDecisionTable as d } from '../../records/passages/passage-table.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';

/** More than a driver looks through. */
const MAX_NEAR = 10;

/** Whether its car waits at a closed exit for the payment of this visit, by the decisions of the site's lanes. */
export async function waitsAtExit(
  q: Queries,
  { id, endedAt }: VisitRow,
  site: ChosenSite,
  now: UtcTime,
): Promise<boolean> {
  if (endedAt !== null) return false;
  const asked = await newestDecision(q, and(eq(d.visitId, id), eq(d.direction, 'exit')));
  if (asked === undefined) return false;
  const ofSite = eq(d.siteId, asked.siteId);
  // It may have been let out since, without its visit, and another car may stand there by now.
  const last = await newestDecision(q, and(ofSite, eq(d.laneId, asked.laneId)));
  if (last?.passageId !== asked.passageId || last.reason !== 'need-payment') return false;
  const isOfCar = or(eq(d.visitId, id), last.plate === null ? undefined : eq(d.plate, last.plate));
  const elsewhere = await newestDecision(
    q,
    and(ofSite, ne(d.laneId, last.laneId), gt(d.at, last.at), isOfCar),
  );
  return waitsAtGate(
    { open: last.open, seenAt: last.at },
    {
      direction: 'exit',
      onLoop: null,
      settings: site.settings,
      movedOn: () => elsewhere !== undefined,
    },
    now,
  );
}

async function newestDecision(
  q: Queries,
  condition: SQL | undefined,
): Promise<typeof d.$inferSelect | undefined> {
  const [newest] = await q
    .select()
    .from(d)
    .where(condition)
    .orderBy(desc(d.at), desc(sql`${d}.rowid`))
    .limit(1);
  return newest;
}

const findNear = prepared((q) =>
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

/**
 * Visits of cars with a similar plate that wait at an exit: the driver, or the camera, has one character
 * wrong.
 */
export async function visitsWaitingNear(q: Queries, typed: string, now: UtcTime): Promise<VisitRow[]> {
  if (typed.length < MIN_NEAR_TYPED) return [];
  const keys = JSON.stringify([foldPlate(typed), ...nearKeys(typed)]);
  const waiting: VisitRow[] = [];
  for (const row of await findNear(q).all({ keys })) {
    if (row.plate === null || comparePlates(row.plate, typed) !== 'near') continue;
    if (await waitsAtExit(q, row, await siteOfVisit(q, row), now)) waiting.push(row);
  }
  return waiting;
}
