import { type Clock, nowUtc } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { type BoardLease, type SiteBoard, SiteBoardSchema } from '@hlid/protocol/site-link/site-board';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { readMessage } from './read-message.ts';
import type { SiteBus } from './site-bus.ts';

/** A board as it came. */
export interface ReceivedBoard {
  board: SiteBoard;
  /** The time of receipt by our clock. */
  receivedAt: UtcTime;
}

type Listener = (received: ReceivedBoard) => void;

/** Three renewals fit into a lease of a minute: two may be lost. */
const RENEW_MS = 20_000;
const PATIENCE_MS = 1500;

/**
 * The boards of sites, for their readers. A site publishes its board while a lease holds, which is renewed as long as
 * there is a reader here; without a reader nothing is sent. Each cloud on a broker renews the lease for its own
 * readers, and gets what the site publishes.
 */
export class SiteBoards {
  readonly #parts: { bus: SiteBus; clock: Clock; log: Logger; renewMs: number; patienceMs: number };
  readonly #watched = new Map<string, Set<Listener>>();
  readonly #newest = new Map<string, ReceivedBoard>();
  #renewing: NodeJS.Timeout | undefined;

  constructor(parts: { bus: SiteBus; clock: Clock; log: Logger; renewMs?: number; patienceMs?: number }) {
    this.#parts = { renewMs: RENEW_MS, patienceMs: PATIENCE_MS, ...parts };
  }

  /** Call this before the broker starts. */
  start(): void {
    const { bus } = this.#parts;
    bus.on('board', (siteId, payload) => this.#take(siteId, payload));
    // A site that comes back knows of no lease.
    bus.on('presence', (siteId) => {
      if (this.#watched.has(siteId)) this.#lease(siteId);
    });
  }

  stop(): void {
    clearInterval(this.#renewing);
    this.#renewing = undefined;
    this.#watched.clear();
  }

  /** The newest board, as long as it has a reader; null: none has come yet. */
  newest(siteId: string): ReceivedBoard | null {
    return this.#newest.get(siteId) ?? null;
  }

  /** Calls the listener with each board of a site. @returns ends it */
  watch(siteId: string, listener: Listener): () => void {
    const listeners = this.#watched.get(siteId) ?? new Set();
    this.#watched.set(siteId, listeners);
    listeners.add(listener);
    this.#lease(siteId);
    this.#renewing ??= setInterval(() => {
      for (const watched of this.#watched.keys()) this.#lease(watched);
    }, this.#parts.renewMs).unref();
    return () => this.#unwatch(siteId, listener);
  }

  /** The board of a site at this moment; null: the site does not answer. */
  async ask(siteId: string): Promise<ReceivedBoard | null> {
    return await new Promise((resolve) => {
      const settle = (received: ReceivedBoard | null) => {
        clearTimeout(patience);
        unwatch();
        resolve(received);
      };
      const patience = setTimeout(() => settle(null), this.#parts.patienceMs);
      const unwatch = this.watch(siteId, settle);
    });
  }

  #unwatch(siteId: string, listener: Listener): void {
    const listeners = this.#watched.get(siteId);
    listeners?.delete(listener);
    if (listeners?.size !== 0) return;
    this.#watched.delete(siteId);
    this.#newest.delete(siteId);
    if (this.#watched.size > 0) return;
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  #lease(siteId: string): void {
    const { bus, log } = this.#parts;
    const lease: BoardLease = { v: PROTOCOL_VERSION };
    bus.publish(siteId, 'board/lease', JSON.stringify(lease)).catch((error: unknown) => {
      log.warn({ event: EVENTS.boardLeaseUnsent, siteId, reason: messageOf(error) });
    });
  }

  #take(siteId: string, payload: Uint8Array): void {
    const listeners = this.#watched.get(siteId);
    // Another cloud's readers look at it.
    if (listeners === undefined) return;
    const { clock, log } = this.#parts;
    const read = readMessage(SiteBoardSchema, payload);
    if (!read.ok) {
      log.warn({ event: EVENTS.messageInvalid, siteId, leaf: 'board', reason: read.reason });
      return;
    }
    const received = { board: read.message, receivedAt: nowUtc(clock) };
    this.#newest.set(siteId, received);
    for (const listener of [...listeners]) listener(received);
  }
}
