import type { Db, Queries } from '../db/db.ts';
import { keepMark, markAt, readHead, writeHead } from '../feed/feed-store.ts';
import { NEW_MARK } from '../feed/feed-table.ts';
import { FEED_GREW } from '../feed/publish-change.ts';
import { hasUntold, retellDeeds } from './republish-edits.ts';

/** How much of its feed a site holds, by its own word. */
export interface HeldFeed {
  n: number;
  /** Of that change; null where the site does not say. */
  mark: string | null;
}

/**
 * A site that holds changes which this feed never told, by numbers that it has not used yet or has used for others,
 * comes from a time that this database has forgotten (it was restored from a backup). The feed goes on beyond both,
 * with a gap that only the snapshot closes: no number that the site may have heard means anything else. What was done
 * to its visits by numbers that it knows as others gets new ones behind the gap.
 *
 * To be called before anything else that the site says is taken: what it says of its visits goes by the numbers that it
 * knows.
 *
 * @returns whether it had to
 */
export async function skipAhead(db: Db, siteId: string, held: HeldFeed): Promise<boolean> {
  if (!(await db.read((q) => isOfAnother(q, siteId, held)))) return false;
  return await db.write(async (tx) => {
    if (!(await isOfAnother(tx.q, siteId, held))) return false;
    const head = await readHead(tx.q, siteId);
    const n = Math.max(head.n, held.n) + 1;
    await writeHead(tx.q, siteId, { ...head, n, compactedTo: n });
    await keepMark(tx.q, siteId, NEW_MARK);
    await retellDeeds(tx, siteId, head.n);
    tx.announce(`${FEED_GREW}${siteId}`);
    return true;
  });
}

/** Whether what a site holds is, or may be, of another history than this feed. */
async function isOfAnother(q: Queries, siteId: string, { n, mark }: HeldFeed): Promise<boolean> {
  const head = await readHead(q, siteId);
  if (n > head.n) return true;
  if (mark === null || mark === (await markAt(q, siteId, n))) return false;
  // It takes the snapshot in any case; which of the numbers before that it knows as others, nobody can tell any more.
  return n >= head.compactedTo || (await hasUntold(q, siteId, n));
}
