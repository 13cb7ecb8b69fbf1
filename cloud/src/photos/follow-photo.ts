import { mistake } from '@hlid/protocol/mistake';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Tx } from '../db/db.ts';
import { type Actor, ALL_ROWS } from '../http/caller.ts';
import { followQuota } from '../quotas/follow-quota.ts';
import { type Refused, refusedInput } from '../refused.ts';
import { siteOfVisit } from '../sites/site-of-visit.ts';
import { recordChange } from '../visits/change/record-change.ts';
import { changeEndTime } from '../visits/edit/change-end-time.ts';
import { editVisitWithin } from '../visits/edit/edit-visit.ts';
import { findVisitRow } from '../visits/record/find-visits.ts';
import { findOpenVisit, openVisitOf } from '../visits/record/open-visits.ts';
import type { VisitRow } from '../visits/record/visit-table.ts';
import type { PhotoEdit, PhotoOutcome } from './photo.ts';
import type { FoundPhoto, PhotoRow } from './photo-store.ts';

type Followed = { ok: true; outcome: PhotoOutcome; visitId: string | null } | Refused;

const PHOTO_ONLY: Followed = { ok: true, outcome: 'photo-only', visitId: null };
const NO_VISIT: Followed = { ok: true, outcome: 'no-visit', visitId: null };
const AMBIGUOUS: Followed = { ok: true, outcome: 'ambiguous-visit', visitId: null };

/** What follows for visits when a person says which plate a photo shows; the visit's site hears of it. */
export async function followPhoto(
  tx: Tx,
  actor: Actor,
  { photo, camera, visitId }: FoundPhoto,
  { plate, reason }: PhotoEdit,
): Promise<Followed> {
  if (plate === undefined || photo.source === 'test') return PHOTO_ONLY;
  const visit = visitId === null ? null : await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (visit !== null) return await correctVisitOf(tx, actor, photo, visit, plate, reason);
  return camera?.location === 'exit' ? await matchExit(tx, actor, photo, plate, reason) : PHOTO_ONLY;
}

/** The photo with which a visit began or ended: the visit has the plate that it shows. */
async function correctVisitOf(
  tx: Tx,
  actor: Actor,
  photo: PhotoRow,
  visit: VisitRow,
  plate: string,
  reason: string | undefined,
): Promise<Followed> {
  const isExit = visit.exitReadId === photo.id;
  if (visit.plate === plate || !(isExit || visit.entryReadId === photo.id)) return PHOTO_ONLY;
  if (visit.status === 'completed') {
    return refusedInput(mistake('visit-of-photo-settled', 'plate', { id: visit.id }));
  }
  const other = isExit ? await openVisitOf(tx.q, visit.siteId, plate, photo.receivedAt) : null;
  if (other !== null && other.id !== visit.id) {
    return refusedInput(mistake('other-visit-open', 'plate', { id: other.id }));
  }
  const edited = await editVisitWithin(tx, actor, visit.id, {
    plate,
    reason: reason ?? 'plate on the photo',
  });
  return edited.ok ? { ok: true, outcome: 'visit-corrected', visitId: null } : edited;
}

/** An exit that matched no visit ends the open visit that it fits now, at the time of the photo. */
async function matchExit(
  tx: Tx,
  actor: Actor,
  photo: PhotoRow,
  plate: string,
  reason: string | undefined,
): Promise<Followed> {
  const endedAt: UtcTime = photo.receivedAt;
  const found = await findOpenVisit(tx.q, photo.siteId, { plate, candidates: [] }, endedAt);
  if (found === null) return NO_VISIT;
  if (found === 'ambiguous') return AMBIGUOUS;
  const { visit: before, foundBy } = found;
  const historyText = reason ?? 'seen at the exit';
  const exit = { exitLaneId: photo.laneId, exitReadId: photo.id, exitFoundBy: foundBy };
  const site = await siteOfVisit(tx.q, before);
  const after = await changeEndTime(tx, actor, before, site, { endedAt, exit }, historyText);
  await recordChange(tx, actor, { before, after }, { action: 'visit.update', historyText, reason });
  if (after.quota !== null) await followQuota(tx, after, actor.at);
  return { ok: true, outcome: 'visit-ended', visitId: before.id };
}
