import { SerialQueues } from '@hlid/node/serial-queues';
import { messageOf } from '@hlid/protocol/base/fault';
import { MAX_BATCH_BYTES } from '@hlid/protocol/site-link/envelope';
import type { Logger } from 'pino';
import type { SiteBus } from '../../platform/broker/site-bus.ts';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import { type FeedState, readHead } from '../../records/feed/feed-head.ts';
import { readHeads } from '../../records/feed/feed-store.ts';
import { FEED_GREW } from '../../records/feed/publish-change.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import { headText, readFeed } from './read-feed.ts';

/** Changes in one message. */
const PUSHED_CHANGES = 50;
/** If there are more at once, the site fetches them itself when it sees the head. */
const PUSHED_AT_ONCE = 500;

export interface FeedPushParts {
  db: Db;
  bus: SiteBus;
  log: Logger;
  /** How often to check for changes that were not pushed to a site; present if other processes push too. */
  checkEveryMs?: number;
}

/**
 * Pushes new changes of sites' feeds as soon as they are committed, and keeps the retained head up to date. Nothing
 * depends on the push: a site fetches what it does not get when it sees the head.
 */
export class FeedPush {
  readonly #parts: FeedPushParts;
  readonly #queue = new SerialQueues();
  /** The last change of each feed that was pushed. */
  readonly #pushed = new Map<string, number>();
  /** Sites with a queued push that has not begun: it reads everything that is committed by then. */
  readonly #due = new Set<string>();
  #unwatch: () => void = () => undefined;
  #checking: NodeJS.Timeout | undefined;

  constructor(parts: FeedPushParts) {
    this.#parts = parts;
  }

  /** Called when the broker runs: it keeps retained heads in memory only. */
  async start(): Promise<void> {
    const { db, bus } = this.#parts;
    this.#unwatch = db.onAnnounced((names, from) => {
      for (const name of names) {
        if (name.startsWith(FEED_GREW)) this.#grew(name.slice(FEED_GREW.length), from);
      }
    });
    for (const head of await db.read(readHeads)) {
      this.#pushed.set(head.scope, head.n);
      await this.#publishHead(head.scope, head);
    }
    bus.onReturned?.(() => this.#publishHeads());
    const { checkEveryMs } = this.#parts;
    if (checkEveryMs !== undefined)
      this.#checking = setInterval(() => this.#publishMissedHeads(), checkEveryMs);
  }

  async stop(): Promise<void> {
    this.#unwatch();
    clearInterval(this.#checking);
    await this.#queue.settled();
  }

  /** The process that made a change pushes it; the others continue from there. */
  #grew(siteId: string, from: 'here' | 'elsewhere'): void {
    if (from === 'here') this.#push(siteId);
    else this.#enqueue(siteId, async () => void this.#pushed.set(siteId, (await this.#headOf(siteId)).n));
  }

  /** A process that died between its commit and its push has left a site without the change. */
  #publishMissedHeads(): void {
    const { db, bus, log } = this.#parts;
    db.read(listSites)
      .then(async (sites) => {
        for (const { site, presence, headAt } of sites) {
          if ((presence?.feedAt ?? 0) >= headAt || !bus.isConnected(site.id)) continue;
          await this.#publishHead(site.id, await this.#headOf(site.id));
        }
      })
      .catch((error) => log.error({ event: EVENTS.feedPushFailed, err: error }, messageOf(error)));
  }

  /** The broker was away: its retained heads may be gone, and nothing was pushed meanwhile. */
  #publishHeads(): void {
    const { db, log } = this.#parts;
    db.read(readHeads)
      .then(async (heads) => {
        for (const head of heads) await this.#publishHead(head.scope, head);
      })
      .catch((error) => log.error({ event: EVENTS.feedPushFailed, err: error }, messageOf(error)));
  }

  async #publishHead(siteId: string, head: FeedState): Promise<void> {
    await this.#parts.bus.publish(siteId, 'down/head', headText(head), { retain: true });
  }

  #headOf(siteId: string): Promise<FeedState> {
    return this.#parts.db.read((q) => readHead(q, siteId));
  }

  #push(siteId: string): void {
    if (this.#due.has(siteId)) return;
    this.#due.add(siteId);
    this.#enqueue(siteId, async () => {
      this.#due.delete(siteId);
      await this.#pushNew(siteId);
    });
  }

  #enqueue(siteId: string, work: () => Promise<void>): void {
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
    await this.#publishHead(siteId, head);
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
