import { SerialQueues } from '@hlid/node/serial-queues';
import { MAX_BATCH_BYTES } from '@hlid/protocol/envelope';
import { messageOf } from '@hlid/protocol/fault';
import type { Logger } from 'pino';
import type { SiteBus } from '../broker/site-bus.ts';
import type { Db } from '../db/db.ts';
import { EVENTS } from '../events.ts';
import { type FeedState, readHead, readHeads } from '../feed/feed-store.ts';
import { FEED_GREW } from '../feed/publish-change.ts';
import { listSites } from '../sites/site-store.ts';
import { headText, readFeed } from './read-feed.ts';

/** Changes in one message. */
const PUSHED_CHANGES = 50;
/** More than that at once and the site fetches them itself: it sees from the head that it lacks some. */
const PUSHED_AT_ONCE = 500;

export interface FeedPushParts {
  db: Db;
  bus: SiteBus;
  log: Logger;
  /** Where other processes push too: how often to look for news that a site was not told. */
  lookEveryMs?: number;
}

/**
 * Pushes what is new in sites' feeds as soon as it is committed, and keeps the retained head up. Nothing rests on
 * it: what a site does not get here, it fetches when it sees the head.
 */
export class FeedPush {
  readonly #parts: FeedPushParts;
  readonly #queue = new SerialQueues();
  /** Up to which change each feed was pushed. */
  readonly #pushed = new Map<string, number>();
  /** Sites whose line has a push that has not begun: it will see everything that is committed by then. */
  readonly #due = new Set<string>();
  #unwatch: () => void = () => undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(parts: FeedPushParts) {
    this.#parts = parts;
  }

  /** To be called when the broker runs: its retained heads are gone with its memory. */
  async start(): Promise<void> {
    const { db, bus } = this.#parts;
    this.#unwatch = db.onAnnounced((names, from) => {
      for (const name of names) {
        if (name.startsWith(FEED_GREW)) this.#grew(name.slice(FEED_GREW.length), from);
      }
    });
    for (const head of await db.read(readHeads)) {
      this.#pushed.set(head.scope, head.n);
      await this.#sayHead(head.scope, head);
    }
    bus.onReturned?.(() => this.#sayHeads());
    const { lookEveryMs } = this.#parts;
    if (lookEveryMs !== undefined) this.#looking = setInterval(() => this.#lookForUntold(), lookEveryMs);
  }

  async stop(): Promise<void> {
    this.#unwatch();
    clearInterval(this.#looking);
    await this.#queue.settled();
  }

  /** Whoever made a change pushes it; the others go on from there. */
  #grew(siteId: string, from: 'here' | 'elsewhere'): void {
    if (from === 'here') this.#push(siteId);
    else this.#inLine(siteId, async () => void this.#pushed.set(siteId, (await this.#headOf(siteId)).n));
  }

  /** A process that died between its commit and its push has left a site without the news. */
  #lookForUntold(): void {
    const { db, bus, log } = this.#parts;
    db.read(listSites)
      .then(async (sites) => {
        for (const { site, presence, headAt } of sites) {
          if ((presence?.feedAt ?? 0) >= headAt || !bus.isConnected(site.id)) continue;
          await this.#sayHead(site.id, await this.#headOf(site.id));
        }
      })
      .catch((error) => log.error({ event: EVENTS.feedPushFailed, err: error }, messageOf(error)));
  }

  /** The broker was away: what it had retained may be gone, and what was to be pushed meanwhile was not. */
  #sayHeads(): void {
    const { db, log } = this.#parts;
    db.read(readHeads)
      .then(async (heads) => {
        for (const head of heads) await this.#sayHead(head.scope, head);
      })
      .catch((error) => log.error({ event: EVENTS.feedPushFailed, err: error }, messageOf(error)));
  }

  async #sayHead(siteId: string, head: FeedState): Promise<void> {
    await this.#parts.bus.publish(siteId, 'down/head', headText(head), { retain: true });
  }

  #headOf(siteId: string): Promise<FeedState> {
    return this.#parts.db.read((q) => readHead(q, siteId));
  }

  #push(siteId: string): void {
    if (this.#due.has(siteId)) return;
    this.#due.add(siteId);
    this.#inLine(siteId, async () => {
      this.#due.delete(siteId);
      await this.#pushNew(siteId);
    });
  }

  #inLine(siteId: string, work: () => Promise<void>): void {
    this.#queue.add(siteId, async () => {
      try {
        await work();
      } catch (error) {
        this.#parts.log.error({ event: EVENTS.feedPushFailed, siteId, err: error }, messageOf(error));
      }
    });
  }

  async #pushNew(siteId: string): Promise<void> {
    const { bus } = this.#parts;
    const head = await this.#headOf(siteId);
    const from = this.#pushed.get(siteId) ?? 0;
    this.#pushed.set(siteId, head.n);
    if (bus.isConnected(siteId) && head.n - from <= PUSHED_AT_ONCE) {
      await this.#pushChanges(siteId, from, head.n);
    }
    await this.#sayHead(siteId, head);
  }

  async #pushChanges(siteId: string, from: number, to: number): Promise<void> {
    const { db, bus } = this.#parts;
    let after = from;
    let changes = PUSHED_CHANGES;
    while (after < to) {
      const read = await readFeed(db, siteId, after, Math.min(changes, to - after));
      if (!read.ok || read.upTo === after) return;
      if (read.batch.length > MAX_BATCH_BYTES && changes > 1) {
        changes = Math.ceil(changes / 4);
        continue;
      }
      await bus.publish(siteId, 'down', read.batch);
      after = read.upTo;
    }
  }
}
