import { DAY_MS } from '@hlid/protocol/base/durations';
import type { Db } from '../../platform/db/db.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import {
  deleteChanges,
  deleteVisitsOfPlate,
  keepMark,
  markAt,
  writeHead,
} from '../../records/feed/feed-store.ts';
import { listSites, readPresence } from '../../records/sites/find-sites.ts';

/** Changes of a site's feed that are kept: a site that was offline for longer fetches the snapshot. */
const KEPT_CHANGES = 20_000;

/**
 * Deletes the older changes of a site's feed, all but the newest `keep`: a site that holds less fetches the
 * snapshot. Visits, edits of visits and erased plates stay until the site has them, because no snapshot
 * contains them; see `republishEdits`.
 *
 * @param erased an erased plate: visits with it, and edits to it, are deleted although the site does not have
 *   them
 */
export async function compactFeed(
  db: Db,
  siteId: string,
  keep: number,
  erased: string | null = null,
): Promise<void> {
  await db.write(async ({ q }) => {
    const head = await readHead(q, siteId);
    const compactedTo = Math.max(head.compactedTo, head.n - keep);
    const mark = await markAt(q, siteId, compactedTo);
    const siteHas = (await readPresence(q, siteId))?.feedAt ?? 0;
    await deleteChanges(q, siteId, Math.min(compactedTo, siteHas), []);
    await deleteChanges(q, siteId, compactedTo, ['visit-edit', 'visit', 'erase']);
    if (erased !== null) await deleteVisitsOfPlate(q, siteId, compactedTo, erased);
    await writeHead(q, siteId, { ...head, compactedTo });
    await keepMark(q, siteId, mark ?? '');
  });
}

/** Compacts the feeds once a day. */
export function feedCompactionJob(db: Db): ScheduledRun {
  return {
    name: 'feed-compaction',
    everyMs: DAY_MS,
    async work({ signal }) {
      for (const { site } of await db.read(listSites)) {
        if (!signal.aborted) await compactFeed(db, site.id, KEPT_CHANGES);
      }
    },
  };
}
