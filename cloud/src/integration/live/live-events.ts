import type { Writable } from 'node:stream';
import { nowUtc } from '@hlid/node/clock';
import { SerialQueue } from '@hlid/node/serial-queues';
import { messageOf } from '@hlid/protocol/base/fault';
import { TOKEN_ENDED } from '../../people/auth/tokens.ts';
import { EVENTS } from '../../platform/events.ts';
import type { OperatorRights, OwnRows } from '../../platform/http/caller.ts';
import type { CloudContext, CoreContext } from '../../platform/http/cloud-env.ts';
import { type EventRow, everyEventAfter, newestEvent } from '../../records/integration-events/read-events.ts';
import { INTEGRATION_EVENT } from '../../records/integration-events/record-event.ts';
import { eventFrom } from '../webhooks/event-data.ts';
import { holderOf, isForOperator } from './event-holder.ts';
import { LiveBoards, type WantedBoard } from './live-boards.ts';
import { encodeEvent, LiveReader } from './live-reader.ts';

/** How often to do what. */
export interface LivePace {
  /** Events that another cloud recorded and died before it announced them are found this much later. */
  checkEveryMs: number;
  /** A page that gets nothing for two and a half of these shows its data as stale. */
  heartbeatEveryMs: number;
}
const PACE: LivePace = { checkEveryMs: 2000, heartbeatEveryMs: 10_000 };

const EVENTS_AT_ONCE = 200;
/** A reader that missed more reads everything again, which is less. */
const MAX_MISSED = EVENTS_AT_ONCE;
/**
 * The most streams at once: of this cloud, and of one account, which may have pages open on several machines.
 */
export interface LiveLimits {
  all: number;
  ofAccount: number;
}
const LIMITS: LiveLimits = { all: 2000, ofAccount: 40 };

/** The reader of a stream, and what the reader may see. */
export interface LiveCaller {
  own: OwnRows;
  /** The rights of the caller as an operator. */
  rights: OperatorRights;
  accountId: string;
  tokenId: string;
  /** Whether the caller's token still holds; asked at each heartbeat. */
  isLive: () => Promise<boolean>;
}

/**
 * The integration log as server-sent events, for open pages. Each stream has the events from the reader's
 * last one on, in order and without a gap, whichever cloud on the database serves it. It works only while
 * there are readers.
 */
export class LiveEvents {
  readonly #context: CoreContext;
  readonly #pace: LivePace;
  readonly #boards: LiveBoards;
  readonly #limits: LiveLimits;
  readonly #readers = new Map<LiveReader, LiveCaller>();
  /** Open streams, and those that are being opened. */
  #streams = 0;
  readonly #streamsOf = new Map<string, number>();
  readonly #queue = new SerialQueue();
  /** The last event that all readers have. */
  #last = 0;
  #isPumpDue = false;
  #ending: () => void = () => undefined;

  constructor(
    context: CoreContext & Pick<CloudContext, 'boards'>,
    pace: LivePace = PACE,
    limits: LiveLimits = LIMITS,
  ) {
    this.#limits = limits;
    this.#context = context;
    this.#boards = new LiveBoards(context.db, context.boards);
    this.#pace = pace;
  }

  /** Whether the most streams are open, so that no other is opened: no account fills the cloud by its own. */
  get isFull(): boolean {
    return this.#streams >= this.#limits.all;
  }

  /** Whether an account has as many streams as it may. Others have room for theirs. */
  isFullFor(accountId: string): boolean {
    return (this.#streamsOf.get(accountId) ?? 0) >= this.#limits.ofAccount;
  }

  /**
   * @param out where the events are written to
   * @param after the number of the reader's last event; null: it begins now
   * @param boards the boards that it gets too
   */
  async open(
    caller: LiveCaller,
    out: Writable,
    after: number | null,
    boards: readonly WantedBoard[] = [],
  ): Promise<void> {
    const isTooMany = this.isFull || this.isFullFor(caller.accountId);
    this.#count(caller.accountId, 1);
    const reader = new LiveReader(out, () => {
      this.#count(caller.accountId, -1);
      this.#remove(reader);
    });
    // Several were let in at the same time.
    if (isTooMany) return reader.end();
    try {
      await this.#queue.run(() => this.#join(reader, caller, after));
      if (this.#readers.has(reader)) await this.#boards.open(reader, boards);
    } catch (error) {
      // It comes back.
      reader.end();
      this.#failed(error);
    }
    // It may have ended meanwhile.
    if (!this.#readers.has(reader)) this.#boards.close(reader);
  }

  /** Ends all streams; the readers come back to another cloud, or to this one when it is there again. */
  stop(): void {
    for (const reader of this.#readers.keys()) reader.end();
  }

  async #join(reader: LiveReader, caller: LiveCaller, after: number | null): Promise<void> {
    // Another cloud, from which the reader comes, may have been ahead.
    if (this.#readers.size > 0) await this.#pump();
    else this.#last = await this.#context.db.read(newestEvent);
    const last = this.#last;
    const missed = await this.#eventsBetween(after ?? last, last);
    const n = missed === null ? last : (after ?? last);
    reader.send(encodeEvent('ready', { n, reset: missed === null }, n));
    for (const event of missed ?? []) await this.#show(event, new Map([[reader, caller]]));
    // It may have gone while it waited.
    if (!reader.isOpen) return;
    this.#readers.set(reader, caller);
    if (this.#readers.size === 1) this.#begin();
  }

  /** The events between two numbers; null: they are too many, or deleted by now. Numbers have no gaps. */
  async #eventsBetween(from: number, to: number): Promise<EventRow[] | null> {
    if (from === to) return [];
    if (from > to || to - from > MAX_MISSED) return null;
    const events = (await this.#eventsAfter(from)).filter(({ n }) => n <= to);
    return events.length === to - from ? events : null;
  }

  #begin(): void {
    const { db } = this.#context;
    const unwatch = db.onAnnounced((names) => {
      if (names.has(INTEGRATION_EVENT)) this.#pumpSoon();
      this.#endRevoked(names);
    });
    const checking = setInterval(() => this.#pumpSoon(), this.#pace.checkEveryMs);
    const beating = setInterval(() => void this.#beat(), this.#pace.heartbeatEveryMs);
    this.#ending = () => {
      unwatch();
      clearInterval(checking);
      clearInterval(beating);
    };
    // An event may have come between the reading of the newest one and now.
    this.#pumpSoon();
  }

  /** A session that is ended elsewhere takes its streams with it. */
  #endRevoked(names: ReadonlySet<string>): void {
    for (const [reader, { tokenId }] of [...this.#readers]) {
      if (names.has(`${TOKEN_ENDED}${tokenId}`)) reader.end();
    }
  }

  #count(accountId: string, by: 1 | -1): void {
    this.#streams += by;
    const own = (this.#streamsOf.get(accountId) ?? 0) + by;
    if (own > 0) this.#streamsOf.set(accountId, own);
    else this.#streamsOf.delete(accountId);
  }

  #remove(reader: LiveReader): void {
    this.#boards.close(reader);
    if (this.#readers.delete(reader) && this.#readers.size === 0) this.#ending();
  }

  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    this.#queue
      .run(async () => {
        this.#isPumpDue = false;
        await this.#pump();
      })
      .catch((error) => this.#failed(error));
  }

  async #pump(): Promise<void> {
    while (this.#readers.size > 0) {
      const events = await this.#eventsAfter(this.#last);
      for (const event of events) {
        await this.#show(event, this.#readers);
        if (isPresence(event) && event.siteId !== null) await this.#boards.presenceChanged(event.siteId);
        this.#last = event.n;
      }
      if (events.length < EVENTS_AT_ONCE) return;
    }
  }

  async #eventsAfter(after: number): Promise<EventRow[]> {
    return await this.#context.db.read((q) => everyEventAfter(q, after, EVENTS_AT_ONCE));
  }

  /** Shows an event to those who may see it; its owner is looked up once for any number of readers. */
  async #show(event: EventRow, readers: ReadonlyMap<LiveReader, LiveCaller>): Promise<void> {
    const shown = encodeEvent('change', eventFrom(event), event.n);
    let holder: string | null | undefined;
    for (const [reader, { own, rights }] of readers) {
      if (own.all) {
        if (!isForOperator(event, own, rights)) continue;
      } else {
        if (holder === undefined) holder = await this.#context.db.read((q) => holderOf(q, event));
        if (holder === null || holder !== own.customerId) continue;
      }
      reader.send(shown);
    }
  }

  async #beat(): Promise<void> {
    const alive = encodeEvent('alive', { on: nowUtc(this.#context.clock) });
    for (const [reader, { isLive }] of [...this.#readers]) {
      try {
        if (await isLive()) reader.send(alive);
        else reader.end();
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  #failed(error: unknown): void {
    const { log } = this.#context;
    log.error({ event: EVENTS.liveFailed, err: error }, messageOf(error));
  }
}

function isPresence({ type }: EventRow): boolean {
  return type === 'site.connected' || type === 'site.lost';
}
