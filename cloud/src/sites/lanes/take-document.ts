import { newId } from '@hlid/node/new-id';
import { messageOf } from '@hlid/protocol/base/fault';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import { foldPlate } from '@hlid/protocol/plate/plate';
import type { CameraDocument, PlateRead, Shortening } from '@hlid/protocol/plate/plate-read';
import { isSentAgain, judgeRead, keysToStore, underKey } from '@hlid/protocol/records/passage';
import { z } from '@hono/zod-openapi';
import { audit } from '../../people/audit/audit.ts';
import { withLocationToken } from '../../people/auth/location-token.ts';
import type { Tx } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { Actor } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { type Refused, refusedInput } from '../../platform/refused.ts';
import type { CameraRow } from '../../records/cameras/camera-store.ts';
import { findCamera } from '../../records/cameras/find-cameras.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { clockBehindMs } from '../../records/photos/clock-behind.ts';
import { findPosted, insertPhoto, lastReads, type PhotoRow } from '../../records/photos/photo-store.ts';
import { type ChosenSite, siteById } from '../../records/sites/choose-site.ts';
import { countRead } from '../../records/totals/count-stay.ts';
import { documentPictures } from '../../stays/photos/document-picture.ts';
import { type NoRead, needsPerson, needsReview } from '../../stays/photos/photo.ts';
import { storePicture } from '../../stays/photos/store-picture.ts';
import { hasEdge, laneOf } from './cloud-lane.ts';
import { type LaneOutcome, passLane } from './lane.ts';
import { noteMended } from './note-mended.ts';

/**
 * Formats of documents, as their addresses name them; what is posted as a test is kept apart. Other makers' cameras
 * post to an edge daemon.
 */
export const DocumentTypeSchema = z
  .enum(['open-alpr', 'survision', 'open-alpr-test'])
  .meta({ id: 'DocumentType' });
export type DocumentType = z.infer<typeof DocumentTypeSchema>;

export interface PostedDocument {
  type: DocumentType;
  /** The camera of the document; the caller may post for it. */
  cameraId: string;
  body: Uint8Array;
  /** The parts that were left out while it arrived; null: none. */
  shortening: Shortening | null;
  headers: Readonly<Record<string, string | undefined>>;
}

type Taken =
  | { ok: true; photoId: string; location: string }
  | { ok: true; photoId: null; nothing: NoRead }
  | Refused;

type PhotoParts = Pick<CloudContext, 'db' | 'pictures' | 'clock' | 'log'>;

/**
 * Takes a camera's document: each read is stored once as a photo. Where the site has no edge daemon the read goes
 * through its lane in the same transaction; where it has one, and for tests, nothing follows. The picture goes into the
 * store after that: a visit never waits for it.
 */
export async function takeDocument(parts: PhotoParts, actor: Actor, posted: PostedDocument): Promise<Taken> {
  const test = posted.type === 'open-alpr-test';
  const format = posted.type === 'open-alpr-test' ? 'open-alpr' : posted.type;
  const parsed = CAMERA_FORMATS[format].parse(posted.body, {
    headers: posted.headers,
    receivedAt: utcTime(parts.clock.now()),
    shortening: posted.shortening,
  });
  if (!parsed.ok) return refusedInput(mistake('unreadable-document', [], { detail: parsed.refusal.message }));
  const { document } = parsed;
  if (document.faults) {
    parts.log.warn({ event: EVENTS.documentMended, cameraId: posted.cameraId, faults: document.faults });
  }
  const stored = await parts.db.write((tx) =>
    storeReads(tx, actor, posted.cameraId, document, test ? 'test' : 'posted'),
  );
  if ('ok' in stored) return stored;
  const [first] = stored.photos;
  if (first === undefined) {
    return { ok: true, photoId: null, nothing: { kind: document.kind, heartbeat: document.heartbeat } };
  }
  // This also runs for a repeated document: the picture may not have been stored then.
  await keepPictures(parts, first.photo, document);
  const made = stored.photos.find(({ repeated }) => !repeated);
  if (made === undefined) {
    return {
      ok: false,
      reason: 'already-there',
      id: first.photo.id,
      mistake: mistake('event-posted-before'),
    };
  }
  return { ok: true, photoId: made.photo.id, location: stored.location };
}

type Stored = { photo: Pick<PhotoRow, 'id' | 'siteId' | 'receivedAt'>; repeated: boolean };

async function storeReads(
  tx: Tx,
  actor: Actor,
  cameraId: string,
  document: CameraDocument,
  source: 'posted' | 'test',
): Promise<{ photos: Stored[]; location: string } | Refused> {
  const camera = await findCamera(tx.q, cameraId);
  const site = camera && (await siteById(tx.q, camera.siteId));
  if (camera === null || site === null)
    return refusedInput(mistake('not-found', 'camera.id', { what: 'camera' }));
  if (source === 'posted') await noteMended(tx, camera, document.faults ?? [], actor.at);
  const photos: Stored[] = [];
  for (const read of document.reads) {
    photos.push(await storeOnce(tx, actor, { site, camera, source }, read));
  }
  const made = photos.find(({ repeated }) => !repeated);
  const location =
    made === undefined ? '' : await withLocationToken(tx, actor.caller, `/photo/${made.photo.id}`, actor.at);
  return { photos, location };
}

interface Origin {
  site: ChosenSite;
  camera: CameraRow;
  source: 'posted' | 'test';
}

/** Stores a read, or finds the document that is there already. */
async function storeOnce(tx: Tx, actor: Actor, origin: Origin, read: PlateRead): Promise<Stored> {
  const { site, camera, source } = origin;
  let before: Stored['photo'] | null = null;
  for (const eventKey of keysToStore(read, actor.at)) {
    const known = await findPosted(tx.q, { siteId: site.id, cameraId: camera.remoteId, eventKey, source });
    if (known === null) {
      return { photo: await storeRead(tx, actor, origin, underKey(read, eventKey)), repeated: false };
    }
    before = known;
    if (isSentAgain(known, read, actor.at)) break;
  }
  if (before === null) throw new Error('a read has no key');
  return { photo: before, repeated: true };
}

async function storeRead(tx: Tx, actor: Actor, origin: Origin, read: PlateRead): Promise<PhotoRow> {
  const { site, camera, source } = origin;
  const id = newId();
  const { late: _late, parked: _parked, relatedKeys: _keys, box: _box, ...kept } = read;
  const { standing, passage } = await pass(tx, actor, origin, read, id);
  const judged = passage && { visitId: passage.visitId, reason: passage.decision.reason };
  const needs = source === 'posted' && needsReview({ plate: read.plate, standing }, judged);
  const photo: PhotoRow = {
    ...kept,
    id,
    source,
    siteId: site.id,
    cameraId: camera.remoteId,
    laneId: laneOf(site, camera).id,
    passageId: passage?.id ?? null,
    visitId: passage?.visitId ?? null,
    status: needs ? 'need-review' : 'new',
    corrected: false,
    plateFolded: read.plate === null ? null : foldPlate(read.plate),
    standing,
    receivedAt: actor.at,
    url: null,
    pictureBytes: null,
    plateUrl: null,
    plateBytes: null,
    thumbBytes: null,
    createdAt: actor.at,
  };
  await insertPhoto(tx.q, photo);
  await countRead(tx.q, null, photo);
  if (source === 'posted') {
    const event = { subjectId: id, siteId: site.id, at: actor.at };
    await recordEvent(tx, { type: 'photo.stored', ...event });
    if (needsPerson(photo)) await recordEvent(tx, { type: 'photo.review', ...event });
  }
  if (actor.caller.kind === 'account') {
    const { plate, score } = photo;
    const after = { cameraId: camera.id, plate, score, standing, source };
    await audit(tx, actor, { action: 'photo.create', subject: 'photo', subjectId: id, before: null, after });
  }
  return photo;
}

/** Through the lane where the cloud decides for the site; else it is only judged. */
async function pass(
  tx: Tx,
  { at }: Actor,
  { site, camera, source }: Origin,
  read: PlateRead,
  readId: string,
): Promise<LaneOutcome> {
  const behindMs = clockBehindMs(await lastReads(tx.q, site.id, camera.remoteId));
  if (source === 'posted' && !(await hasEdge(tx.q, site.id))) {
    return await passLane(tx, laneOf(site, camera), read, { readId, at, clockBehindMs: behindMs });
  }
  const { status, minimumOcrScore, filters } = camera;
  const settings = { status, minimumOcrScore, filters };
  const conditions = { receivedAt: at, camera: settings, clockBehindMs: behindMs, directionReliable: false };
  return { standing: judgeRead(read, conditions), passage: null };
}

/** A picture that cannot be stored now is no reason to refuse the read. */
async function keepPictures(
  parts: PhotoParts,
  photo: Stored['photo'],
  document: CameraDocument,
): Promise<void> {
  try {
    for (const { kind, picture } of documentPictures(document)) {
      await storePicture(parts, photo, picture, kind);
    }
  } catch (error) {
    parts.log.error({ event: EVENTS.pictureFailed, photoId: photo.id, err: error }, messageOf(error));
  }
}
