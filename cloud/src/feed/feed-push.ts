import { MAX_BATCH_BYTES } from '@hlid/protocol/envelope';
import { messageOf } from '@hlid/protocol/fault';
import type { Logger } from 'pino';
import type { SiteBus } from '../broker/site-bus.ts';
import type { Db } from '../db/db.ts';
import { EVENTS } from '../events.ts';
import { SiteQueue } from '../sites/site-queue.ts';
import { readHead, readHeads } from './feed-store.ts';
import { FEED_GREW } from './publish-change.ts';
import { headText, readFeed } from './read-feed.ts';

/** Changes in one message. */
const PUSHED_CHANGES = 50;
/** More than that at once and the site fetches them itself: it sees from the head that it lacks some. */
const PUSHED_AT_ONCE = 500;

export interface FeedPushParts {
  db: Db;
  bus: SiteBus;
  log: Logger;
}

/**
 * Pushes what is new in sites' feeds as soon as it is committed, and keeps the retained head up. Nothing rests on
 * it: what a site does not get here, it fetches when it sees the head.
 */
export class FeedPush {
  readonly #parts: FeedPushParts;
  readonly #queue = new SiteQueue();
  /** Up to which change each feed was pushed. */
  readonly #pushed = new Map<string, number>();
  /** Sites whose line has a push that has not begun: it will see everything that is committed by then. */
  readonly #due = new Set<string>();
  #unwatch: () => void = () => undefined;

  constructor(parts: FeedPushParts) {
    this.#parts = parts;
  }

  /** To be called when the broker runs: its retained heads are gone with its memory. */
  async start(): Promise<void> {
    const { db, bus } = this.#parts;
    this.#unwatch = db.onAnnounced((names) => {
      for (const name of names) {
        if (name.startsWith(FEED_GREW)) this.#push(name.slice(FEED_GREW.length));
      }
    });
    for (const head of await db.read(readHeads)) {
      this.#pushed.set(head.scope, head.n);
      await bus.publish(head.scope, 'down/head', headText(head), { retain: true });
    }
  }

  async stop(): Promise<void> {
    this.#unwatch();
    await this.#queue.settled();
  }

  #push(siteId: string): void {
    if (this.#due.has(siteId)) return;
    this.#due.add(siteId);
    this.#queue.add(siteId, async () => {
      this.#due.delete(siteId);
      try {
        await this.#pushNew(siteId);
      } catch (error) {
        this.#parts.log.error({ event: EVENTS.feedPushFailed, siteId, err: error }, messageOf(error));
      }
    });
  }

  async #pushNew(siteId: string): Promise<void> {
    const { db, bus } = this.#parts;
    const head = await db.read((q) => readHead(q, siteId));
    const from = this.#pushed.get(siteId) ?? 0;
    this.#pushed.set(siteId, head.n);
    if (bus.isConnected(siteId) && head.n - from <= PUSHED_AT_ONCE) {
      await this.#pushChanges(siteId, from, head.n);
    }
    await bus.publish(siteId, 'down/head', headText(head), { retain: true });
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
