import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { followQuota } from '../../money/quotas/follow-quota.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { type Refused, refusedInput } from '../../platform/refused.ts';
import {
  type FoundPhoto,
  findExitRead,
  type PhotoRow,
  updatePhoto,
} from '../../records/photos/photo-store.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { findOpenVisit, openVisitOf } from '../../records/visits/open-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { recordChange } from '../visits/change/record-change.ts';
import { changeEndTime } from '../visits/edit/change-end-time.ts';
import { editVisitWithin } from '../visits/edit/edit-visit.ts';
import type { PhotoEdit, PhotoOutcome } from './photo.ts';

type Followed = { ok: true; outcome: PhotoOutcome; visitId: string | null } | Refused;

const PHOTO_ONLY: Followed = { ok: true, outcome: 'photo-only', visitId: null };
const NO_VISIT: Followed = { ok: true, outcome: 'no-visit', visitId: null };
const AMBIGUOUS: Followed = { ok: true, outcome: 'ambiguous-visit', visitId: null };

/** Changes visits when a person names the plate that a photo shows, and informs the visit's site. */
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
  const left = isExit ? null : await exitOf(tx, visit, plate);
  if (left !== null) {
    await endAtExit(tx, actor, { visit, photo: left, foundBy: 'equal', plate }, reason);
    await updatePhoto(tx.q, left.id, { visitId: visit.id, status: 'reviewed' });
    return { ok: true, outcome: 'visit-ended', visitId: null };
  }
  // Two visits of one plate are open: a person decides which of them goes on.
  const other = await openVisitOf(tx.q, visit.siteId, plate, isExit ? photo.receivedAt : actor.at);
  if (other !== null && other.id !== visit.id && (isExit || visit.endedAt === null)) {
    return refusedInput(mistake('other-visit-open', 'plate', { id: other.id }));
  }
  const edited = await editVisitWithin(tx, actor, visit.id, {
    plate,
    reason: reason ?? 'plate on the photo',
  });
  return edited.ok ? { ok: true, outcome: 'visit-corrected', visitId: null } : edited;
}

/** The read of exactly this plate at an exit that found no visit, as this one's plate was not known then. */
async function exitOf(
  tx: Tx,
  { siteId, startedAt, endedAt }: VisitRow,
  plate: string,
): Promise<PhotoRow | null> {
  if (endedAt !== null) return null;
  return await findExitRead(tx.q, { siteId, plate, after: startedAt });
}

/** An exit that matched no visit ends the open visit that it fits now, at the time of the photo. */
async function matchExit(
  tx: Tx,
  actor: Actor,
  photo: PhotoRow,
  plate: string,
  reason: string | undefined,
): Promise<Followed> {
  const found = await findOpenVisit(tx.q, photo.siteId, { plate, candidates: [] }, photo.receivedAt);
  if (found === null) return NO_VISIT;
  if (found === 'ambiguous') return AMBIGUOUS;
  const { visit, foundBy } = found;
  await endAtExit(tx, actor, { visit, photo, foundBy }, reason);
  return { ok: true, outcome: 'visit-ended', visitId: visit.id };
}

async function endAtExit(
  tx: Tx,
  actor: Actor,
  exit: { visit: VisitRow; photo: PhotoRow; foundBy: NonNullable<VisitRow['exitFoundBy']>; plate?: string },
  reason: string | undefined,
): Promise<void> {
  const { visit: before, photo, foundBy: exitFoundBy, plate } = exit;
  const historyText = reason ?? 'seen at the exit';
  const to = {
    endedAt: photo.receivedAt,
    exit: { exitLaneId: photo.laneId, exitReadId: photo.id, exitFoundBy },
    plate,
  };
  const after = await changeEndTime(tx, actor, before, await siteOfVisit(tx.q, before), to, historyText);
  await recordChange(tx, actor, { before, after }, { action: 'visit.update', historyText, reason });
  if (after.quota !== null) await followQuota(tx, after, actor.at);
}
