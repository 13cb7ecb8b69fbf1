import type { Db } from '../db/db.ts';
import { deleteChanges, readHead, writeHead } from './feed-store.ts';

/**
 * Forgets the older changes of a site's feed, all but the newest `keep`: a site that holds less takes the snapshot.
 * Edits of visits stay, for no snapshot has them; see `retellEdits`.
 */
export async function compactFeed(db: Db, siteId: string, keep: number): Promise<void> {
  await db.write(async ({ q }) => {
    const head = await readHead(q, siteId);
    const compactedTo = Math.max(head.compactedTo, head.n - keep);
    await deleteChanges(q, siteId, compactedTo, 'visit-edit');
    await writeHead(q, siteId, { ...head, compactedTo });
  });
}
