import { type Clock, nowUtc } from '@hlid/node/clock';
import { SerialQueues } from '@hlid/node/serial-queues';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis } from '@hlid/protocol/base/utc-time';
import { FeedAckSchema, PresenceSchema } from '@hlid/protocol/site-link/envelope';
import type { Logger } from 'pino';
import { readMessage } from '../../platform/broker/read-message.ts';
import type { SiteBus } from '../../platform/broker/site-bus.ts';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { disconnectAll, type PresenceRow, writePresence } from '../../records/sites/site-store.ts';

export interface SitePresenceParts {
  db: Db;
  bus: SiteBus;
  clock: Clock;
  log: Logger;
  /** No other process serves the sites: none is connected when this one starts. */
  isOnlyOne: boolean;
  /** Whether messages of a site are accepted now; present if the broker is external. */
  admits?: (siteId: string) => Promise<boolean>;
}

type Fields = Partial<Omit<PresenceRow, 'siteId'>>;
/** @property retained the site reported it when it connected, which may be long ago */
type PresenceChange = Fields & { retained?: boolean };

/** Stores what sites report about themselves: that they are there, how far their log is, which change they hold. */
export class SitePresence {
  readonly #parts: SitePresenceParts;
  readonly #queue = new SerialQueues();
  /** Reports that are not written yet; the later report stands. */
  readonly #pending = new Map<string, PresenceChange>();

  constructor(parts: SitePresenceParts) {
    this.#parts = parts;
  }

  /** Call this before the broker starts. */
  async start(): Promise<void> {
    const { db, bus, clock, isOnlyOne } = this.#parts;
    if (isOnlyOne) await db.write(({ q }) => disconnectAll(q, nowUtc(clock)));
    bus.on('presence', (siteId, payload, retained) => this.#takePresence(siteId, payload, retained));
    bus.on('down/ack', (siteId, payload) => this.#takeFeedAck(siteId, payload));
    bus.onGone((siteId) => this.#record(siteId, { connected: false }));
  }

  async stop(): Promise<void> {
    await this.#queue.settled();
  }

  #takePresence(siteId: string, payload: Uint8Array, retained: boolean): void {
    const { clock, log } = this.#parts;
    const read = readMessage(PresenceSchema, payload);
    if (!read.ok) {
      log.warn({ event: EVENTS.messageInvalid, siteId, leaf: 'presence', reason: read.reason });
      return;
    }
    const presence = read.message;
    if (!presence.online) {
      this.#record(siteId, { connected: false });
      return;
    }
    const { epoch, seq, feedAt, software } = presence;
    const now = nowUtc(clock);
    // A retained presence may be of long ago.
    const clockAheadMs = millis(presence.at) - millis(now);
    log.info({ event: EVENTS.siteConnected, siteId, epoch, seq, feedAt, software });
    this.#record(siteId, {
      connected: true,
      since: now,
      epoch,
      seq,
      feedAt,
      software,
      retained,
      ...(!retained && { clockAheadMs }),
    });
  }

  #takeFeedAck(siteId: string, payload: Uint8Array): void {
    const read = readMessage(FeedAckSchema, payload);
    if (read.ok) {
      this.#record(siteId, { feedAt: read.message.n, feedHash: read.message.hash });
    } else {
      const { log } = this.#parts;
      log.warn({ event: EVENTS.messageInvalid, siteId, leaf: 'down/ack', reason: read.reason });
    }
  }

  #record(siteId: string, changes: PresenceChange): void {
    const waiting = this.#pending.get(siteId);
    this.#pending.set(siteId, { ...waiting, ...changes });
    if (waiting === undefined) this.#queue.add(siteId, () => this.#write(siteId));
  }

  async #write(siteId: string): Promise<void> {
    const { db, clock, log, admits } = this.#parts;
    const { retained = false, ...changes } = this.#pending.get(siteId) ?? {};
    this.#pending.delete(siteId);
    try {
      if (admits !== undefined && changes.connected !== false && !(await admits(siteId))) return;
      await db.write(async (tx) => {
        const { q } = tx;
        const known = await readPresence(q, siteId);
        // Another client listened with the site's credentials; the site itself was never here.
        if (known === null && changes.connected === false) return;
        const before = known ?? { ...NOTHING_SAID, siteId, since: nowUtc(clock) };
        if (changes.connected === false && before.connected) {
          log.info({ event: EVENTS.siteDisconnected, siteId });
          changes.since ??= nowUtc(clock);
        }
        const after = { ...before, ...changes, ...(retained && newerKnown(before, changes)) };
        await writePresence(q, after);
        if (after.connected === before.connected) return;
        const type = after.connected ? 'site.connected' : 'site.lost';
        await recordEvent(tx, { type, subjectId: siteId, siteId, at: nowUtc(clock) });
      });
    } catch (error) {
      log.error({ event: EVENTS.presenceFailed, siteId, err: error }, messageOf(error));
    }
  }
}

/** The reports of the site since it connected count. */
function newerKnown(known: PresenceRow, changes: Fields): Fields {
  if (known.epoch !== changes.epoch) return {};
  return {
    seq: Math.max(known.seq, changes.seq ?? 0),
    feedAt: Math.max(known.feedAt, changes.feedAt ?? 0),
    ...(known.connected && { since: known.since }),
  };
}

const NOTHING_SAID = {
  connected: false,
  epoch: null,
  seq: 0,
  feedAt: 0,
  feedHash: null,
  software: null,
  clockAheadMs: 0,
} as const;
