import { type EventAck, PROTOCOL_VERSION, PresenceSchema } from '@hlid/protocol/envelope';
import { messageOf } from '@hlid/protocol/fault';
import { FIRST_VERSION, NEWEST_VERSION, versionOfSoftware } from '@hlid/protocol/version';
import type { Logger } from 'pino';
import { readMessage } from '../broker/read-message.ts';
import type { SiteBus } from '../broker/site-bus.ts';
import { type Clock, nowUtc } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { EVENTS } from '../events.ts';
import { SiteQueue } from '../sites/site-queue.ts';
import { type Applied, applyBatch, type Batch } from './apply-batch.ts';
import { beginCursor, type EventCursor, newestEpoch, readCursor } from './cursor-store.ts';
import { readBatch } from './read-batch.ts';

/** Batches of one site in memory, at most; what is dropped the site sends again. */
const WAITING_BATCHES = 256;

export interface IngestParts {
  db: Db;
  bus: SiteBus;
  clock: Clock;
  log: Logger;
  /** Where the broker is not ours: whether what a site says is taken, now. */
  admits?: (siteId: string) => Promise<boolean>;
  /** Where other processes take batches of the same site: the one before may be on its way into the database. */
  patienceMs?: number;
}

const LOOK_AGAIN_MS = 20;

/**
 * Takes over what sites tell: a batch is applied in one transaction, and acknowledged after that. Whatever goes
 * wrong before, the site sends it again.
 */
export class Ingest {
  readonly #parts: IngestParts;
  readonly #queue = new SiteQueue(WAITING_BATCHES);
  /** The epoch in which each site said it was: for the answer to a batch that does not say. */
  readonly #epochs = new Map<string, string>();

  constructor(parts: IngestParts) {
    this.#parts = parts;
  }

  /** To be called before the broker starts. */
  start(): void {
    const { bus } = this.#parts;
    bus.on('up', (siteId, payload) => this.#enqueue(siteId, () => this.#takeBatch(siteId, payload)));
    bus.on('presence', (siteId, payload) => this.#enqueue(siteId, () => this.#greet(siteId, payload)));
  }

  /** Waits for what has arrived. */
  async stop(): Promise<void> {
    await this.#queue.settled();
  }

  #enqueue(siteId: string, work: () => Promise<void>): void {
    const { log } = this.#parts;
    const added = this.#queue.add(siteId, async () => {
      try {
        await work();
      } catch (error) {
        log.error({ event: EVENTS.batchFailed, siteId, err: error }, messageOf(error));
      }
    });
    if (!added) log.warn({ event: EVENTS.batchDropped, siteId });
  }

  async #takeBatch(siteId: string, payload: Uint8Array): Promise<void> {
    const { log, admits } = this.#parts;
    if (admits !== undefined && !(await admits(siteId))) return;
    const batch = readBatch(payload);
    if (!batch.ok) {
      const { reason, epoch = this.#epochs.get(siteId) } = batch;
      log.error({ event: EVENTS.batchInvalid, siteId, epoch, bytes: payload.byteLength, reason });
      if (epoch !== undefined) await this.#acknowledge(siteId, epoch);
      return;
    }
    const { epoch, events } = batch;
    const { committed, applied, rejected, gap } = await this.#apply({ siteId, epoch, events });
    log.debug({ event: EVENTS.batchApplied, siteId, epoch, applied, committed });
    if (gap) log.info({ event: EVENTS.gap, siteId, epoch, committed });
    for (const { seq, error } of rejected)
      log.error({ event: EVENTS.eventRejected, siteId, epoch, seq, error });
    await this.#sendAck(siteId, epoch, committed);
  }

  async #apply(batch: Batch): Promise<Applied> {
    const { db, clock, patienceMs = 0 } = this.#parts;
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const applied = await applyBatch(db, clock, batch);
      if (!applied.gap || performance.now() > deadline) return applied;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  /** A site that connects is told at once from where to send, and whether it is still the one that we know. */
  async #greet(siteId: string, payload: Uint8Array): Promise<void> {
    const presence = readMessage(PresenceSchema, payload);
    if (!presence.ok || !presence.message.online) return;
    const { log, admits } = this.#parts;
    const { epoch, software } = presence.message;
    this.#epochs.set(siteId, epoch);
    if (admits !== undefined && !(await admits(siteId))) return;
    const { cursor, superseded } = await this.#begin(siteId, epoch);
    if (superseded) log.warn({ event: EVENTS.epochReturned, siteId, epoch });
    const { committed, digest } = cursor;
    const ack: EventAck = { v: PROTOCOL_VERSION, epoch, committed };
    const more = { v: NEWEST_VERSION, superseded, ...(digest !== null && { digest }) };
    await this.#say(siteId, versionOfSoftware(software) > FIRST_VERSION ? { ...ack, ...more } : ack);
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
    await this.#sendAck(siteId, epoch, cursor?.committed ?? 0);
  }

  async #sendAck(siteId: string, epoch: string, committed: number): Promise<void> {
    await this.#say(siteId, { v: PROTOCOL_VERSION, epoch, committed });
  }

  async #say(siteId: string, ack: EventAck): Promise<void> {
    await this.#parts.bus.publish(siteId, 'up/ack', JSON.stringify(ack));
  }
}
