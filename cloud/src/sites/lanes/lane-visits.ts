import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import {
  type ChangeContext,
  changePlate,
  changesToClear,
  endedAnother,
  undoDeparture,
  type VisitChange,
  visitChange,
  visitStep,
} from '@hlid/protocol/rules/visit-transitions';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { openVisitOf } from '../../records/visits/open-visits.ts';
import { siteVisit } from '../../records/visits/site-visit.ts';
import { ingestVisit } from '../../stays/visits/intake/ingest-visit.ts';
import { quotaByPlate } from '../../stays/visits/price/exit-facts.ts';
import { permitsLike } from '../../vehicles/whitelist/permits-like.ts';
import type { CloudLane } from './cloud-lane.ts';
import type { LanePassage } from './lane-passage.ts';

/** Corrects the plate of a visit after a better read, unless a person has changed it. */
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
    for (const change of changesToClear(inside, visitId, context)) await storeChange(tx, lane, change);
  }
  const quota = await quotaByPlate(tx.q, lane.site, row, plate.after, context.at);
  const visit = siteVisit(row);
  await storeChange(tx, lane, visitChange(visit, changePlate(visit, plate.after, quota), context));
}

/** Opens again the visit that ended by a wrong first look at a car. @returns whether it was another car's */
export async function undoExit(
  tx: Tx,
  lane: CloudLane,
  before: LanePassage,
  after: LanePassage,
  at: UtcTime,
): Promise<boolean> {
  const row = after.visitId === null ? null : await findVisitRow(tx.q, after.visitId, ALL_ROWS);
  if (row === null || after.plate === null) return false;
  const visit = siteVisit(row);
  if (!endedAnother(before, after, visit)) return false;
  const isReadTwice = after.votes.some(({ plate, reads }) => plate === after.plate && reads > 1);
  const inside = await openVisitOf(tx.q, lane.site.id, after.plate, at);
  // Otherwise it may be another misreading.
  const isKnown =
    isReadTwice || inside !== null || (await permitsLike(tx.q, after.plate, lane.site.id)).length > 0;
  if (!isKnown) return false;
  const context = { at, by: `lane:${lane.id}`, reason: 'read-again' };
  await storeChange(tx, lane, visitChange(visit, undoDeparture(visit, before.decision), context));
  return true;
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
 * Stores a changed visit by the same use case as the events of sites: its customer, quota, invoice and the events for
 * integrators all follow from there.
 */
export async function storeChange(
  tx: Tx,
  lane: Pick<CloudLane, 'site'>,
  { before, after: visit, context }: VisitChange,
): Promise<void> {
  const siteId = lane.site.id;
  const step = visitStep(before, visit, context);
  // Here the edits of people are always known.
  const feedAt = (await readHead(tx.q, siteId)).n;
  const refused = await ingestVisit(
    tx,
    { siteId, eventId: newId(), at: context.at },
    { visit, step, feedAt },
  );
  if (refused !== null) throw new Error(`visit ${visit.id}: ${refused}`);
}
