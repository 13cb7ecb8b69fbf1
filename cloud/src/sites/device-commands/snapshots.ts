import { type Clock, nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { and, asc, eq, isNull, lt } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { snapshotTable as t } from '../../records/device-commands/snapshot-table.ts';
import type { NewPicture } from '../../stays/photos/document-picture.ts';
import { eraseLoose, markLoose, unmarkLoose } from '../../stays/photos/store-picture.ts';

/** It shows people who stand there, and is not needed later. */
const SNAPSHOT_LIFE_MS = 10 * MINUTE_MS;
/** The site uploads it while the command is good; after that it is not awaited. */
const UPLOAD_WITHIN_MS = MINUTE_MS;
const ERASED_AT_ONCE = 100;

interface SnapshotParts {
  db: Db;
  pictures: ObjectStorage;
}

export function snapshotEnd(at: UtcTime): UtcTime {
  return utcTime(millis(at) + SNAPSHOT_LIFE_MS);
}

/** Runs in the transaction before the command is sent: only pictures that were requested are stored. */
export async function expectSnapshot(tx: Tx, snapshot: { id: string; siteId: string; at: UtcTime }) {
  await tx.q.insert(t).values(snapshot);
}

/** The picture of a site, as long as it may be seen; null: there is none. */
export async function findSnapshot(
  q: Queries,
  { id, siteId, now }: { id: string; siteId: string; now: UtcTime },
): Promise<{ key: string; bytes: number } | null> {
  const row = await q
    .select()
    .from(t)
    .where(and(eq(t.id, id), eq(t.siteId, siteId)))
    .get();
  if (!row || row.key === null || row.bytes === null || now >= snapshotEnd(row.at)) return null;
  return { key: row.key, bytes: row.bytes };
}

/** Stores what a site uploads. @returns `gone`: it is no longer awaited */
export async function storeSnapshot(
  { db, pictures, clock }: SnapshotParts & { clock: Clock },
  { id, siteId }: { id: string; siteId: string },
  { contentType, bytes }: NewPicture,
): Promise<'stored' | 'gone'> {
  const at = nowUtc(clock);
  const key = `${siteId}/snapshots/${id}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
  const own = and(eq(t.id, id), eq(t.siteId, siteId));
  const state = await db.write(async (tx) => {
    const row = await tx.q.select().from(t).where(own).get();
    if (row === undefined || millis(at) - millis(row.at) > UPLOAD_WITHIN_MS) return 'gone';
    // Sent again after an answer that was lost.
    if (row.key !== null) return 'stored';
    await markLoose(tx, key, at);
    return 'wanted';
  });
  if (state !== 'wanted') return state;
  await pictures.put(key, bytes, contentType);
  return await db.write(async (tx) => {
    const changed = await tx.q
      .update(t)
      .set({ key, bytes: bytes.byteLength })
      .where(and(own, isNull(t.key)))
      .returning({ id: t.id });
    if (changed.length > 0) await unmarkLoose(tx, key);
    return changed.length > 0 ? 'stored' : 'gone';
  });
}

/** Erases pictures that are past their time. */
export function snapshotRun({ db, pictures }: SnapshotParts): ScheduledRun {
  const due = (now: string) => lt(t.at, utcTime(millis(now) - SNAPSHOT_LIFE_MS));
  return {
    name: 'snapshots',
    everyMs: MINUTE_MS,
    isDue: (now) =>
      db.read(async (q) => (await q.select().from(t).where(due(now)).limit(1).get()) !== undefined),
    async work({ now, signal }) {
      while (!signal.aborted) {
        const rows = await db.read(
          async (q) =>
            await q.select().from(t).where(due(now)).orderBy(asc(t.at)).limit(ERASED_AT_ONCE).all(),
        );
        for (const { id, key } of rows) {
          await db.write(async (tx) => {
            if (key !== null) await markLoose(tx, key, now);
            await tx.q.delete(t).where(eq(t.id, id));
          });
          if (key !== null) await eraseLoose({ db, pictures }, key);
        }
        if (rows.length < ERASED_AT_ONCE) return;
      }
    },
  };
}
