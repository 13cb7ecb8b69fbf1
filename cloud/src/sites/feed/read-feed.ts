import { type FeedHead, PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import type { Db } from '../../platform/db/db.ts';
import { type FeedState, readHead } from '../../records/feed/feed-head.ts';
import { readChanges } from '../../records/feed/feed-store.ts';

export type FeedChanges =
  | {
      ok: true;
      /** A ChangeBatch as JSON. */
      batch: string;
      /** The last change in it; where there is none, the requested number. */
      upTo: number;
      headAt: number;
    }
  | { ok: false; reason: 'compacted' };

/**
 * The changes of a site's feed after a number. `compacted`: that range is gone, or the site holds more than this feed
 * has ever published (the cloud was restored from a backup): only the snapshot helps.
 */
export async function readFeed(db: Db, siteId: string, after: number, limit: number): Promise<FeedChanges> {
  return await db.read(async (q) => {
    const head = await readHead(q, siteId);
    if (!follows(head, after)) return { ok: false, reason: 'compacted' };
    const changes = await readChanges(q, siteId, after, limit);
    // The changes are JSON already; to parse and write them again would cost more than to read them.
    const texts = changes.map(({ n, mark, change }) => `{"n":${n},"mark":"${mark}","change":${change}}`);
    return {
      ok: true,
      batch: `{"v":${PROTOCOL_VERSION},"changes":[${texts.join(',')}],"head":${headText(head)}}`,
      upTo: changes.at(-1)?.n ?? after,
      headAt: head.n,
    };
  });
}

/** Whether the feed still has everything after a number. */
export async function goesOn(db: Db, siteId: string, after: number): Promise<boolean> {
  const head = await db.read((q) => readHead(q, siteId));
  return follows(head, after);
}

function follows(head: FeedState, after: number): boolean {
  return after >= head.compactedTo && after <= head.n;
}

/** FeedHead as JSON. */
export function headText({ n, hash }: FeedState): string {
  const head: FeedHead = { v: PROTOCOL_VERSION, n, hash };
  return JSON.stringify(head);
}
