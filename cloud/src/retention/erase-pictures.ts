import type { UtcTime } from '@hlid/protocol/utc-time';
import { and, asc, isNotNull, lt } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { photoTable as t } from '../photos/photo-table.ts';
import type { PictureStore } from '../photos/picture-store.ts';
import { dropPicture, eraseLoose } from '../photos/store-picture.ts';
import { logErased, retentionActor } from './retention-log.ts';

/** Erases pictures of reads from before a moment, up to so many; what was read stays. @returns how many */
export async function erasePictures(
  parts: { db: Db; pictures: PictureStore },
  when: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  const { before, now } = when;
  const keys = await parts.db.write(async (tx) => {
    const photos = await tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(isNotNull(t.url), lt(t.receivedAt, before)))
      .orderBy(asc(t.receivedAt))
      .limit(limit);
    const dropped: string[] = [];
    for (const { id } of photos) {
      const key = await dropPicture(tx, id, now);
      if (key !== null) dropped.push(key);
    }
    await logErased(tx, { kind: 'picture', rows: dropped.length, before }, retentionActor(now));
    return dropped;
  });
  for (const key of keys) await eraseLoose(parts, key);
  return keys.length;
}
