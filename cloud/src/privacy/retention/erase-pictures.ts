import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db } from '../../platform/db/db.ts';
import { and, asc, isNotNull, lt, or } from '../../platform/db/sql.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { isNoEvidence } from '../../records/disputes/find-disputes.ts';
import { photoTable as t } from '../../records/photos/photo-table.ts';
import { dropPictures, eraseLoose } from '../../stays/photos/store-picture.ts';
import { inTurns } from './in-turns.ts';
import { logErased, retentionActor } from './retention-log.ts';

/**
 * Erases pictures of reads from before a moment, up to a limit of reads; the read plates stay. Those in the
 * evidence of an open dispute wait for its answer. @returns the number of reads
 */
export async function erasePictures(
  parts: { db: Db; pictures: ObjectStorage },
  when: { before: UtcTime; now: UtcTime },
  limit: number,
): Promise<number> {
  const { before, now } = when;
  const erased = await parts.db.write(async (tx) => {
    const photos = await tx.q
      .select({ id: t.id })
      .from(t)
      .where(and(or(isNotNull(t.url), isNotNull(t.plateUrl)), lt(t.receivedAt, before), isNoEvidence(t.id)))
      .orderBy(asc(t.receivedAt))
      .limit(limit);
    const dropped: string[] = [];
    const ids = photos.map(({ id }) => id);
    await inTurns(ids, async (some) => void dropped.push(...(await dropPictures(tx, some, now))));
    await logErased(tx, { kind: 'picture', rows: dropped.length, before }, retentionActor(now));
    return { photos: photos.length, keys: dropped };
  });
  for (const key of erased.keys) await eraseLoose(parts, key);
  return erased.photos;
}
