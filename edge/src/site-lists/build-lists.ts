import { dirname } from 'node:path';
import { Fault } from '@hlid/protocol/base/fault';
import type { Visit } from '@hlid/protocol/records/visit';
import { createHashSum, EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import type { ListChange, SettlementItem } from '@hlid/protocol/site-link/site-change';
import { diskSpaceSync } from '../base/disk-space.ts';
import type { SiteDb } from '../db/site-db.ts';
import { applyListChange, bodyDigest, type ListStores } from './apply-change.ts';
import { notAddingUp, type ParsedLine } from './feed-book.ts';
import type { ShortListKind, ShortPut } from './list-item-store.ts';
import type { LongWork } from './long-work.ts';
import { type LongItem, longItem, NextLists } from './next-lists.ts';

/** A snapshot that has arrived whole and matches its hash: ready to replace the lists. */
export interface BuiltLists {
  n: number;
  hash: string;
  mark: string | undefined;
  long: NextLists;
  short: Iterable<ShortPut>;
  settlements: readonly SettlementItem[];
  /** The visits that are open; null: the cloud did not send them. */
  visits: readonly Visit[] | null;
}

/** Rows written at once: in about a millisecond, so that gates answer in between. */
const ROWS_PER_STEP = 250;
/** Rows between two checks of the free space. */
const ROWS_PER_SPACE_CHECK = 10_000;
/** Cars need room first: lists leave this much of the disk free, or a tenth of a small disk. */
const RESERVED_BYTES = 128 * 1024 * 1024;
const RESERVED_SHARE = 0.1;

/**
 * Builds lists beside the live ones from the lines of a snapshot. Throws Fault `peer-misbehaved` where they are not
 * valid, and `no-room` where the disk is nearly full; what is half built is left for the sweeper.
 */
export async function buildLists(
  pieces: AsyncIterable<readonly ParsedLine[]>,
  { db, longWork }: { db: SiteDb; longWork: LongWork },
): Promise<BuiltLists> {
  const builder = new ListBuilder(db, longWork);
  for await (const piece of pieces) {
    for (const line of piece) {
      const work = builder.add(line);
      if (work) await work;
    }
    const breath = longWork.breathe();
    if (breath) await breath;
  }
  return builder.finish();
}

class ListBuilder {
  readonly #db: SiteDb;
  readonly #longWork: LongWork;
  readonly #long: NextLists;
  readonly #short = new DraftItems();
  readonly #lists: ListStores;
  // The settlements by id: after a broken connection the cloud sends some again.
  readonly #settlements = new Map<string, SettlementItem>();
  readonly #visits = new Map<string, Visit>();
  readonly #sum = createHashSum();
  #head: Extract<ParsedLine, { kind: 'head' }> | undefined;
  #end: Extract<ParsedLine, { kind: 'end' }> | undefined;
  #lines = 0;
  #rows: LongItem[] = [];
  #written = 0;
  #indexed = false;

  constructor(db: SiteDb, longWork: LongWork) {
    this.#db = db;
    this.#longWork = longWork;
    this.#long = new NextLists(db, longWork);
    this.#lists = { items: this.#short, permits: this.#long.permits, vehicles: this.#long.vehicles };
  }

  /** @returns what must be done before the next line */
  add(line: ParsedLine): Promise<unknown> | undefined {
    if (line.kind === 'head') {
      // A later head names the changes that the cloud has added meanwhile.
      this.#head = line;
      return;
    }
    if (line.kind === 'end') {
      this.#end = line;
      return;
    }
    this.#lines++;
    switch (line.kind) {
      case 'permit':
      case 'vehicle':
        return this.#addLong(longItem(line));
      case 'change':
        return this.#index().then(() => this.#longWork.step(() => this.#change(line.change)));
      case 'settlement':
        this.#settlements.set(line.id, line.item);
        return;
      case 'visit':
        this.#visits.set(line.id, line.item);
        return;
      default:
        this.#change({ ...line, op: 'put' });
        return;
    }
  }

  async finish(): Promise<BuiltLists> {
    await this.#index();
    const [head, end, hash] = [this.#head, this.#end, this.#sum.hash()];
    if (!head || end?.lines !== this.#lines || head.hash !== hash) {
      throw notAddingUp('the snapshot is cut off or does not add up to its hash');
    }
    return {
      n: head.n,
      hash,
      mark: head.mark,
      long: this.#long,
      short: this.#short.puts(),
      settlements: [...this.#settlements.values()],
      visits: end.visits === this.#visits.size ? [...this.#visits.values()] : null,
    };
  }

  #addLong(item: LongItem): Promise<unknown> | undefined {
    // More items may come after a connection that broke among the changes.
    if (this.#indexed) return this.#longWork.step(() => this.#change(putOf(item)));
    this.#sum.add(bodyDigest(item.kind, item.id, item.body));
    return this.#rows.push(item) >= ROWS_PER_STEP ? this.#write() : undefined;
  }

  #change(change: ListChange): void {
    this.#sum.add(applyListChange(change, this.#lists, EMPTY_HASH));
  }

  async #write(): Promise<void> {
    if (this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    if (this.#written % ROWS_PER_SPACE_CHECK < ROWS_PER_STEP && !hasRoom(this.#db.name)) {
      throw new Fault('no-room', 'the disk has no room for the lists beside those in use');
    }
    this.#written += rows.length;
    await this.#longWork.step(() => {
      for (const item of this.#long.add(rows)) {
        this.#sum.take(bodyDigest(item.kind, item.id, item.body));
        this.#change(putOf(item));
      }
    });
  }

  /** All items have arrived: the changes that follow look them up. */
  async #index(): Promise<void> {
    if (this.#indexed) return;
    await this.#write();
    await this.#long.index();
    this.#indexed = true;
  }
}

/** The short lists of a snapshot while it arrives. */
class DraftItems {
  readonly #drafts = new Map<string, ShortPut>();

  get(kind: ShortListKind, id: string): unknown {
    return this.#drafts.get(`${kind} ${id}`)?.item;
  }

  put(change: ShortPut): void {
    this.#drafts.set(`${change.kind} ${change.id}`, change);
  }

  remove(kind: ShortListKind, id: string): void {
    this.#drafts.delete(`${kind} ${id}`);
  }

  puts(): Iterable<ShortPut> {
    return this.#drafts.values();
  }
}

/** An item that exists already, as a change to it. */
function putOf({ kind, id, body }: LongItem): ListChange {
  // Parsed at the border when it came in.
  const item: unknown = JSON.parse(body);
  return { kind, op: 'put', id, item } as ListChange;
}

/** Whether the disk that holds this file has room for more than what cars need. */
function hasRoom(file: string): boolean {
  const { free, total } = diskSpaceSync(dirname(file));
  return free > Math.min(RESERVED_BYTES, total * RESERVED_SHARE);
}
