import { PROTOCOL_VERSION } from '@hlid/protocol/envelope';
import type { ListKind } from '@hlid/protocol/site-change';
import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { Db, Queries } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { settlementTable } from '../visits/settlement-table.ts';
import { visitTable } from '../visits/visit-table.ts';
import { readHead } from './feed-store.ts';
import { ALL_SITES, feedItemTable } from './feed-table.ts';
import { retellEdits } from './retell-edits.ts';

/** Lines in one piece of a snapshot. */
const PIECE = 500;

/** The long lists come last: a site needs the few others to make sense of them. */
const KINDS: readonly ListKind[] = ['site', 'product', 'zone', 'camera', 'quota', 'vehicle', 'permit'];

/**
 * Reads a site's lists as they stand at one moment, and gives them on as pieces of NDJSON: the head, an item a line,
 * and the end with the number of items. `send` resolves when there is room for more, and throws to break off.
 * `siteHolds` is the change that the site holds by its own word.
 *
 * @returns the change at which it stands, and how many items there were
 */
export async function readSnapshot(
  db: Db,
  siteId: string,
  siteHolds: number,
  send: (piece: string) => Promise<void>,
): Promise<{ n: number; lines: number }> {
  return await db.read(async (q) => {
    const { n, hash } = await readHead(q, siteId);
    await retellEdits(db, siteId, siteHolds);
    await send(`${JSON.stringify({ kind: 'head', v: PROTOCOL_VERSION, n, hash })}\n`);
    let lines = 0;
    const sendLines = async (texts: string[]) => {
      lines += texts.length;
      if (texts.length > 0) await send(texts.join(''));
    };
    for (const kind of KINDS) {
      for await (const items of itemsOf(q, siteId, kind)) {
        await sendLines(items.map(({ itemId, item }) => line(kind, itemId, item)));
      }
    }
    await sendLines(
      (await openSettlements(q, siteId)).map((item) => line('settlement', item.id, JSON.stringify(item))),
    );
    await send(`${JSON.stringify({ kind: 'end', lines })}\n`);
    return { n, lines };
  });
}

function line(kind: string, id: string, item: string): string {
  return `{"kind":"${kind}","id":${JSON.stringify(id)},"item":${item}}\n`;
}

const itemsAfter = prepared((q) => {
  const { scope, kind, itemId, item } = feedItemTable;
  return q
    .select({ itemId, item })
    .from(feedItemTable)
    .where(
      and(
        eq(scope, sql.placeholder('scope')),
        eq(kind, sql.placeholder('kind')),
        gt(itemId, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(itemId))
    .limit(PIECE)
    .prepare();
});

/** The items of a kind that the site holds: its own, and those of all that it has none of its own for. */
async function* itemsOf(
  q: Queries,
  siteId: string,
  kind: ListKind,
): AsyncGenerator<{ itemId: string; item: string }[]> {
  const own = new Set<string>();
  for await (const items of pages(q, siteId, kind)) {
    for (const { itemId } of items) own.add(itemId);
    yield items.flatMap(({ itemId, item }) => (item === null ? [] : [{ itemId, item }]));
  }
  for await (const items of pages(q, ALL_SITES, kind)) {
    yield items.flatMap(({ itemId, item }) => (item === null || own.has(itemId) ? [] : [{ itemId, item }]));
  }
}

async function* pages(
  q: Queries,
  scope: string,
  kind: ListKind,
): AsyncGenerator<{ itemId: string; item: string | null }[]> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const items: { itemId: string; item: string | null }[] = await itemsAfter(q).all({ scope, kind, after });
    yield items;
    after = items.length < PIECE ? undefined : items.at(-1)?.itemId;
  }
}

/** Settlements of visits that may still come to an exit, or of which the site has not heard: from these few visits on. */
async function openSettlements(q: Queries, siteId: string) {
  const { siteId: _, ...item } = getTableColumns(settlementTable);
  const t = visitTable;
  return await q
    .select(item)
    .from(settlementTable)
    .where(
      // Word for word as the small indexes of visits say it.
      sql`${settlementTable.visitId} IN (
        SELECT ${t.id} FROM ${t} WHERE ${t.siteId} = ${siteId} AND ended_at IS NULL
        UNION SELECT ${t.id} FROM ${t} WHERE status <> 'completed' AND +${t.siteId} = ${siteId}
        UNION SELECT ${t.id} FROM ${t} WHERE ${t.siteId} = ${siteId} AND feed_at < payment_edited_at)`,
    )
    .orderBy(asc(settlementTable.settledAt), asc(settlementTable.id));
}
