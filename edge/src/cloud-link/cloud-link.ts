import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@hlid/node/clock';
import { RetryPause } from '@hlid/node/retry-pause';
import { type SiteCommand, SiteCommandSchema } from '@hlid/protocol/commands';
import {
  EventAckSchema,
  type FeedAck,
  FeedHeadSchema,
  PROTOCOL_VERSION,
  type Presence,
} from '@hlid/protocol/envelope';
import { messageOf } from '@hlid/protocol/fault';
import { readNewer } from '@hlid/protocol/read-newer';
import { siteTopics } from '@hlid/protocol/topics';
import { utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { GateCommands } from '../commands/gate-commands.ts';
import { isFromKiosk, type KioskCommands } from '../commands/kiosk-commands.ts';
import type { CloudConfig } from '../config.ts';
import { LOG_EVENTS } from '../events.ts';
import { createCloudHttp } from './cloud-http.ts';
import { EventSender } from './event-sender.ts';
import type { EventSource } from './event-source.ts';
import type { FeedBook } from './feed-book.ts';
import { FeedClient } from './feed-client.ts';
import type { LinkBoard, LinkView } from './link-view.ts';
import { type MqttSession, openSession } from './mqtt-session.ts';
import { parseChangeBatch } from './parse-feed.ts';

export interface LinkTiming {
  connectTimeoutMs: number;
  keepaliveSeconds: number;
  /** Between tries to connect, and to ask again what failed. */
  retryFirstMs: number;
  maxRetryMs: number;
  /** A connection that held so long was a good one. */
  steadyMs: number;
  ackDeadlineMs: number;
  maxAckDeadlineMs: number;
  maxSnapshotRetryMs: number;
}

const TIMING: LinkTiming = {
  connectTimeoutMs: 10_000,
  keepaliveSeconds: 30,
  retryFirstMs: 1000,
  maxRetryMs: 60_000,
  steadyMs: 10_000,
  ackDeadlineMs: 5000,
  maxAckDeadlineMs: 60_000,
  maxSnapshotRetryMs: 600_000,
};

const GOODBYE_MS = 1000;

export interface CloudLink extends LinkBoard {
  start(): void;
  stop(): Promise<void>;
}

/**
 * The link to the cloud, kept up for ever: the event log goes up, the change feed comes down. Nothing on site waits
 * for it.
 *
 * ```
 *   event log ──▶ event sender ──up──▶ ┌────────┐
 *                      ▲─────up/ack─── │        │
 *                                      │  MQTT  │
 *   gates ◀─ command desk ◀──cmd───────│        │
 *                  └─────cmd/reply───▶│        │
 *   lists ◀─── feed client ◀─down,head─│ session│
 *                  │ └──────down/ack──▶└────────┘
 *                  └── HTTP: changes after a gap, snapshot
 * ```
 */
export function createCloudLink(parts: {
  cloud: CloudConfig;
  events: EventSource;
  feed: FeedBook;
  commands: Pick<GateCommands, 'handle'>;
  /** Absent: nobody answers kiosks. */
  kioskCommands?: Pick<KioskCommands, 'handle'>;
  /** Name and version of this program. */
  software: string;
  log: Logger;
  clock: Clock;
  timing?: Partial<LinkTiming>;
}): CloudLink {
  const { cloud, events, feed, software, log, clock } = parts;
  const timing = { ...TIMING, ...parts.timing };
  const topics = siteTopics(cloud.siteId);
  const stopping = new AbortController();
  const maxMs = cloud.maxReconnectMs ?? timing.maxRetryMs;
  const retry = { firstMs: Math.min(timing.retryFirstMs, maxMs), maxMs };
  const reconnect = new RetryPause(retry);
  const listeners = new Set<() => void>();
  let connection: Pick<LinkView, 'connected' | 'since' | 'lastError'> = {
    connected: false,
    since: utcTime(clock.now()),
    lastError: null,
  };
  let running: Promise<void> | null = null;
  let session: MqttSession | null = null;

  const tell = () => listeners.forEach((listener) => void listener());
  const sender = new EventSender({
    events,
    log,
    ackDeadlineMs: timing.ackDeadlineMs,
    maxAckDeadlineMs: timing.maxAckDeadlineMs,
    onChange: tell,
    onRenewed: () => feedClient.lostTrack(),
    onRecognised: () => feedClient.recognised(),
  });
  const feedClient = new FeedClient({
    feed,
    http: createCloudHttp(cloud, {
      retry: { firstMs: timing.retryFirstMs, maxMs: timing.maxRetryMs },
      onBroken: ({ message }) => log.warn({ event: LOG_EVENTS.snapshotResumed, reason: message }),
    }),
    log,
    retry,
    snapshotRetry: { firstMs: timing.retryFirstMs, maxMs: timing.maxSnapshotRetryMs },
    onChange: tell,
  });

  function show(connected: boolean, lastError: string | null): void {
    const since = connected === connection.connected ? connection.since : utcTime(clock.now());
    connection = { connected, since, lastError };
    tell();
  }

  function read<Message>(
    topic: string,
    payload: Uint8Array,
    parse: (document: unknown) => Message,
    use: (message: Message) => void,
  ): boolean {
    try {
      use(parse(JSON.parse(new TextDecoder().decode(payload))));
      return true;
    } catch (error) {
      log.error({ event: LOG_EVENTS.linkMessageRefused, topic, reason: messageOf(error) });
      return false;
    }
  }

  /** The answer goes to whoever is there when it is done. */
  function obey(command: SiteCommand): void {
    const handled = isFromKiosk(command)
      ? parts.kioskCommands?.handle(command)
      : parts.commands.handle(command);
    handled?.then(
      (reply) => reply && session?.publish(topics.commandReply, JSON.stringify(reply)),
      (err: unknown) => log.error({ event: LOG_EVENTS.commandDropped, id: command.id, err }),
    );
  }

  function onMessage(topic: string, payload: Uint8Array): void {
    switch (topic) {
      case topics.command:
        return void read(topic, payload, reader(SiteCommandSchema), obey);
      case topics.upAck:
        return void read(topic, payload, reader(EventAckSchema), (ack) => sender.ackArrived(ack));
      case topics.down:
        if (!read(topic, payload, parseChangeBatch, (batch) => feedClient.batchArrived(batch)))
          feedClient.lostTrack();
        return;
      case topics.head:
        if (!read(topic, payload, reader(FeedHeadSchema), (head) => feedClient.headArrived(head)))
          feedClient.lostTrack();
        return;
      default:
        return;
    }
  }

  function presence(): Presence {
    return {
      v: PROTOCOL_VERSION,
      online: true,
      epoch: events.epoch,
      seq: events.lastSeq(),
      acknowledged: events.acknowledged(),
      feedAt: feed.position().n,
      feedMark: feed.mark(),
      software,
      at: utcTime(clock.now()),
    };
  }

  const offline = JSON.stringify({ v: PROTOCOL_VERSION, online: false } satisfies Presence);

  function begin(begun: MqttSession): void {
    session = begun;
    log.info({ event: LOG_EVENTS.linkConnected });
    show(true, null);
    feedClient.connected(({ n, hash }) => {
      const ack: FeedAck = { v: PROTOCOL_VERSION, n, hash };
      begun.publish(topics.downAck, JSON.stringify(ack));
    });
    sender.connected({
      sayPresence: () => begun.publish(topics.presence, JSON.stringify(presence()), { retain: true }),
      sendBatch: (json) => begun.publish(topics.up, json),
    });
    begun.listen(onMessage);
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    const aborted = whenAborted(signal);
    while (!signal.aborted) {
      let reason: string;
      try {
        const opened = await openSession(
          {
            url: cloud.mqttUrl,
            clientId: `${cloud.siteId}-edge`,
            username: cloud.siteId,
            password: cloud.secret,
            will: { topic: topics.presence, payload: offline },
            subscriptions: [topics.upAck, topics.down, topics.head, topics.command],
            keepaliveSeconds: timing.keepaliveSeconds,
            connectTimeoutMs: timing.connectTimeoutMs,
          },
          signal,
        );
        begin(opened);
        const steady = setTimeout(() => reconnect.reset(), timing.steadyMs);
        reason = await Promise.race([opened.closed, aborted]);
        clearTimeout(steady);
        session = null;
        sender.disconnected();
        feedClient.disconnected();
        if (signal.aborted) {
          opened.publish(topics.presence, offline, { retain: true });
          await opened.end(GOODBYE_MS);
          return;
        }
      } catch (error) {
        reason = messageOf(error);
      }
      if (signal.aborted) return;
      const pauseMs = reconnect.nextMs();
      log.warn({ event: LOG_EVENTS.linkLost, reason, pauseMs });
      show(false, reason);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      sender.stop();
      await feedClient.stop();
      show(false, connection.lastError);
    },
    view: () => ({
      ...connection,
      lastError: connection.lastError ?? sender.trouble() ?? feedClient.trouble(),
      seq: events.lastSeq(),
      acknowledged: events.acknowledged(),
      feedAt: feed.position().n,
      listsTrouble: feedClient.trouble(),
    }),
    listsDiffer: () => feedClient.differing(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Reads a message of a cloud that may be newer. */
function reader<Schema extends z.ZodType>(schema: Schema): (document: unknown) => z.output<Schema> {
  return (document) => {
    const read = readNewer(schema, document);
    if (read.success) return read.data;
    throw read.error;
  };
}

function whenAborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'), { once: true }));
}
