import type { Db } from '../db/db.ts';
import { readHead, writeHead } from './feed-store.ts';
import { FEED_GREW } from './publish-change.ts';
import { retellDeeds } from './retell-edits.ts';

/**
 * A site that holds a change which this feed has not told yet comes from a time that this database has forgotten (it
 * was restored from a backup). The feed goes on beyond it, with a gap that only the snapshot closes: numbers once
 * told never mean anything else. What was done to its visits since, by numbers that the site knows as others, it is told
 * again behind the gap.
 *
 * @param heldBefore what this database knew the site to hold: what it has told beyond that, the site cannot have heard
 * @returns whether it had to
 */
export async function skipAhead(
  db: Db,
  siteId: string,
  siteHolds: number,
  heldBefore: number,
): Promise<boolean> {
  const known = await db.read((q) => readHead(q, siteId));
  if (siteHolds <= known.n) return false;
  return await db.write(async (tx) => {
    const head = await readHead(tx.q, siteId);
    if (siteHolds <= head.n) return false;
    const n = siteHolds + 1;
    await writeHead(tx.q, siteId, { ...head, n, compactedTo: n });
    await retellDeeds(tx, siteId, heldBefore, head.n);
    tx.announce(`${FEED_GREW}${siteId}`);
    return true;
  });
}
