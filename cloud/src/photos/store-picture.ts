import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { and, eq, isNull, lt, ne } from 'drizzle-orm';
import { type Clock, nowUtc } from '../clock.ts';
import type { Db, Tx } from '../db/db.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import type { NewPicture } from './document-picture.ts';
import { loosePictureTable } from './loose-picture-table.ts';
import { photoTable } from './photo-table.ts';
import type { PictureStore } from './picture-store.ts';

/** Somebody who took it upon himself to store a picture is at it for so long, at most. */
const STORING_MS = MINUTE_MS;
/** What nobody speaks of after that is erased; between the two, storing may be tried again. */
const LOOSE_MS = 15 * MINUTE_MS;
const TRY_AGAIN_MS = 10 * MINUTE_MS;
const SWEPT_AT_ONCE = 200;

type PhotoOfPicture = Pick<typeof photoTable.$inferSelect, 'id' | 'siteId' | 'receivedAt'>;

interface PictureParts {
  db: Db;
  clock: Clock;
  pictures: PictureStore;
}

/**
 * Stores a photo's picture. The picture is in the store, whole, before the photo speaks of it; until then a row says
 * that it is on its way, so that a crash in between leaves nothing in the store that nobody knows of. The same again,
 * or after a crash, is harmless.
 *
 * @returns whether this call stored it: not where there is one, where somebody is at it, or where the photo is gone
 */
export async function storePicture(
  { db, clock, pictures }: PictureParts,
  photo: PhotoOfPicture,
  { contentType, bytes }: NewPicture,
): Promise<boolean> {
  const key = keyOf(photo, contentType);
  const begun = await db.write((tx) => beginStoring(tx, photo.id, key, nowUtc(clock)));
  if (!begun) return false;
  await pictures.put(key, bytes, contentType);
  return await db.write(async ({ q }) => {
    const stored = await q
      .update(photoTable)
      .set({ url: key, pictureBytes: bytes.byteLength })
      .where(and(eq(photoTable.id, photo.id), isNull(photoTable.url), ne(photoTable.status, 'deleted')))
      .returning({ id: photoTable.id });
    if (stored.length > 0) await q.delete(loosePictureTable).where(eq(loosePictureTable.key, key));
    return stored.length > 0;
  });
}

async function beginStoring({ q }: Tx, photoId: string, key: string, now: UtcTime): Promise<boolean> {
  const [photo] = await q
    .select({ url: photoTable.url, status: photoTable.status })
    .from(photoTable)
    .where(eq(photoTable.id, photoId));
  if (photo === undefined || photo.url !== null || photo.status === 'deleted') return false;
  const [loose] = await q.select().from(loosePictureTable).where(eq(loosePictureTable.key, key));
  const ageMs = loose === undefined ? null : millis(now) - millis(loose.since);
  if (ageMs !== null && (ageMs < STORING_MS || ageMs > TRY_AGAIN_MS)) return false;
  await q
    .insert(loosePictureTable)
    .values({ key, since: now })
    .onConflictDoUpdate({ target: loosePictureTable.key, set: { since: now } });
  return true;
}

/**
 * Takes a photo's picture away from it, in the transaction that decides so; `eraseLoose` takes it out of the store.
 *
 * @returns its key; null where it has none
 */
export async function dropPicture(tx: Tx, photoId: string, at: UtcTime): Promise<string | null> {
  const [photo] = await tx.q
    .select({ key: photoTable.url })
    .from(photoTable)
    .where(eq(photoTable.id, photoId));
  const key = photo?.key ?? null;
  if (key === null) return null;
  await tx.q.update(photoTable).set({ url: null, pictureBytes: null }).where(eq(photoTable.id, photoId));
  await tx.q.insert(loosePictureTable).values({ key, since: at }).onConflictDoNothing();
  return key;
}

/** Erases a dropped picture. Should that fail, the sweep does it later. */
export async function eraseLoose({ db, pictures }: Omit<PictureParts, 'clock'>, key: string): Promise<void> {
  await pictures.delete(key);
  await db.write(async ({ q }) => {
    await q.delete(loosePictureTable).where(eq(loosePictureTable.key, key));
  });
}

/** Erases what a crash, or a store that did not answer, has left behind. */
export function sweepPictures(parts: Omit<PictureParts, 'clock'>): ScheduledRun {
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

function keyOf({ id, siteId, receivedAt }: PhotoOfPicture, contentType: NewPicture['contentType']): string {
  return `${siteId}/${receivedAt.slice(0, 10)}/${id}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
}
