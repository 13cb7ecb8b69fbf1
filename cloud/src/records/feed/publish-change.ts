import { contentDigest } from '@hlid/node/digest';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { itemText } from '@hlid/protocol/site-link/content-hash';
import { LIST_KINDS, type ListKind, type SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { readHead } from './feed-head.ts';
import {
  appendChange,
  changeHash,
  deleteItem,
  deleteOwnItems,
  readHeads,
  readItem,
  readOwnItems,
  writeHead,
  writeItem,
} from './feed-store.ts';
import { ALL_SITES } from './feed-table.ts';

/** The announcement of a transaction when a site's feed has grown. */
export const FEED_GREW = 'feed/';

/**
 * Sends a change to one site, or to all. It numbers the change in each site's feed, updates the lists and
 * their hash, and pushes the change after the commit. A put of an item that the feed already holds, and a
 * removal of one that it does not hold, get no number. Feeds of revoked sites grow too, so that a site that
 * is admitted again has missed nothing.
 *
 * @returns the number of the change in that site's feed, or of the newest change if this one was not needed;
 *   for `'all'` the highest number, or 0 if none was needed
 */
export async function publishChange(tx: Tx, sites: string | 'all', change: SiteChangeBody): Promise<number> {
  if (!isListChange(change)) return await publishEvent(tx, sites, change);
  return sites === 'all' ? await changeForAll(tx, change) : await changeForOne(tx, sites, change);
}

type ListChange = Extract<SiteChangeBody, { kind: ListKind }>;

function isListChange(change: SiteChangeBody): change is ListChange {
  return LIST_KINDS.some((kind) => kind === change.kind);
}

/** Settlements and edits: part of no list, each has its number. */
async function publishEvent(tx: Tx, sites: string | 'all', change: SiteChangeBody): Promise<number> {
  const ids = sites === 'all' ? (await readHeads(tx.q)).map((head) => head.scope) : [sites];
  let n = 0;
  for (const id of ids) n = Math.max(n, await append(tx, id, change, { before: null, after: null }));
  return n;
}

async function changeForOne(tx: Tx, siteId: string, change: ListChange): Promise<number> {
  const { kind, id } = change;
  const common = await readItem(tx.q, ALL_SITES, kind, id);
  const before = (await readItem(tx.q, siteId, kind, id)) ?? common;
  const after = heldAfter(change);
  if ((before?.digest ?? null) === after.digest) return (await readHead(tx.q, siteId)).n;
  if ((common?.digest ?? null) === after.digest) await deleteItem(tx.q, siteId, kind, id);
  else await writeItem(tx.q, { scope: siteId, kind, itemId: id, ...after });
  return await append(tx, siteId, change, { before: before?.digest ?? null, after: after.digest });
}

async function changeForAll(tx: Tx, change: ListChange): Promise<number> {
  const { kind, id } = change;
  const common = (await readItem(tx.q, ALL_SITES, kind, id))?.digest ?? null;
  const own = new Map((await readOwnItems(tx.q, kind, id)).map((item) => [item.scope, item.digest]));
  const after = heldAfter(change);
  // Most often so: a vehicle that sites need not know of.
  if (own.size === 0 && common === after.digest) return 0;
  await setCommon(tx.q, change, { before: common, after });
  if (own.size > 0) await deleteOwnItems(tx.q, kind, id);
  let highest = 0;
  for (const { scope } of await readHeads(tx.q)) {
    const before = own.get(scope) === undefined ? common : (own.get(scope) ?? null);
    if (before === after.digest) continue;
    highest = Math.max(highest, await append(tx, scope, change, { before, after: after.digest }));
  }
  return highest;
}

async function setCommon(
  q: Queries,
  { kind, id }: ListChange,
  { before, after }: { before: string | null; after: Held },
): Promise<void> {
  if (before === after.digest) return;
  if (after.digest === null) await deleteItem(q, ALL_SITES, kind, id);
  else await writeItem(q, { scope: ALL_SITES, kind, itemId: id, ...after });
  const head = await readHead(q, ALL_SITES);
  const hash = changeHash(head.hash, { before, after: after.digest });
  await writeHead(q, ALL_SITES, { ...head, hash });
}

async function append(
  tx: Tx,
  siteId: string,
  change: SiteChangeBody,
  digests: { before: string | null; after: string | null },
): Promise<number> {
  const n = await appendChange(tx.q, siteId, change, digests);
  tx.announce(`${FEED_GREW}${siteId}`);
  return n;
}

type Held = { digest: string; item: string } | { digest: null; item: null };

function heldAfter(change: ListChange): Held {
  if (change.op === 'remove') return { digest: null, item: null };
  return {
    digest: contentDigest(itemText(change.kind, change.id, change.item)),
    item: canonicalJson(change.item),
  };
}
