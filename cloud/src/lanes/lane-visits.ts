import { randomUUID } from 'node:crypto';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import {
  type ChangeContext,
  changePlate,
  changesToClear,
  type VisitChange,
  visitChange,
  visitStep,
} from '@hlid/protocol/visit-transitions';
import type { Queries, Tx } from '../db/db.ts';
import { readHead } from '../feed/feed-store.ts';
import { ALL_ROWS } from '../http/caller.ts';
import { siteVisit } from '../visits/change/add-visit.ts';
import { takeVisit } from '../visits/intake/ingest-visit.ts';
import { openVisitOf } from '../visits/record/open-visits.ts';
import { findVisitRow } from '../visits/record/visit-store.ts';
import type { CloudLane } from './cloud-lane.ts';
import { quotaByPlate } from './gather-facts.ts';

/** A better reading of the car for which a visit was begun; not where a person has said otherwise. */
export async function correctVisit(
  tx: Tx,
  lane: CloudLane,
  visitId: string,
  plate: { before: string | null; after: string },
  context: ChangeContext,
): Promise<void> {
  const row = await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (row === null || row.plate !== plate.before) return;
  if (row.endedAt === null) {
    const inside = await openSiteVisit(tx.q, lane, plate.after, context.at);
    for (const change of changesToClear(inside, visitId, context)) await tell(tx, lane, change);
  }
  const quota = await quotaByPlate(tx.q, lane.site, row, plate.after, context.at);
  const visit = siteVisit(row);
  await tell(tx, lane, visitChange(visit, changePlate(visit, plate.after, quota), context));
}

/** The visit of exactly this plate that is inside. */
export async function openSiteVisit(
  q: Queries,
  { site }: Pick<CloudLane, 'site'>,
  plate: string,
  at: UtcTime,
): Promise<Visit | null> {
  const row = await openVisitOf(q, site.id, plate, at);
  return row && siteVisit(row);
}

/**
 * Stores a visit by the same use case that takes over what sites tell: whose it is, its quota's books, what is to be
 * invoiced and what integrators hear all follow from there.
 */
export async function tell(
  tx: Tx,
  lane: Pick<CloudLane, 'site'>,
  { before, after: visit, context }: VisitChange,
): Promise<void> {
  const siteId = lane.site.id;
  const step = visitStep(before, visit, context);
  // Nothing that a person has edited is unknown here.
  const feedAt = (await readHead(tx.q, siteId)).n;
  const refused = await takeVisit(
    tx,
    { siteId, eventId: randomUUID(), at: context.at },
    { visit, step, feedAt },
  );
  if (refused !== null) throw new Error(`visit ${visit.id}: ${refused}`);
}
