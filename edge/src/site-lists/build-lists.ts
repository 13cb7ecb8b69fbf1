import { createHashSum, EMPTY_HASH } from '@hlid/protocol/content-hash';
import { Fault } from '@hlid/protocol/fault';
import type { ListChange, SettlementItem } from '@hlid/protocol/site-change';
import type { Visit } from '@hlid/protocol/visit';
import { notAddingUp, type ParsedLine } from '../cloud-link/feed-book.ts';
import type { SiteDb } from '../db/site-db.ts';
import { applyListChange, bodyDigest, type ShortPut } from './apply-change.ts';
import { createDraftItems } from './draft-items.ts';
import { hasRoom } from './has-room.ts';
import type { LongWork } from './long-work.ts';
import { createNextLists, type LongItem, longItem, type NextLists } from './next-lists.ts';

/** A snapshot that has come in whole and adds up to its hash: ready to take the place of the lists. */
export interface BuiltLists {
  n: number;
  hash: string;
  mark: string | undefined;
  long: NextLists;
  short: Iterable<ShortPut>;
  settlements: readonly SettlementItem[];
  /** The visits that are open; null: the cloud did not tell. */
  visits: readonly Visit[] | null;
}

/** Rows written at once: in about a millisecond, so that gates answer in between. */
const ROWS_AT_ONCE = 250;
/** Rows between two looks at how full the disk is. */
const ROWS_A_LOOK = 10_000;

/**
 * Builds lists beside the live ones out of the lines of a snapshot. Throws Fault `peer-misbehaved` where they are not
 * what they should be, and `no-room` where the disk is nearly full; what is half built then is left over.
 */
export async function buildLists(
  pieces: AsyncIterable<readonly ParsedLine[]>,
  { db, longWork }: { db: SiteDb; longWork: LongWork },
): Promise<BuiltLists> {
  const long = createNextLists(db, longWork);
  const draft = createDraftItems();
  const lists = { items: draft, permits: long.permits, vehicles: long.vehicles };
  // By their ids: a line that broke here has them sent once more.
  const settlements = new Map<string, SettlementItem>();
  const visits = new Map<string, Visit>();
  const sum = createHashSum();
  let head: { n: number; hash: string; mark?: string | undefined } | undefined;
  let end: { lines: number; visits?: number | undefined } | undefined;
  let taken = 0;
  let rows: LongItem[] = [];
  let written = 0;
  let indexed = false;

  function change(change: ListChange): void {
    sum.add(applyListChange(change, lists, EMPTY_HASH));
  }

  async function write(): Promise<void> {
    if (rows.length === 0) return;
    const some = rows;
    rows = [];
    if (written % ROWS_A_LOOK < ROWS_AT_ONCE && !hasRoom(db.name)) {
      throw new Fault('no-room', 'the disk has no room for the lists beside those in use');
    }
    written += some.length;
    await longWork.step(() => {
      for (const item of long.add(some)) {
        sum.take(bodyDigest(item.kind, item.id, item.body));
        change(putOf(item));
      }
    });
  }

  /** All items are there: what follows is looked up, changed and taken away again. */
  async function index(): Promise<void> {
    if (indexed) return;
    await write();
    await long.index();
    indexed = true;
  }

  /** @returns what has to be done before the next line */
  function take(line: ParsedLine): Promise<void> | undefined {
    switch (line.kind) {
      case 'head':
        // A later one names what it has come to meanwhile.
        head = line;
        return;
      case 'end':
        end = line;
        return;
      case 'permit':
      case 'vehicle': {
        taken++;
        const item = longItem(line);
        // After a line that broke among the changes there may be more items.
        if (indexed) return longWork.step(() => change(putOf(item)));
        sum.add(bodyDigest(item.kind, item.id, item.body));
        return rows.push(item) >= ROWS_AT_ONCE ? write() : undefined;
      }
      case 'change':
        taken++;
        return index().then(() => longWork.step(() => change(line.change)));
      case 'settlement':
        taken++;
        settlements.set(line.id, line.item);
        return;
      case 'visit':
        taken++;
        visits.set(line.id, line.item);
        return;
      default:
        taken++;
        change({ ...line, op: 'put' });
        return;
    }
  }

  for await (const piece of pieces) {
    for (const line of piece) {
      const first = take(line);
      if (first) await first;
    }
    const breath = longWork.breathe();
    if (breath) await breath;
  }
  await index();
  const hash = sum.hash();
  if (!head || end?.lines !== taken || head.hash !== hash) {
    throw notAddingUp('the snapshot is cut off or does not add up to its hash');
  }
  return {
    ...{ n: head.n, hash, mark: head.mark, long, short: draft.puts() },
    settlements: [...settlements.values()],
    visits: end.visits === visits.size ? [...visits.values()] : null,
  };
}

/** An item that is there already, as a change to it. */
function putOf({ kind, id, body }: LongItem): ListChange {
  // Parsed at the border when it came in.
  const item: unknown = JSON.parse(body);
  return { kind, op: 'put', id, item } as ListChange;
}
