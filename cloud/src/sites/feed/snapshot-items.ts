import type { ListKind } from '@hlid/protocol/site-link/site-change';
import { alias, unionAll } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, asc, eq, gt, isNotNull, notExists, sql } from '../../platform/db/sql.ts';
import { ALL_SITES, feedItemTable } from '../../records/feed/feed-table.ts';

/** The last item of a snapshot that a site has: the next items come after it. */
export interface ItemPlace {
  kind: ListKind;
  id: string;
}

/** An item as it stands in a line of a snapshot; `item` is JSON. */
export interface SnapshotItem extends ItemPlace {
  item: string;
}

/** Items in one piece of a snapshot. */
const PIECE = 500;

/** The long lists come last: a site needs the few others to make sense of them. */
const KINDS: readonly ListKind[] = [
  'site',
  'product',
  'zone',
  'camera',
  'quota',
  'online-payment',
  'vehicle',
  'permit',
];

const itemsAfter = prepared((q) => {
  const { scope, kind, itemId, item } = feedItemTable;
  const value = sql.placeholder;
  const own = alias(feedItemTable, 'own');
  const ofSite = q
    .select({ itemId, item })
    .from(feedItemTable)
    .where(
      and(eq(scope, value('siteId')), eq(kind, value('kind')), gt(itemId, value('after')), isNotNull(item)),
    );
  const ofAll = q
    .select({ itemId, item })
    .from(feedItemTable)
    .where(
      and(
        eq(scope, ALL_SITES),
        eq(kind, value('kind')),
        gt(itemId, value('after')),
        notExists(
          q
            .select({ one: sql`1` })
            .from(own)
            .where(and(eq(own.scope, value('siteId')), eq(own.kind, kind), eq(own.itemId, itemId))),
        ),
      ),
    );
  // Both in the order of their index: they are merged, and nothing is sorted.
  return unionAll(ofSite, ofAll).orderBy(asc(itemId)).limit(PIECE).prepare();
});

/**
 * The items that a site holds: its own, and those of all sites unless it has its own instead. They come kind
 * by kind in the order of their ids, each piece by a separate `read`.
 */
export async function* snapshotItems(
  db: Pick<Db, 'read'>,
  siteId: string,
  from: ItemPlace | null,
): AsyncGenerator<SnapshotItem[]> {
  for (const kind of from === null ? KINDS : KINDS.slice(KINDS.indexOf(from.kind))) {
    let after: string | null = from?.kind === kind ? from.id : '';
    while (after !== null) {
      const place: { siteId: string; kind: ListKind; after: string } = { siteId, kind, after };
      const rows = await db.read(async (q) => await itemsAfter(q).all(place));
      yield rows.map(({ itemId, item }) => ({ kind, id: itemId, item: item ?? 'null' }));
      after = rows.length < PIECE ? null : (rows.at(-1)?.itemId ?? null);
    }
  }
}
