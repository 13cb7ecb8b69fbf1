import { nowUtc } from '@hlid/node/clock';
import type { PictureKind } from '@hlid/protocol/edge-api';
import { DAY_MS, millis } from '@hlid/protocol/utc-time';
import { and, eq } from 'drizzle-orm';
import type { CloudContext } from '../http/cloud-env.ts';
import { photoTable } from '../pictures/photo-table.ts';
import type { NewPicture } from './document-picture.ts';
import { type StoreOutcome, storePicture } from './store-picture.ts';

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
