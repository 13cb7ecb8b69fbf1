import { RetryPause } from '@hlid/node/retry-pause';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import {
  type EventAck,
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  PROTOCOL_VERSION,
} from '@hlid/protocol/site-link/envelope';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { EventSource } from '../outbox/event-source.ts';
import { acknowledged, asked, batchesOnTheWay, FRESH_WINDOW, hasRoom, unanswered } from './send-window.ts';

/** The connection, as the sender uses it: both are answered with an `up/ack`. */
export interface EventChannel {
  sendPresence(): void;
  sendBatch(json: string): void;
}

/** Why the log begins a new epoch, and what of it the cloud has. */
interface Renewal {
  reason: string;
  knownUpTo?: number;
  cloudLostEvents?: boolean;
}

interface EventSenderParts {
  events: EventSource;
  log: Logger;
  /** How long an answer may take; doubles with each silence. */
  ackDeadlineMs: number;
  maxAckDeadlineMs: number;
  onChange: () => void;
  /** The log continues in a new epoch: the open visits must be taken over from the cloud. */
  onNewEpoch: () => void;
  /** The cloud has answered, and knows this log. */
  onRecognised: () => void;
}

/** Sends the event log to the cloud: every event, in order, until the cloud has committed it. */
export class EventSender {
  readonly #parts: EventSenderParts;
  readonly #events: EventSource;
  readonly #log: Logger;
  readonly #ackTimeout: RetryPause;
  readonly #unsubscribe: () => void;
  #window = FRESH_WINDOW;
  #channel: EventChannel | null = null;
  #deadline: NodeJS.Timeout | undefined;
  #trouble: string | null = null;
  /** How often the cloud went back without a commit in between: what it refuses at once is not sent again at once. */
  #rewinds = 0;
  /** When the log recently began new epochs. */
  #renewals: number[] = [];
  #renewing = false;
  #filling: NodeJS.Timeout | undefined;

  constructor(parts: EventSenderParts) {
    this.#parts = parts;
    this.#events = parts.events;
    this.#log = parts.log;
    this.#ackTimeout = new RetryPause(
      { firstMs: parts.ackDeadlineMs, maxMs: parts.maxAckDeadlineMs },
      // A single sender needs no random part.
      () => 1,
    );
    this.#unsubscribe = this.#events.onAppended(() => {
      this.#filling ??= setTimeout(() => {
        this.#filling = undefined;
        this.#attempt(() => this.#fill());
      }, BATCH_DELAY_MS);
    });
  }

  connected(channel: EventChannel): void {
    this.#begin(channel);
  }

  disconnected(): void {
    this.#channel = null;
    this.#trouble = null;
    this.#rest();
  }

  ackArrived(ack: EventAck): void {
    const { epoch, committed } = ack;
    if (!this.#channel || this.#renewing || epoch !== this.#events.epoch) return;
    // Without a new epoch, new events would get the numbers of other events, and the cloud would ignore them.
    const renewal = this.#findRenewal(ack);
    if (renewal) {
      this.#renew(renewal);
      return;
    }
    this.#events.confirm();
    this.#parts.onRecognised();
    const before = this.#window.committed;
    const { window: after, meaning } = acknowledged(this.#window, committed);
    this.#window = after;
    this.#trouble = null;
    if (committed !== this.#events.acknowledged()) this.#events.acknowledge(committed);
    if (meaning === 'rewound' || meaning === 'set-back') {
      this.#rewinds++;
      this.#rest();
      this.#log.warn({ event: LOG_EVENTS.outboxRewound, meaning, from: before, to: committed });
    } else if (meaning !== 'nothing-new') {
      this.#rewinds = 0;
      this.#ackTimeout.reset();
      this.#rest();
      this.#log.debug({ event: LOG_EVENTS.outboxAcknowledged, committed });
    }
    this.#fill();
    this.#watchForAnswer();
    this.#parts.onChange();
  }

  /** Why nothing is committed although the cloud is connected; null while all is well. */
  trouble(): string | null {
    return this.#trouble;
  }

  stop(): void {
    this.#channel = null;
    this.#rest();
    clearTimeout(this.#filling);
    this.#unsubscribe();
  }

  #holding(): boolean {
    return this.#rewinds > 1;
  }

  #fill(): void {
    if (!this.#channel || this.#trouble !== null || this.#renewing || this.#holding()) return;
    while (hasRoom(this.#window) && (this.#filling === undefined || this.#waitsForWholeBatch())) {
      const batch = this.#events.after(this.#window.sentTo, MAX_BATCH_EVENTS, MAX_BATCH_BYTES);
      const [first] = batch;
      const last = batch.at(-1);
      if (!first || !last) break;
      if (first.seq !== this.#window.sentTo + 1) {
        const lost = `the cloud asks for event ${this.#window.sentTo + 1}, the oldest still here is ${first.seq}`;
        // The cloud was restored from a backup that is too old: what is still here is sent again.
        this.#renew({ reason: lost, knownUpTo: first.seq - 1, cloudLostEvents: true });
        return;
      }
      this.#window = asked(this.#window, last.seq);
      this.#channel.sendBatch(batchJson(this.#events.epoch, batch));
      this.#log.debug({ event: LOG_EVENTS.outboxSent, from: first.seq, to: last.seq });
    }
    this.#watchForAnswer();
  }

  /** A smaller batch, just written, waits for more events, whatever the cloud answers meanwhile. */
  #waitsForWholeBatch(): boolean {
    return this.#events.lastSeq() - this.#window.sentTo >= MAX_BATCH_EVENTS;
  }

  /** A deadline runs as long as an answer is outstanding. */
  #watchForAnswer(): void {
    const outstanding =
      this.#window.committed === null || batchesOnTheWay(this.#window) > 0 || this.#holding();
    if (outstanding && this.#channel) this.#tryLater();
    else this.#rest();
  }

  #tryLater(): void {
    this.#deadline ??= setTimeout(() => this.#attempt(() => this.#onSilence()), this.#ackTimeout.nextMs());
  }

  /** A timer must not end the daemon while the database cannot be read: it is tried again until that is replaced. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (err) {
      this.#log.error({ event: LOG_EVENTS.outboxRetry, err });
      if (this.#channel) this.#tryLater();
    }
  }

  #rest(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  #onSilence(): void {
    this.#deadline = undefined;
    if (!this.#channel) return;
    this.#log.warn({
      event: LOG_EVENTS.outboxRetry,
      committed: this.#window.committed,
      sentTo: this.#window.sentTo,
    });
    this.#window = unanswered(this.#window);
    this.#rewinds = 0;
    if (this.#window.committed === null) this.#sendPresence(this.#channel);
    this.#fill();
  }

  #sendPresence(to: EventChannel): void {
    this.#window = asked(this.#window, 0);
    to.sendPresence();
  }

  #stopSending(reason: string): void {
    this.#trouble = reason;
    this.#log.error({ event: LOG_EVENTS.outboxStuck, reason });
    this.#rest();
    this.#parts.onChange();
  }

  #begin(to: EventChannel): void {
    this.#channel = to;
    this.#window = FRESH_WINDOW;
    this.#trouble = null;
    this.#rewinds = 0;
    this.#ackTimeout.reset();
    this.#rest();
    this.#sendPresence(to);
    this.#watchForAnswer();
  }

  /** Why the cloud's log of this epoch differs from ours, if it does; `knownUpTo`: up to where they agree. */
  #findRenewal({ committed, digest, superseded }: EventAck): Renewal | null {
    const lastSeq = this.#events.lastSeq();
    if (committed > lastSeq)
      return { reason: `the cloud holds ${committed} events and only ${lastSeq} are here` };
    const ours = digest === undefined ? null : this.#events.digestOf(committed);
    if (ours !== null && ours !== digest) return { reason: `the cloud holds another event ${committed}` };
    return superseded
      ? { reason: 'another database has spoken for this site since', knownUpTo: committed }
      : null;
  }

  /** An old copy of the database, or two that are in use at once: each continues in its own epoch. */
  #renew({ reason, ...given }: Renewal): void {
    const now = performance.now();
    this.#renewals = this.#renewals.filter((at) => now - at < RENEWALS_WINDOW_MS);
    if (this.#renewals.length >= MAX_RENEWALS) {
      this.#stopSending(`${reason}: is another gateway in use with the credentials of this site?`);
      return;
    }
    this.#renewals.push(now);
    this.#renewing = true;
    this.#rest();
    const { epoch } = this.#events;
    this.#events
      .startNewEpoch(given)
      .then(() => {
        this.#log.warn({ event: LOG_EVENTS.epochRenewed, reason, before: epoch, epoch: this.#events.epoch });
        this.#parts.onNewEpoch();
      })
      .catch((err: unknown) => this.#log.error({ event: LOG_EVENTS.epochRenewed, reason, err }))
      .finally(() => {
        this.#renewing = false;
        if (this.#channel) this.#begin(this.#channel);
      });
  }
}

/** A new event waits this long for those that follow: its gate moves first, and they are sent together. */
const BATCH_DELAY_MS = 30;

/** New epochs of one log in an hour, at most: more mean that two gateways are in use in turn. */
const MAX_RENEWALS = 3;
const RENEWALS_WINDOW_MS = HOUR_MS;

function batchJson(epoch: string, batch: readonly { json: string }[]): string {
  const events = batch.map(({ json }) => json).join(',');
  return `{"v":${PROTOCOL_VERSION},"epoch":"${epoch}","events":[${events}]}`;
}
