import type { Db, Queries } from '../../platform/db/db.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { keepMark, markAt, writeHead } from '../../records/feed/feed-store.ts';
import { NEW_MARK } from '../../records/feed/feed-table.ts';
import { FEED_GREW } from '../../records/feed/publish-change.ts';
import { hasUnseen, republishUnseen } from './republish-edits.ts';

/** How much of its feed a site holds, as it reports. */
export interface HeldFeed {
  n: number;
  /** The mark of that change; null where the site sends none. */
  mark: string | null;
}

/**
 * Moves a feed beyond what its site holds, after this database was restored from a backup. The site then
 * holds changes that this feed never published, with numbers that the feed has not used yet or has used for
 * other changes. The feed continues after both, with a gap that only the snapshot closes, so that no number
 * means two changes. Changes of the site's visits that the site does not have get new numbers behind the gap.
 *
 * The call comes before anything else from the site is applied, because the site's reports of its visits
 * refer to the numbers that it knows.
 *
 * @returns whether the feed was moved
 */
export async function skipAhead(db: Db, siteId: string, held: HeldFeed): Promise<boolean> {
  if (!(await db.read((q) => isOfAnother(q, siteId, held)))) return false;
  return await db.write(async (tx) => {
    if (!(await isOfAnother(tx.q, siteId, held))) return false;
    const head = await readHead(tx.q, siteId);
    const n = Math.max(head.n, held.n) + 1;
    await writeHead(tx.q, siteId, { ...head, n, compactedTo: n });
    await keepMark(tx.q, siteId, NEW_MARK);
    await republishUnseen(tx, siteId, head.n);
    tx.announce(`${FEED_GREW}${siteId}`);
    return true;
  });
}

/** Whether a site holds, or may hold, another history than this feed. */
async function isOfAnother(q: Queries, siteId: string, { n, mark }: HeldFeed): Promise<boolean> {
  const head = await readHead(q, siteId);
  if (n > head.n) return true;
  if (mark === null || mark === (await markAt(q, siteId, n))) return false;
  // Below that it gets the snapshot in any case; which earlier numbers it has used for other changes is not known.
  return n >= head.compactedTo || (await hasUnseen(q, siteId, n));
}
