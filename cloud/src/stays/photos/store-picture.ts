import { type Clock, nowUtc } from '@hlid/node/clock';
import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PictureKind } from '@hlid/protocol/site-link/edge-api';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, eq, inArray, isNotNull, isNull, lt, ne } from '../../platform/db/sql.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { loosePictureTable } from '../../records/photos/loose-picture-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import type { NewPicture } from './document-picture.ts';
import { needsPerson } from './photo.ts';
import { type PhotoOfPicture, pictureKey, type StoredKind, usualKey } from './storage/picture-key.ts';

/** A process that has begun to store a picture takes this long at most. */
const STORING_MS = MINUTE_MS;
/** A picture without a photo is erased after this time; between the two, storing may be tried again. */
const LOOSE_MS = 15 * MINUTE_MS;
const TRY_AGAIN_MS = 10 * MINUTE_MS;
const SWEPT_AT_ONCE = 200;

interface PictureParts {
  db: Db;
  clock: Clock;
  pictures: ObjectStorage;
}

/** The result of storing a picture. */
export type StoreOutcome =
  | 'stored'
  /** It already has one of that kind, from any sender. */
  | 'there'
  /** The photo is not there any more, or its pictures are not accepted. */
  | 'gone'
  /** Another process is storing it, or has just failed: try later. */
  | 'busy';

/**
 * Stores a photo's picture, one of each kind. The picture is in the store, whole, before the photo names it. Until
 * then a row marks it as on its way, so that a crash in between leaves nothing unknown in the store. The same again,
 * or after a crash, is harmless.
 */
export async function storePicture(
  { db, clock, pictures }: PictureParts,
  photo: PhotoOfPicture,
  { contentType, bytes }: NewPicture,
  kind: StoredKind = 'vehicle',
): Promise<StoreOutcome> {
  const suffix = contentType === 'image/png' ? '.png' : '.jpg';
  const key = usualKey(photo, kind, suffix);
  const hindrance = await db.write((tx) => beginStoring(tx, { photoId: photo.id, kind, key }, nowUtc(clock)));
  if (hindrance !== null) return hindrance;
  await pictures.put(key, bytes, contentType);
  return await db.write(async (tx) => {
    const { q } = tx;
    const stored = await q
      .update(photoTable)
      .set(COLUMNS[kind].filled(suffix, bytes.byteLength))
      .where(
        and(
          eq(photoTable.id, photo.id),
          isNull(COLUMNS[kind].key),
          ne(photoTable.status, 'deleted'),
          // No thumbnail outlives its picture.
          kind === 'thumb' ? isNotNull(photoTable.url) : undefined,
        ),
      )
      .returning({ source: photoTable.source, siteId: photoTable.siteId, status: photoTable.status });
    const [of] = stored;
    if (of === undefined) return 'gone';
    await unmarkLoose(tx, key);
    // A posted read was announced when it came in.
    if (of.source === 'site' && kind === 'vehicle') {
      const { siteId } = of;
      const event = { subjectId: photo.id, siteId, at: nowUtc(clock) };
      await recordEvent(tx, { type: 'photo.stored', ...event });
      // Without its picture no person could answer.
      if (needsPerson(of)) await recordEvent(tx, { type: 'photo.review', ...event });
    }
    return 'stored';
  });
}

/** The columns of a photo for its picture of each kind. */
const COLUMNS = {
  vehicle: {
    key: photoTable.url,
    filled: (url: string, pictureBytes: number) => ({ url, pictureBytes }),
  },
  plate: {
    key: photoTable.plateUrl,
    filled: (plateUrl: string, plateBytes: number) => ({ plateUrl, plateBytes }),
  },
  /** Its key follows from the photo's. */
  thumb: {
    key: photoTable.thumbBytes,
    filled: (_suffix: string, thumbBytes: number) => ({ thumbBytes }),
  },
} as const;

async function beginStoring(
  { q }: Tx,
  { photoId, kind, key }: { photoId: string; kind: StoredKind; key: string },
  now: UtcTime,
): Promise<Exclude<StoreOutcome, 'stored'> | null> {
  const [photo] = await q
    .select({ key: COLUMNS[kind].key, status: photoTable.status, url: photoTable.url })
    .from(photoTable)
    .where(eq(photoTable.id, photoId));
  if (photo === undefined || photo.status === 'deleted') return 'gone';
  if (kind === 'thumb' && photo.url === null) return 'gone';
  if (photo.key !== null) return 'there';
  const [loose] = await q.select().from(loosePictureTable).where(eq(loosePictureTable.key, key));
  const ageMs = loose === undefined ? null : millis(now) - millis(loose.since);
  if (ageMs !== null && (ageMs < STORING_MS || ageMs > TRY_AGAIN_MS)) return 'busy';
  await markLoose({ q }, key, now);
  return null;
}

/**
 * Notes a picture that is about to be put into the store, or to be erased from it. The sweep erases it after
 * a crash in between, or if the store does not answer.
 */
export async function markLoose({ q }: Pick<Tx, 'q'>, key: string, since: UtcTime): Promise<void> {
  await q
    .insert(loosePictureTable)
    .values({ key, since })
    .onConflictDoUpdate({ target: loosePictureTable.key, set: { since } });
}

/** A row has the picture's key from now on, in the same transaction; or it is erased from the store. */
export async function unmarkLoose({ q }: Pick<Tx, 'q'>, key: string): Promise<void> {
  await q.delete(loosePictureTable).where(eq(loosePictureTable.key, key));
}

/**
 * Takes the pictures of photos away from them, in the transaction that decides so; `eraseLoose` takes them out of the store.
 *
 * @returns their keys
 */
export async function dropPictures(tx: Tx, photoIds: readonly string[], at: UtcTime): Promise<string[]> {
  if (photoIds.length === 0) return [];
  const { id } = photoTable;
  const photos = await tx.q
    .select()
    .from(photoTable)
    .where(inArray(id, [...photoIds]));
  const keys = photos.flatMap(pictureKeys);
  if (keys.length === 0) return [];
  const nothing = { url: null, pictureBytes: null, plateUrl: null, plateBytes: null, thumbBytes: null };
  await tx.q
    .update(photoTable)
    .set(nothing)
    .where(inArray(id, [...photoIds]));
  const loose = keys.map((key) => ({ key, since: at }));
  await tx.q.insert(loosePictureTable).values(loose).onConflictDoNothing();
  return keys;
}

/** Erases a dropped picture. Should that fail, the sweep does it later. */
export async function eraseLoose({ db, pictures }: Omit<PictureParts, 'clock'>, key: string): Promise<void> {
  await pictures.delete(key);
  await db.write((tx) => unmarkLoose(tx, key));
}

/** Erases what a crash, or a store that did not answer, has left behind. */
export function pictureCleanupJob(parts: Omit<PictureParts, 'clock'>): ScheduledRun {
  return {
    name: 'loose-pictures',
    everyMs: LOOSE_MS,
    work: async ({ now, signal }) => {
      const before = utcTime(millis(now) - LOOSE_MS);
      while (!signal.aborted) {
        const loose = await parts.db.read(
          async (q) =>
            await q
              .select({ key: loosePictureTable.key })
              .from(loosePictureTable)
              .where(lt(loosePictureTable.since, before))
              .orderBy(loosePictureTable.since)
              .limit(SWEPT_AT_ONCE),
        );
        for (const { key } of loose) await eraseLoose(parts, key);
        if (loose.length < SWEPT_AT_ONCE) return;
      }
    },
  };
}

/** The keys of all its pictures. */
function pictureKeys(photo: typeof photoTable.$inferSelect): string[] {
  const thumb = photo.thumbBytes ? thumbKey(photo) : null;
  const keys = [pictureKey(photo, 'vehicle'), pictureKey(photo, 'plate'), thumb];
  return keys.filter((key) => key !== null);
}

export function thumbKey(photo: PhotoOfPicture): string {
  return usualKey(photo, 'thumb', '.jpg');
}

/**
 * Takes a picture that a site's edge daemon brings after the read that it is of. The same again is harmless. Of a read
 * that was erased, and so is not here, or that is older than pictures are kept, none is wanted.
 */
export async function takePicture(
  parts: Pick<CloudContext, 'db' | 'pictures' | 'clock' | 'retention'>,
  {
    siteId,
    readId,
    kind,
    picture,
  }: {
    siteId: string;
    readId: string;
    kind: PictureKind;
    picture: NewPicture;
  },
): Promise<StoreOutcome> {
  const [photo] = await parts.db.read(
    async (q) =>
      await q
        .select({ id: photoTable.id, siteId: photoTable.siteId, receivedAt: photoTable.receivedAt })
        .from(photoTable)
        .where(and(eq(photoTable.id, readId), eq(photoTable.siteId, siteId))),
  );
  if (photo === undefined) return 'gone';
  const ageMs = millis(nowUtc(parts.clock)) - millis(photo.receivedAt);
  if (ageMs > parts.retention.pictureDays * DAY_MS) return 'gone';
  return await storePicture(parts, photo, picture, kind);
}
