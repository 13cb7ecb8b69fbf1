import { RetryPause } from '@hlid/node/retry-pause';
import { type EventAck, MAX_BATCH_BYTES, MAX_BATCH_EVENTS, PROTOCOL_VERSION } from '@hlid/protocol/envelope';
import { HOUR_MS } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import type { EventSource } from './event-source.ts';
import { acknowledged, asked, batchesOnTheWay, FRESH_WINDOW, hasRoom, unanswered } from './send-window.ts';

/** The connection, as the sender uses it: both are answered with an `up/ack`. */
export interface EventChannel {
  sayPresence(): void;
  sendBatch(json: string): void;
}

/** Brings the event log to the cloud: every event, in order, until the cloud says that it has committed it. */
export interface EventSender {
  connected(channel: EventChannel): void;
  disconnected(): void;
  ackArrived(ack: EventAck): void;
  /** Why nothing goes on although the cloud is there; null while all is well. */
  trouble(): string | null;
  stop(): void;
}

/** Why the log begins a new epoch, and what of it the cloud has. */
interface Renewal {
  reason: string;
  told?: number;
  cloudForgot?: boolean;
}

export function createEventSender(parts: {
  events: EventSource;
  log: Logger;
  /** How long an answer may take; doubles with each silence. */
  ackDeadlineMs: number;
  maxAckDeadlineMs: number;
  onChange: () => void;
  /** The log goes on in a new epoch: the visits that are open have to be taken over from the cloud. */
  onRenewed: () => void;
  /** The cloud has answered, and knows this log. */
  onRecognised: () => void;
}): EventSender {
  const { events, log } = parts;
  const patience = new RetryPause(
    { firstMs: parts.ackDeadlineMs, maxMs: parts.maxAckDeadlineMs },
    // Only one asks here: no need for chance.
    () => 1,
  );
  let window = FRESH_WINDOW;
  let channel: EventChannel | null = null;
  let deadline: NodeJS.Timeout | undefined;
  let trouble: string | null = null;
  /** Rewound, and rewound again with nothing committed in between: what is refused at once is not sent at once. */
  let rewinds = 0;
  const holding = () => rewinds > 1;
  /** When the log began new epochs lately. */
  let renewals: number[] = [];
  let renewing = false;

  let filling: NodeJS.Timeout | undefined;
  const unsubscribe = events.onAppended(() => {
    filling ??= setTimeout(() => {
      filling = undefined;
      fill();
    }, TOGETHER_MS);
  });

  function fill(): void {
    if (!channel || trouble !== null || renewing || holding()) return;
    while (hasRoom(window) && (filling === undefined || waitsForWholeBatch())) {
      const batch = events.after(window.sentTo, MAX_BATCH_EVENTS, MAX_BATCH_BYTES);
      const [first] = batch;
      const last = batch.at(-1);
      if (!first || !last) break;
      if (first.seq !== window.sentTo + 1) {
        const lost = `the cloud asks for event ${window.sentTo + 1}, the oldest still here is ${first.seq}`;
        // The cloud was restored from a backup that is too old: what is still here is told anew.
        renew({ reason: lost, told: first.seq - 1, cloudForgot: true });
        return;
      }
      window = asked(window, last.seq);
      channel.sendBatch(batchJson(events.epoch, batch));
      log.debug({ event: LOG_EVENTS.outboxSent, from: first.seq, to: last.seq });
    }
    watchForAnswer();
  }

  /**
   * What is less, and was written just now, still waits for what follows on it, whatever the cloud answers meanwhile.
   */
  function waitsForWholeBatch(): boolean {
    return events.lastSeq() - window.sentTo >= MAX_BATCH_EVENTS;
  }

  /** A deadline runs as long as an answer is owed. */
  function watchForAnswer(): void {
    const owed = window.committed === null || batchesOnTheWay(window) > 0 || holding();
    if (owed && channel) deadline ??= setTimeout(onSilence, patience.nextMs());
    else rest();
  }

  function rest(): void {
    clearTimeout(deadline);
    deadline = undefined;
  }

  function onSilence(): void {
    deadline = undefined;
    if (!channel) return;
    log.warn({ event: LOG_EVENTS.outboxRetry, committed: window.committed, sentTo: window.sentTo });
    window = unanswered(window);
    rewinds = 0;
    if (window.committed === null) sayPresence(channel);
    fill();
  }

  function sayPresence(to: EventChannel): void {
    window = asked(window, 0);
    to.sayPresence();
  }

  function stick(reason: string): void {
    trouble = reason;
    log.error({ event: LOG_EVENTS.outboxStuck, reason });
    rest();
    parts.onChange();
  }

  function begin(to: EventChannel): void {
    channel = to;
    window = FRESH_WINDOW;
    trouble = null;
    rewinds = 0;
    patience.reset();
    rest();
    sayPresence(to);
    watchForAnswer();
  }

  /** Why the cloud's log of this epoch is not ours, where it is not; `told`: up to where it is. */
  function whyRenew({ committed, digest, superseded }: EventAck): Renewal | null {
    const lastSeq = events.lastSeq();
    if (committed > lastSeq)
      return { reason: `the cloud holds ${committed} events and only ${lastSeq} are here` };
    const ours = digest === undefined ? null : events.digestOf(committed);
    if (ours !== null && ours !== digest) return { reason: `the cloud holds another event ${committed}` };
    return superseded ? { reason: 'another database has spoken for this site since', told: committed } : null;
  }

  /** An old copy of the database, or two that are in use at once: each goes on under a name of its own. */
  function renew({ reason, ...given }: Renewal): void {
    const now = performance.now();
    renewals = renewals.filter((at) => now - at < RENEWALS_WITHIN_MS);
    if (renewals.length >= MAX_RENEWALS) {
      stick(`${reason}: is another gateway in use with the credentials of this site?`);
      return;
    }
    renewals.push(now);
    renewing = true;
    rest();
    const { epoch } = events;
    events
      .renew(given)
      .then(() => {
        log.warn({ event: LOG_EVENTS.epochRenewed, reason, before: epoch, epoch: events.epoch });
        parts.onRenewed();
      })
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.epochRenewed, reason, err }))
      .finally(() => {
        renewing = false;
        if (channel) begin(channel);
      });
  }

  return {
    connected: begin,
    disconnected() {
      channel = null;
      trouble = null;
      rest();
    },
    ackArrived(ack) {
      const { epoch, committed } = ack;
      if (!channel || renewing || epoch !== events.epoch) return;
      // Sending on would give new events the numbers of others, and the cloud would take them for known.
      const why = whyRenew(ack);
      if (why) return renew(why);
      events.agreed();
      parts.onRecognised();
      const before = window.committed;
      const { window: after, meaning } = acknowledged(window, committed);
      window = after;
      trouble = null;
      if (committed !== events.acknowledged()) events.acknowledge(committed);
      if (meaning === 'rewound' || meaning === 'set-back') {
        rewinds++;
        rest();
        log.warn({ event: LOG_EVENTS.outboxRewound, meaning, from: before, to: committed });
      } else if (meaning !== 'nothing-new') {
        rewinds = 0;
        patience.reset();
        rest();
        log.debug({ event: LOG_EVENTS.outboxAcknowledged, committed });
      }
      fill();
      watchForAnswer();
      parts.onChange();
    },
    trouble: () => trouble,
    stop() {
      channel = null;
      rest();
      clearTimeout(filling);
      unsubscribe();
    },
  };
}

/** What is written waits so long for what follows on it: its gate moves first, and both travel together. */
const TOGETHER_MS = 30;

/** An hour's new epochs of one log, at most: more come of two gateways that take turns. */
const MAX_RENEWALS = 3;
const RENEWALS_WITHIN_MS = HOUR_MS;

function batchJson(epoch: string, batch: readonly { json: string }[]): string {
  const events = batch.map(({ json }) => json).join(',');
  return `{"v":${PROTOCOL_VERSION},"epoch":"${epoch}","events":[${events}]}`;
}
