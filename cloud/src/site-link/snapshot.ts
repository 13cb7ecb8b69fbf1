import { PROTOCOL_VERSION } from '@hlid/protocol/envelope';
import { Fault } from '@hlid/protocol/fault';
import { LIST_KINDS } from '@hlid/protocol/site-change';
import type { Db, Queries } from '../db/db.ts';
import { type FeedState, markAt, readChanges, readHead } from '../feed/feed-store.ts';
import { siteVisit } from '../visits/change/add-visit.ts';
import { retellEdits } from './republish-edits.ts';
import { type ItemPlace, snapshotItems } from './snapshot-items.ts';
import { openSettlements, openVisits } from './snapshot-visits.ts';

/** Lines of what comes after the items in one piece. */
const PIECE = 500;

export interface SnapshotWanted {
  /** The change that the site holds by its own word. */
  siteHolds: number;
  /** With the visits that are not over, for a site that has lost them. */
  visits?: boolean;
  /** Goes on where an answer was cut off: what has changed since that change, and the items behind this one. */
  from?: { since: number; after: ItemPlace };
}

/**
 * Reads a site's lists, and gives them on as pieces of NDJSON: the head, an item a line, what has changed in them
 * since, the head that it has come to, and the end with the number of lines. Each piece is as the lists are when it is read,
 * so that nothing is held on to while a slow line takes its time. `send` resolves when there is room for
 * more, and throws to break off. Throws Fault `peer-misbehaved` where changes that it needs are gone: the site begins
 * anew.
 *
 * @returns the change at which it stands, and how many lines there were
 */
export async function readSnapshot(
  db: Db,
  siteId: string,
  send: (piece: string) => Promise<void>,
  wanted: SnapshotWanted,
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
  let told = from?.since ?? begun.n;
  await sendHead(begun);
  for await (const items of snapshotItems(db, siteId, from?.after ?? null)) {
    await sendLines(items.map(({ kind, id, item }) => line(kind, id, item)));
  }
  for (;;) {
    const after = told;
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
    told = changes.at(-1)?.n ?? after;
    if (rest === null) continue;
    await retellEdits(db, siteId, siteHolds);
    await sendHead(head, mark);
    await sendRest(rest);
    return { n: head.n, lines };
  }
}

function line(kind: string, id: string, item: string): string {
  return `{"kind":"${kind}","id":${JSON.stringify(id)},"item":${item}}\n`;
}
