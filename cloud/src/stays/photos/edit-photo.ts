import { messageOf } from '@hlid/protocol/base/fault';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { audit } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { type PhotoRow, updatePhoto } from '../../records/photos/photo-store.ts';
import type { PhotoState } from '../../records/photos/photo-table.ts';
import { countRead } from '../../records/totals/count-stay.ts';
import { findPhoto } from './find-photos.ts';
import { followPhoto } from './follow-photo.ts';
import { needsPerson, type PhotoEdit, type PhotoOutcome } from './photo.ts';
import { dropPictures, eraseLoose } from './store-picture.ts';

/** Corrects a photo's plate, and its visit with it, or sets how far it has been reviewed. */
export async function editPhoto(
  db: Db,
  actor: Actor,
  id: string,
  edit: PhotoEdit,
): Promise<{ ok: true; outcome: PhotoOutcome } | Refused> {
  return await db.write(async (tx) => await editPhotoWithin(tx, actor, id, edit));
}

/** The same within a transaction that does more. */
export async function editPhotoWithin(
  tx: Tx,
  actor: Actor,
  id: string,
  edit: PhotoEdit,
): Promise<{ ok: true; outcome: PhotoOutcome } | Refused> {
  const found = await findPhoto(tx.q, id, ownRows(actor.caller));
  if (found === null) return NOT_FOUND;
  const before = found.photo;
  const mistakes = editMistakes(before, edit);
  if (mistakes.length > 0) return refusedInput(...mistakes);
  const followed = await followPhoto(tx, actor, found, edit);
  if (!followed.ok) return followed;
  const { outcome, visitId } = followed;
  const { plate } = edit;
  const unsolved = outcome === 'no-visit' || outcome === 'ambiguous-visit';
  const status = edit.status ?? (plate === undefined || unsolved ? before.status : 'reviewed');
  const after = {
    plate: plate ?? before.plate,
    corrected: before.corrected || isOther(before, plate),
    status,
    visitId: visitId ?? before.visitId,
  };
  await changePhoto(tx, actor, before, after, edit.reason);
  return { ok: true, outcome };
}

/** Whether a person gives a read another plate than it has. */
export function isOther(photo: Pick<PhotoRow, 'plate'>, plate: string | undefined): boolean {
  return plate !== undefined && plate !== photo.plate;
}

function editMistakes(photo: PhotoRow, { id, capturedOn }: PhotoEdit): Mistake[] {
  const captured = photo.capturedAt ?? photo.receivedAt;
  return [
    ...(id !== undefined && id !== photo.id ? [mistake('unchangeable', 'id')] : []),
    ...(capturedOn !== undefined && capturedOn !== captured ? [mistake('unchangeable', 'capturedOn')] : []),
    ...(photo.status === 'deleted' ? [mistake('photo-deleted', 'status')] : []),
  ];
}

/** Whether a photo needs a person from now on, or no longer; null: neither. */
function reviewEventOf(before: PhotoState, after: PhotoState): 'photo.review' | 'photo.reviewed' | null {
  if (needsPerson(before) === needsPerson(after) && before.status === after.status) return null;
  if (needsPerson(after)) return 'photo.review';
  return needsPerson(before) || after.status === 'reviewed' ? 'photo.reviewed' : null;
}

/** Gives a photo this state and nothing else: no visit follows. */
export async function changePhoto(
  tx: Tx,
  actor: Actor,
  before: PhotoRow,
  after: PhotoState,
  reason: string | undefined,
): Promise<void> {
  const shown = ({ plate, status, visitId }: PhotoState) => ({ plate, status, visitId });
  if (JSON.stringify(shown(before)) === JSON.stringify(shown(after))) return;
  const plateFolded = after.plate === null ? null : foldPlate(after.plate);
  await updatePhoto(tx.q, before.id, { ...shown(after), corrected: after.corrected, plateFolded });
  await countRead(tx.q, before, { ...before, plate: after.plate, corrected: after.corrected });
  const { id: subjectId, siteId } = before;
  const type = reviewEventOf(before, after);
  if (type !== null) await recordEvent(tx, { type, subjectId, siteId, at: actor.at });
  await audit(tx, actor, {
    action: 'photo.update',
    subject: 'photo',
    subjectId,
    siteId,
    before: shown(before),
    after: shown(after),
    reason: reason ?? null,
  });
}

/** Erases a photo's pictures. What was read stays, as long as its visit may be asked about. */
export async function deletePhoto(
  parts: Pick<CloudContext, 'db' | 'pictures' | 'log'>,
  actor: Actor,
  id: string,
): Promise<{ ok: true } | Refused> {
  const { db, log } = parts;
  const deleted = await db.write(async (tx) => {
    const found = await findPhoto(tx.q, id, ownRows(actor.caller));
    if (found === null) return null;
    const keys = await dropPictures(tx, [id], actor.at);
    await changePhoto(tx, actor, found.photo, { ...found.photo, status: 'deleted' }, undefined);
    return { keys };
  });
  if (deleted === null) return NOT_FOUND;
  try {
    for (const key of deleted.keys) await eraseLoose(parts, key);
  } catch (error) {
    // No caller can see it any more, and the sweep erases it.
    log.error({ event: EVENTS.pictureFailed, photoId: id, err: error }, messageOf(error));
  }
  return { ok: true };
}
