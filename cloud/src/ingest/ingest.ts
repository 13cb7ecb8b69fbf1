import { type Clock, nowUtc } from '@hlid/node/clock';
import { SerialQueues } from '@hlid/node/serial-queues';
import { type EventAck, PROTOCOL_VERSION, PresenceSchema } from '@hlid/protocol/envelope';
import { messageOf } from '@hlid/protocol/fault';
import type { Logger } from 'pino';
import { readMessage } from '../broker/read-message.ts';
import type { SiteBus } from '../broker/site-bus.ts';
import type { Db } from '../db/db.ts';
import { EVENTS } from '../events.ts';
import { skipAhead } from '../site-link/skip-ahead.ts';
import { type Applied, applyBatch, type Batch } from './apply-batch.ts';
import { beginCursor, type EventCursor, newestEpoch, readCursor } from './cursor-store.ts';
import { readBatch } from './read-batch.ts';

/** Batches of one site in memory, at most; what is dropped the site sends again. */
const WAITING_BATCHES = 256;
/** Batches of one site on their way into the database: they share a wait for the disk, and others wait for them. */
const TOGETHER = 4;

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
 * wrong before, the site sends it again. What a site says is answered in the order in which it was said.
 */
export class Ingest {
  readonly #parts: IngestParts;
  readonly #queue = new SerialQueues(WAITING_BATCHES);
  readonly #answers = new SerialQueues();
  /** The newest batches of each site, done or on their way. */
  readonly #inHand = new Map<string, Promise<void>[]>();
  /** The epoch in which each site said it was: for the answer to a batch that does not say. */
  readonly #epochs = new Map<string, string>();

  constructor(parts: IngestParts) {
    this.#parts = parts;
  }

  /** To be called before the broker starts. */
  start(): void {
    const { bus } = this.#parts;
    bus.on('up', (siteId, payload) => this.#enqueue(siteId, () => this.#takeBatch(siteId, payload)));
    bus.on('presence', (siteId, payload) =>
      this.#enqueue(siteId, async () => this.#inTurn(siteId, () => this.#greet(siteId, payload))),
    );
  }

  /** Waits for what has arrived. */
  async stop(): Promise<void> {
    await this.#queue.settled();
    await this.#answers.settled();
  }

  #enqueue(siteId: string, work: () => Promise<void>): void {
    const added = this.#queue.add(siteId, () => this.#attempt(siteId, work));
    if (!added) this.#parts.log.warn({ event: EVENTS.batchDropped, siteId });
  }

  async #attempt(siteId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.log.error({ event: EVENTS.batchFailed, siteId, err: error }, messageOf(error));
    }
  }

  /** Answers when everything before is answered; nobody waits for that here. */
  #inTurn(siteId: string, answer: () => Promise<void>): void {
    this.#answers.add(siteId, () => this.#attempt(siteId, answer));
  }

  async #takeBatch(siteId: string, payload: Uint8Array): Promise<void> {
    const { log, admits } = this.#parts;
    if (admits !== undefined && !(await admits(siteId))) return;
    const batch = readBatch(payload);
    if (!batch.ok) {
      this.#inTurn(siteId, async () => {
        const { reason, epoch = this.#epochs.get(siteId) } = batch;
        log.error({ event: EVENTS.batchInvalid, siteId, epoch, bytes: payload.byteLength, reason });
        if (epoch !== undefined) await this.#acknowledge(siteId, epoch);
      });
      return;
    }
    const { epoch, events } = batch;
    const before = this.#inHand.get(siteId) ?? [];
    const applying = this.#apply({ siteId, epoch, events }, before.at(-1));
    const done = applying.then(
      () => undefined,
      () => undefined,
    );
    const inHand = [...before, done].slice(-TOGETHER);
    this.#inHand.set(siteId, inHand);
    this.#inTurn(siteId, async () => this.#answer({ siteId, epoch, events }, await applying));
    if (inHand.length === TOGETHER) await inHand[0];
  }

  #answer({ siteId, epoch }: Batch, { committed, applied, rejected, gap }: Applied): void {
    const { log } = this.#parts;
    log.debug({ event: EVENTS.batchApplied, siteId, epoch, applied, committed });
    if (gap) log.info({ event: EVENTS.gap, siteId, epoch, committed });
    for (const { seq, error } of rejected)
      log.error({ event: EVENTS.eventRejected, siteId, epoch, seq, error });
    this.#sendAck(siteId, epoch, committed);
  }

  /** @param before the batch before it, which may fail at first and be tried in another way */
  async #apply(batch: Batch, before: Promise<void> | undefined): Promise<Applied> {
    const { db, clock, patienceMs = 0 } = this.#parts;
    const early = await applyBatch(db, clock, batch);
    if (!early.gap) return early;
    await before;
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
    const { db, log, admits } = this.#parts;
    const { epoch, feedAt, feedMark } = presence.message;
    this.#epochs.set(siteId, epoch);
    if (admits !== undefined && !(await admits(siteId))) return;
    // A site sends nothing before it is answered.
    if (await skipAhead(db, siteId, { n: feedAt, mark: feedMark })) {
      log.warn({ event: EVENTS.feedSkippedAhead, siteId, siteHeld: feedAt });
    }
    const { cursor, superseded } = await this.#begin(siteId, epoch);
    if (superseded) log.warn({ event: EVENTS.epochReturned, siteId, epoch });
    const { committed, digest } = cursor;
    this.#say(siteId, {
      ...{ v: PROTOCOL_VERSION, epoch, committed, superseded },
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
    this.#say(siteId, { v: PROTOCOL_VERSION, epoch, committed });
  }

  /** On its way in the order asked; the next answer does not wait until the broker has it. */
  #say(siteId: string, ack: EventAck): void {
    void this.#attempt(siteId, () => this.#parts.bus.publish(siteId, 'up/ack', JSON.stringify(ack)));
  }
}
