import { type Clock, nowUtc } from '@hlid/node/clock';
import { pause } from '@hlid/node/pause';
import { SerialQueues } from '@hlid/node/serial-queues';
import { messageOf } from '@hlid/protocol/base/fault';
import { type EventAck, PROTOCOL_VERSION, PresenceSchema } from '@hlid/protocol/site-link/envelope';
import type { Logger } from 'pino';
import { readMessage } from '../../platform/broker/read-message.ts';
import type { SiteBus } from '../../platform/broker/site-bus.ts';
import { SiteLog } from '../../platform/broker/site-log.ts';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import { skipAhead } from '../../sites/feed/skip-ahead.ts';
import { beginCursor, type EventCursor, newestEpoch, readCursor } from '../../sites/sites/event-cursor.ts';
import { type Applied, applyBatch, type Batch } from './apply-batch.ts';
import { type ReadBatch, readBatch } from './read-batch.ts';
import { SiteFloods } from './site-floods.ts';

/** The most batches of one site in memory; the site sends again what is dropped. */
const MAX_WAITING = 256;
/** The most bytes of those batches. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** Batches of one site that are applied together, so that they share a wait for the disk. */
const MAX_CONCURRENT = 4;

export interface IngestParts {
  db: Db;
  bus: SiteBus;
  clock: Clock;
  log: Logger;
  /** Whether messages of a site are accepted now; present if the broker is external. */
  admits?: (siteId: string) => Promise<boolean>;
  /**
   * How long a batch waits for the one before it; present if other processes apply batches of the same site
   * too.
   */
  patienceMs?: number;
  /** The milliseconds of a monotonic clock, by which lines of the log are counted. */
  tick?: () => number;
}

const GAP_RETRY_MS = 20;

/**
 * Applies the events of sites: each batch in one transaction, which is acknowledged after its commit. A site sends again
 * what is not acknowledged. Messages of a site are answered in the order in which they arrived.
 */
export class Ingest {
  readonly #parts: IngestParts;
  readonly #log: SiteLog;
  readonly #floods: SiteFloods;
  /** Bytes of the batches of each site that wait. */
  readonly #waitingBytes = new Map<string, number>();
  readonly #queue = new SerialQueues(MAX_WAITING);
  readonly #answers = new SerialQueues();
  /** The newest batches of each site, applied or being applied. */
  readonly #recent = new Map<string, Promise<void>[]>();
  /** The epoch that each site last reported: for the answer to a batch that has none. */
  readonly #epochs = new Map<string, string>();

  constructor(parts: IngestParts) {
    this.#parts = parts;
    this.#log = new SiteLog(parts.log, parts.tick);
    this.#floods = new SiteFloods(parts, parts.tick);
  }

  /** Call this before the broker starts. */
  start(): void {
    const { bus } = this.#parts;
    bus.on('up', (siteId, payload) => this.#enqueueBatch(siteId, payload));
    bus.on('presence', (siteId, payload) =>
      this.#enqueue(siteId, async () => this.#inTurn(siteId, () => this.#greet(siteId, payload))),
    );
  }

  /** Waits for what has arrived. */
  async stop(): Promise<void> {
    await this.#queue.settled();
    await this.#answers.settled();
  }

  /** A site that sends more than it waits for answers fills no memory: it sends again what is dropped. */
  #enqueueBatch(siteId: string, payload: Uint8Array): void {
    const { byteLength } = payload;
    const waiting = (this.#waitingBytes.get(siteId) ?? 0) + byteLength;
    if (waiting > MAX_WAITING_BYTES) {
      this.#drop(siteId);
      return;
    }
    this.#waitingBytes.set(siteId, waiting);
    const isAdded = this.#enqueue(siteId, async () => {
      try {
        await this.#handleBatch(siteId, payload);
      } finally {
        this.#leave(siteId, byteLength);
      }
    });
    if (!isAdded) this.#leave(siteId, byteLength);
  }

  #leave(siteId: string, bytes: number): void {
    const left = (this.#waitingBytes.get(siteId) ?? 0) - bytes;
    if (left <= 0) this.#waitingBytes.delete(siteId);
    else this.#waitingBytes.set(siteId, left);
  }

  #enqueue(siteId: string, work: () => Promise<void>): boolean {
    const added = this.#queue.add(siteId, () => this.#attempt(siteId, work));
    if (!added) this.#drop(siteId);
    return added;
  }

  #drop(siteId: string): void {
    this.#floods.note(siteId);
    this.#log.warn({ event: EVENTS.batchDropped, siteId });
  }

  async #attempt(siteId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log.error({ event: EVENTS.batchFailed, siteId, err: error, msg: messageOf(error) });
    }
  }

  /** Answers after the messages before it; does not wait. */
  #inTurn(siteId: string, answer: () => Promise<void>): void {
    this.#answers.add(siteId, () => this.#attempt(siteId, answer));
  }

  async #handleBatch(siteId: string, payload: Uint8Array): Promise<void> {
    const { admits } = this.#parts;
    if (admits !== undefined && !(await admits(siteId))) return;
    const batch = readBatch(payload);
    if (!batch.ok) {
      // Waited for: what a site sends in vain piles up nowhere.
      await new Promise<void>((resolve) => {
        this.#inTurn(siteId, () => this.#refuse(siteId, batch, payload.byteLength).finally(resolve));
      });
      return;
    }
    const { epoch, events } = batch;
    const before = this.#recent.get(siteId) ?? [];
    const applying = this.#apply({ siteId, epoch, events }, before.at(-1));
    const done = applying.then(
      () => undefined,
      () => undefined,
    );
    const recent = [...before, done].slice(-MAX_CONCURRENT);
    this.#recent.set(siteId, recent);
    this.#inTurn(siteId, async () => this.#answer({ siteId, epoch, events }, await applying));
    if (recent.length === MAX_CONCURRENT) await recent[0];
  }

  async #refuse(
    siteId: string,
    { reason, epoch = this.#epochs.get(siteId) }: Extract<ReadBatch, { ok: false }>,
    bytes: number,
  ): Promise<void> {
    this.#floods.note(siteId);
    this.#log.error({ event: EVENTS.batchInvalid, siteId, epoch, bytes, reason });
    if (epoch !== undefined) await this.#acknowledge(siteId, epoch);
  }

  #answer({ siteId, epoch }: Batch, { committed, applied, rejected, gap }: Applied): void {
    const { log } = this.#parts;
    log.debug({ event: EVENTS.batchApplied, siteId, epoch, applied, committed });
    if (gap) this.#log.info({ event: EVENTS.gap, siteId, epoch, committed });
    for (const { seq, error } of rejected) {
      this.#floods.note(siteId);
      this.#log.error({ event: EVENTS.eventRejected, siteId, epoch, seq, error });
    }
    this.#sendAck(siteId, epoch, committed);
  }

  /** @param before the batch before it, which may be retried in another way */
  async #apply(batch: Batch, before: Promise<void> | undefined): Promise<Applied> {
    const { db, clock, patienceMs = 0 } = this.#parts;
    const early = await applyBatch(db, clock, batch);
    if (!early.gap) return early;
    await before;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const applied = await applyBatch(db, clock, batch);
      if (!applied.gap || performance.now() > deadline) return applied;
      await pause(GAP_RETRY_MS);
    }
  }

  /** Answers a site that connects: from where to send, and whether its database is older than one that we know. */
  async #greet(siteId: string, payload: Uint8Array): Promise<void> {
    const presence = readMessage(PresenceSchema, payload);
    if (!presence.ok || !presence.message.online) return;
    const { db, admits } = this.#parts;
    const { epoch, feedAt, feedMark } = presence.message;
    this.#epochs.set(siteId, epoch);
    if (admits !== undefined && !(await admits(siteId))) return;
    // A site sends nothing before it is answered.
    if (await skipAhead(db, siteId, { n: feedAt, mark: feedMark })) {
      this.#log.warn({ event: EVENTS.feedSkippedAhead, siteId, siteHeld: feedAt });
    }
    const { cursor, superseded } = await this.#begin(siteId, epoch);
    if (superseded) this.#log.warn({ event: EVENTS.epochReturned, siteId, epoch });
    const { committed, digest } = cursor;
    this.#publishAck(siteId, {
      v: PROTOCOL_VERSION,
      epoch,
      committed,
      superseded,
      ...(digest !== null && { digest }),
    });
  }

  async #begin(siteId: string, epoch: string): Promise<{ cursor: EventCursor; superseded: boolean }> {
    const { db, clock } = this.#parts;
    const known = await db.read(async (q) => {
      const cursor = await readCursor(q, siteId, epoch);
      return cursor && { cursor, superseded: cursor.ordinal < (await newestEpoch(q, siteId)) };
    });
    if (known !== null) return known;
    const cursor = await db.write((tx) => beginCursor(tx.q, siteId, epoch, nowUtc(clock)));
    return { cursor, superseded: false };
  }

  async #acknowledge(siteId: string, epoch: string): Promise<void> {
    const cursor = await this.#parts.db.read((q) => readCursor(q, siteId, epoch));
    this.#sendAck(siteId, epoch, cursor?.committed ?? 0);
  }

  #sendAck(siteId: string, epoch: string, committed: number): void {
    this.#publishAck(siteId, { v: PROTOCOL_VERSION, epoch, committed });
  }

  /** Publishes in order; the next answer does not wait until the broker has this one. */
  #publishAck(siteId: string, ack: EventAck): void {
    void this.#attempt(siteId, () => this.#parts.bus.publish(siteId, 'up/ack', JSON.stringify(ack)));
  }
}
