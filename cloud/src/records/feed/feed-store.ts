import { addToHash, takeFromHash } from '@hlid/protocol/site-link/content-hash';
import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, gt, inArray, lte, ne, notInArray, type SQL, sql } from '../../platform/db/sql.ts';
import { type FeedState, readHead } from './feed-head.ts';
import { ALL_SITES, feedChangeTable, feedHeadTable, feedItemTable, NEW_MARK } from './feed-table.ts';

/** An item as a scope holds it; `digest` and `item` null: the site does not hold what all others do. */
export interface FeedItem {
  scope: string;
  digest: string | null;
  item: string | null;
}

const value = sql.placeholder;
const setHead = prepared((q) =>
  q
    .insert(feedHeadTable)
    .values({
      scope: value('scope'),
      n: value('n'),
      hash: value('hash'),
      compactedTo: value('compactedTo'),
    })
    .onConflictDoUpdate({
      target: feedHeadTable.scope,
      set: { n: sql`excluded.n`, hash: sql`excluded.hash`, compactedTo: sql`excluded.compacted_to` },
    })
    .prepare(),
);

const addChange = prepared((q) =>
  q
    .insert(feedChangeTable)
    .values({
      siteId: value('siteId'),
      n: value('n'),
      mark: NEW_MARK,
      kind: value('kind'),
      itemId: value('itemId'),
      change: value('change'),
    })
    .prepare(),
);

const itemIn = prepared((q) =>
  q
    .select({ scope: feedItemTable.scope, digest: feedItemTable.digest, item: feedItemTable.item })
    .from(feedItemTable)
    .where(
      and(
        eq(feedItemTable.scope, value('scope')),
        eq(feedItemTable.kind, value('kind')),
        eq(feedItemTable.itemId, value('itemId')),
      ),
    )
    .prepare(),
);

const ownItems = prepared((q) =>
  q
    .select({ scope: feedItemTable.scope, digest: feedItemTable.digest, item: feedItemTable.item })
    .from(feedItemTable)
    .where(
      and(
        eq(feedItemTable.kind, value('kind')),
        eq(feedItemTable.itemId, value('itemId')),
        ne(feedItemTable.scope, ALL_SITES),
      ),
    )
    .prepare(),
);

const setItem = prepared((q) =>
  q
    .insert(feedItemTable)
    .values({
      scope: value('scope'),
      kind: value('kind'),
      itemId: value('itemId'),
      digest: value('digest'),
      item: value('item'),
    })
    .onConflictDoUpdate({
      target: [feedItemTable.scope, feedItemTable.kind, feedItemTable.itemId],
      set: { digest: sql`excluded.digest`, item: sql`excluded.item` },
    })
    .prepare(),
);

const changesAfter = prepared((q) =>
  q
    .select({
      n: feedChangeTable.n,
      mark: feedChangeTable.mark,
      kind: feedChangeTable.kind,
      change: feedChangeTable.change,
    })
    .from(feedChangeTable)
    .where(and(eq(feedChangeTable.siteId, value('siteId')), gt(feedChangeTable.n, value('after'))))
    .orderBy(asc(feedChangeTable.n))
    .limit(value('limit'))
    .prepare(),
);

const markOf = prepared((q) =>
  q
    .select({ mark: feedChangeTable.mark })
    .from(feedChangeTable)
    .where(and(eq(feedChangeTable.siteId, value('siteId')), eq(feedChangeTable.n, value('n'))))
    .prepare(),
);

const compactedMarkOf = prepared((q) =>
  q
    .select({ mark: feedHeadTable.compactedMark })
    .from(feedHeadTable)
    .where(and(eq(feedHeadTable.scope, value('siteId')), eq(feedHeadTable.compactedTo, value('n'))))
    .prepare(),
);

export async function writeHead(q: Queries, scope: string, head: FeedState): Promise<void> {
  await setHead(q).run({ scope, ...head });
}

/** Every site's feed. */
export function readHeads(q: Queries): Promise<(FeedState & { scope: string })[]> {
  return Promise.resolve(q.select().from(feedHeadTable).where(ne(feedHeadTable.scope, ALL_SITES)));
}

export async function readItem(
  q: Queries,
  scope: string,
  kind: string,
  itemId: string,
): Promise<FeedItem | null> {
  return (await itemIn(q).get({ scope, kind, itemId })) ?? null;
}

/** The items of single sites that replace the one for all sites. */
export async function readOwnItems(q: Queries, kind: string, itemId: string): Promise<FeedItem[]> {
  return await ownItems(q).all({ kind, itemId });
}

export async function writeItem(
  q: Queries,
  item: { scope: string; kind: string; itemId: string; digest: string | null; item: string | null },
): Promise<void> {
  await setItem(q).run(item);
}

export async function deleteItem(q: Queries, scope: string, kind: string, itemId: string): Promise<void> {
  await q
    .delete(feedItemTable)
    .where(
      and(eq(feedItemTable.scope, scope), eq(feedItemTable.kind, kind), eq(feedItemTable.itemId, itemId)),
    );
}

export async function deleteOwnItems(q: Queries, kind: string, itemId: string): Promise<void> {
  await q
    .delete(feedItemTable)
    .where(
      and(eq(feedItemTable.kind, kind), eq(feedItemTable.itemId, itemId), ne(feedItemTable.scope, ALL_SITES)),
    );
}

/** Adds a change to a site's feed. @returns its number */
export async function appendChange(
  q: Queries,
  siteId: string,
  change: SiteChangeBody,
  digests: { before: string | null; after: string | null },
): Promise<number> {
  const head = await readHead(q, siteId);
  const n = head.n + 1;
  await addChange(q).run({ siteId, n, kind: change.kind, itemId: change.id, change: JSON.stringify(change) });
  await writeHead(q, siteId, { ...head, n, hash: changeHash(head.hash, digests) });
  return n;
}

/** The mark of a change; null where it is not known any more. */
export async function markAt(q: Queries, siteId: string, n: number): Promise<string | null> {
  const kept = (await markOf(q).get({ siteId, n })) ?? (await compactedMarkOf(q).get({ siteId, n }));
  return kept === undefined || kept.mark === '' ? null : kept.mark;
}

/** Keeps the mark of the change up to which a site's feed is compacted. */
export async function keepMark(q: Queries, siteId: string, compactedMark: string | SQL): Promise<void> {
  await q.update(feedHeadTable).set({ compactedMark }).where(eq(feedHeadTable.scope, siteId));
}

/** A hash of lists after an item was changed, added (`before` null) or taken away (`after` null). */
export function changeHash(hash: string, digests: { before: string | null; after: string | null }): string {
  const without = digests.before === null ? hash : takeFromHash(hash, digests.before);
  return digests.after === null ? without : addToHash(without, digests.after);
}

/** Changes as JSON after a number, in order. */
export async function readChanges(
  q: Queries,
  siteId: string,
  after: number,
  limit: number,
): Promise<{ n: number; mark: string; kind: SiteChangeBody['kind']; change: string }[]> {
  return await changesAfter(q).all({ siteId, after, limit });
}

export async function deleteChanges(
  q: Queries,
  siteId: string,
  upTo: number,
  kept: SiteChangeBody['kind'][],
): Promise<void> {
  await q
    .delete(feedChangeTable)
    .where(
      and(
        eq(feedChangeTable.siteId, siteId),
        lte(feedChangeTable.n, upTo),
        notInArray(feedChangeTable.kind, kept),
      ),
    );
}

/** The kept changes of visits in which a plate stands. They are few: an index has nothing to save. */
export async function deleteVisitsOfPlate(
  q: Queries,
  siteId: string,
  upTo: number,
  plate: string,
): Promise<void> {
  const { change, kind, n } = feedChangeTable;
  await q
    .delete(feedChangeTable)
    .where(
      and(
        eq(feedChangeTable.siteId, siteId),
        lte(n, upTo),
        inArray(kind, ['visit', 'visit-edit']),
        sql`instr(${change}, ${JSON.stringify(plate)}) > 0`,
      ),
    );
}

export async function deleteChange(q: Queries, siteId: string, n: number): Promise<void> {
  await q.delete(feedChangeTable).where(and(eq(feedChangeTable.siteId, siteId), eq(feedChangeTable.n, n)));
}
