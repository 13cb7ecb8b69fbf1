import { type EventAck, MAX_BATCH_BYTES, MAX_BATCH_EVENTS, PROTOCOL_VERSION } from '@hlid/protocol/envelope';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import type { EventSource } from './event-source.ts';
import { createRetryPause } from './retry-pause.ts';
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

export function createEventSender(parts: {
  events: EventSource;
  log: Logger;
  /** How long an answer may take; doubles with each silence. */
  ackDeadlineMs: number;
  ackDeadlineMostMs: number;
  onChange: () => void;
}): EventSender {
  const { events, log } = parts;
  const patience = createRetryPause(
    { firstMs: parts.ackDeadlineMs, mostMs: parts.ackDeadlineMostMs },
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

  const unsubscribe = events.onAppended(fill);

  function fill(): void {
    if (!channel || trouble !== null || holding()) return;
    while (hasRoom(window)) {
      const batch = events.after(window.sentTo, MAX_BATCH_EVENTS, MAX_BATCH_BYTES);
      const [first] = batch;
      const last = batch.at(-1);
      if (!first || !last) break;
      if (first.seq !== window.sentTo + 1) {
        stick(`the cloud asks for event ${window.sentTo + 1}, the oldest still here is ${first.seq}`);
        return;
      }
      window = asked(window, last.seq);
      channel.sendBatch(batchJson(events.epoch, batch));
      log.debug({ event: LOG_EVENTS.outboxSent, from: first.seq, to: last.seq });
    }
    watchForAnswer();
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

  return {
    connected(to) {
      channel = to;
      window = FRESH_WINDOW;
      trouble = null;
      rewinds = 0;
      patience.reset();
      rest();
      sayPresence(to);
      watchForAnswer();
    },
    disconnected() {
      channel = null;
      trouble = null;
      rest();
    },
    ackArrived({ epoch, committed }) {
      if (!channel || epoch !== events.epoch) return;
      const lastSeq = events.lastSeq();
      if (committed > lastSeq) {
        // Sending on would give new events the numbers of others, and the cloud would take them for known.
        return stick(`the cloud holds ${committed} events and only ${lastSeq} are here: an old database?`);
      }
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
      unsubscribe();
    },
  };
}

function batchJson(epoch: string, batch: readonly { json: string }[]): string {
  const events = batch.map(({ json }) => json).join(',');
  return `{"v":${PROTOCOL_VERSION},"epoch":"${epoch}","events":[${events}]}`;
}
