import type { Queries } from '../../platform/db/db.ts';
import { and, eq, lte, sql } from '../../platform/db/sql.ts';
import { matchConfusionTable as t } from '../../records/matching/match-table.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import { alignPlates } from './align-plates.ts';
import { CharacterOdds } from './character-odds.ts';
import { readingsOf } from './match-store.ts';

/** What the cameras at the exits of a site have been taught. */
export async function characterOddsOf(q: Queries, siteId: string): Promise<Map<string, CharacterOdds>> {
  const cameras = new Map<string, CharacterOdds>();
  for (const { cameraId, before, now, times } of await q.select().from(t).where(eq(t.siteId, siteId))) {
    const odds = cameras.get(cameraId) ?? new CharacterOdds();
    odds.add({ before, now }, times);
    cameras.set(cameraId, odds);
  }
  return cameras;
}

/**
 * Teaches the camera at the exit that two reads are of one car (`times` 1), or takes that back (-1). What the cameras read
 * counts, not what people made of it, so that the same is taken back that was taught.
 */
export async function teach(
  q: Queries,
  entry: PhotoRow | null,
  exit: PhotoRow,
  times: 1 | -1,
): Promise<void> {
  const before = entry === null ? undefined : readingsOf(entry)[0]?.plate;
  const now = readingsOf(exit)[0]?.plate;
  if (before === undefined || now === undefined) return;
  const { siteId, cameraId } = exit;
  for (const pair of alignPlates(before, now) ?? []) {
    await q
      .insert(t)
      .values({ siteId, cameraId, ...pair, times })
      .onConflictDoUpdate({
        target: [t.siteId, t.cameraId, t.before, t.now],
        set: { times: sql`${t.times} + ${times}` },
      });
  }
  await q.delete(t).where(and(eq(t.siteId, siteId), eq(t.cameraId, cameraId), lte(t.times, 0)));
}
