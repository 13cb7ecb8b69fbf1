import { randomUUID } from 'node:crypto';
import type { Visit } from '@hlid/protocol/visit';
import {
  type Arrival,
  askedVisit,
  beginVisit,
  type Deed,
  type Demand,
  type Departure,
  departedVisit,
  lostVisit,
  replatedVisit,
  visitStep,
} from '@hlid/protocol/visit-course';
import { ALL_ROWS } from '../auth/caller.ts';
import type { Tx } from '../db/db.ts';
import { readHead } from '../feed/feed-store.ts';
import { takeVisit } from '../ingest/visit-intake.ts';
import { siteVisit } from '../visits/add-visit.ts';
import { findVisitRow } from '../visits/visit-store.ts';
import type { CloudLane } from './cloud-lane.ts';
import { quotaWithPlate } from './gather-facts.ts';
import { openVisitOf } from './open-visits.ts';

/** Begins a visit; one plate is inside once. */
export async function begin(tx: Tx, lane: CloudLane, arrival: Arrival, deed: Deed): Promise<string> {
  const id = randomUUID();
  if (arrival.plate !== null) await clearPlate(tx, lane, arrival.plate, id, deed);
  return await tell(tx, lane, null, beginVisit(id, arrival, deed), deed);
}

/** It wants to leave and something is due. */
export async function askToPay(
  tx: Tx,
  lane: CloudLane,
  visit: Visit,
  demand: Demand,
  deed: Deed,
): Promise<string> {
  return await tell(tx, lane, visit, askedVisit(visit, demand, deed), deed);
}

export async function leave(
  tx: Tx,
  lane: CloudLane,
  visit: Visit,
  departure: Departure,
  deed: Deed,
): Promise<string> {
  return await tell(tx, lane, visit, departedVisit(visit, departure, deed), deed);
}

/** A better reading of the car for which a visit was begun; not where a person has said otherwise. */
export async function correctVisit(
  tx: Tx,
  lane: CloudLane,
  visitId: string,
  plate: { before: string | null; after: string },
  deed: Deed,
): Promise<void> {
  const row = await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (row === null || row.plate !== plate.before) return;
  if (row.endedAt === null) await clearPlate(tx, lane, plate.after, visitId, deed);
  const quota =
    row.endedAt === null ? await quotaWithPlate(tx.q, lane, row, plate.after, deed.at) : row.quota;
  const visit = siteVisit(row);
  await tell(tx, lane, visit, replatedVisit(visit, plate.after, quota), deed);
}

/** Makes way for a plate: whoever is seen coming in again has left unseen, and is not billed for that. */
async function clearPlate(
  tx: Tx,
  lane: CloudLane,
  plate: string,
  forVisitId: string,
  deed: Deed,
): Promise<void> {
  const other = await openVisitOf(tx.q, lane.site.id, plate, deed.at);
  if (other === null || other.id === forVisitId) return;
  const visit = siteVisit(other);
  await tell(tx, lane, visit, lostVisit(visit, deed), { ...deed, why: 'lost-exit' });
}

/**
 * Stores a visit by the same use case that takes over what sites tell: whose it is, its quota's books, what is to be
 * invoiced and what integrators hear all follow from there. Returns its id.
 */
async function tell(
  tx: Tx,
  lane: CloudLane,
  before: Visit | null,
  visit: Visit,
  deed: Deed,
): Promise<string> {
  const siteId = lane.site.id;
  const step = visitStep(before, visit, deed);
  // Nothing that a person has edited is unknown here.
  const feedAt = (await readHead(tx.q, siteId)).n;
  const refused = await takeVisit(
    tx,
    { siteId, eventId: randomUUID(), at: deed.at },
    { visit, step, feedAt },
  );
  if (refused !== null) throw new Error(`visit ${visit.id}: ${refused}`);
  return visit.id;
}
