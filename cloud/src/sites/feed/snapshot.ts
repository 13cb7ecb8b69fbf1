import { Fault } from '@hlid/protocol/base/fault';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { LIST_KINDS } from '@hlid/protocol/site-link/site-change';
import type { Db, Queries } from '../../platform/db/db.ts';
import { asc, eq, getTableColumns, sql, unindexed } from '../../platform/db/sql.ts';
import { type FeedState, readHead } from '../../records/feed/feed-head.ts';
import { markAt, readChanges } from '../../records/feed/feed-store.ts';
import { siteVisit } from '../../records/visits/site-visit.ts';
import { settlementTable, type VisitRow, visitTable } from '../../records/visits/visit-table.ts';
import { republishEdits } from './republish-edits.ts';
import { type ItemPlace, snapshotItems } from './snapshot-items.ts';

/** Lines of what comes after the items in one piece. */
const PIECE = 500;

export interface SnapshotRequest {
  /** The change that the site reports to hold. */
  siteHolds: number;
  /** Includes the open visits, for a site that has lost them. */
  visits?: boolean;
  /** Continues where an answer was cut off: the changes since that change, and the items after this one. */
  from?: { since: number; after: ItemPlace };
}

/**
 * Sends a site's lists as pieces of NDJSON: the head, a line per item, the changes since, the head after them, and the end
 * with the number of lines. Each piece shows the lists when it is read, so that a slow connection holds no transaction
 * open. `send` resolves when there is room for more, and throws to abort. Throws Fault `peer-misbehaved` where changes
 * that it needs are deleted: the site starts again.
 *
 * @returns the change of the last head, and the number of lines
 */
export async function readSnapshot(
  db: Db,
  siteId: string,
  send: (piece: string) => Promise<void>,
  wanted: SnapshotRequest,
): Promise<{ n: number; lines: number }> {
  const { siteHolds, visits = false, from } = wanted;
  let lines = 0;

  async function sendLines(texts: string[]): Promise<void> {
    for (let at = 0; at < texts.length; at += PIECE) {
      const piece = texts.slice(at, at + PIECE);
      lines += piece.length;
      await send(piece.join(''));
    }
  }

  const sendHead = ({ n, hash }: FeedState, mark: string | null = null) =>
    send(
      `${JSON.stringify({ kind: 'head', v: PROTOCOL_VERSION, n, hash, ...(mark !== null && { mark }) })}\n`,
    );

  async function sendRest({ settlements, open }: Awaited<ReturnType<typeof readRest>>): Promise<void> {
    await sendLines(settlements.map((item) => line('settlement', item.id, JSON.stringify(item))));
    await sendLines(open.map((visit) => line('visit', visit.id, JSON.stringify(siteVisit(visit)))));
    await send(`${JSON.stringify({ kind: 'end', lines, ...(visits && { visits: open.length }) })}\n`);
  }

  const readRest = async (q: Queries) => ({
    settlements: await openSettlements(q, siteId),
    open: visits ? await openVisits(q, siteId) : [],
  });

  const begun = await db.read((q) => readHead(q, siteId));
  let sentUpTo = from?.since ?? begun.n;
  await sendHead(begun);
  for await (const items of snapshotItems(db, siteId, from?.after ?? null)) {
    await sendLines(items.map(({ kind, id, item }) => line(kind, id, item)));
  }
  for (;;) {
    const after = sentUpTo;
    const { head, mark, changes, rest } = await db.read(async (q) => {
      const head = await readHead(q, siteId);
      const changes = await readChanges(q, siteId, after, PIECE);
      const mark = await markAt(q, siteId, head.n);
      return { head, mark, changes, rest: changes.length < PIECE ? await readRest(q) : null };
    });
    if (after < head.compactedTo || after > head.n) {
      throw new Fault('peer-misbehaved', 'what has changed since the snapshot began is gone');
    }
    const ofLists = changes.filter(({ kind }) => LIST_KINDS.some((listed) => listed === kind));
    await sendLines(ofLists.map(({ change }) => `{"kind":"change","change":${change}}\n`));
    sentUpTo = changes.at(-1)?.n ?? after;
    if (rest === null) continue;
    await republishEdits(db, siteId, siteHolds);
    await sendHead(head, mark);
    await sendRest(rest);
    return { n: head.n, lines };
  }
}

function line(kind: string, id: string, item: string): string {
  return `{"kind":"${kind}","id":${JSON.stringify(id)},"item":${item}}\n`;
}

/** Visits that may still come to an exit, or be settled. */
export async function openVisits(q: Queries, siteId: string): Promise<VisitRow[]> {
  const t = visitTable;
  return await q
    .select()
    .from(t)
    .where(
      sql`${t.id} IN (
        SELECT ${t.id} FROM ${t} WHERE ${eq(t.siteId, siteId)} AND ended_at IS NULL
        UNION SELECT ${t.id} FROM ${t} WHERE status <> 'completed' AND ${eq(unindexed(t.siteId), siteId)})`,
    )
    .orderBy(asc(t.startedAt), asc(t.id));
}

/**
 * Settlements of visits that may still come to an exit, or that the site does not have yet: read by these few visits.
 */
export async function openSettlements(q: Queries, siteId: string) {
  const { siteId: _, feedN: __, paidWith: ___, ...item } = getTableColumns(settlementTable);
  const t = visitTable;
  return await q
    .select(item)
    .from(settlementTable)
    .where(
      // The same terms as in the partial indexes of visits, so that they are used.
      sql`${settlementTable.visitId} IN (
        SELECT ${t.id} FROM ${t} WHERE ${eq(t.siteId, siteId)} AND ended_at IS NULL
        UNION ALL SELECT ${t.id} FROM ${t} WHERE status <> 'completed' AND ${eq(unindexed(t.siteId), siteId)}
        UNION ALL SELECT ${t.id} FROM ${t} WHERE ${eq(t.siteId, siteId)} AND feed_at < payment_edited_at)`,
    )
    .orderBy(asc(settlementTable.settledAt), asc(settlementTable.id));
}
