import { pause } from '@hlid/node/pause';
import { RetryPause } from '@hlid/node/retry-pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { readNewer } from '@hlid/protocol/base/read-newer';
import { utcTime } from '@hlid/protocol/base/utc-time';
import {
  type CommandReply,
  isAboutDevices,
  type SiteCommand,
  SiteCommandSchema,
} from '@hlid/protocol/site-link/commands';
import {
  EventAckSchema,
  type FeedAck,
  FeedHeadSchema,
  PROTOCOL_VERSION,
  type Presence,
} from '@hlid/protocol/site-link/envelope';
import { BoardLeaseSchema } from '@hlid/protocol/site-link/site-board';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import type { z } from 'zod';
import { LOG_EVENTS } from '../base/events.ts';
import type { BoardSender } from '../board/board-sender.ts';
import type { CloudAccess } from '../cloud-access/cloud-request.ts';
import type { DeviceCommands } from '../commands/device-commands.ts';
import type { GateCommands } from '../commands/gate-commands.ts';
import { isFromKiosk, type KioskCommands } from '../commands/kiosk-commands.ts';
import type { CloudConfig } from '../config/config.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { EventSource } from '../outbox/event-source.ts';
import type { FeedBook } from '../site-lists/feed-book.ts';
import { CloudHttp } from './cloud-http.ts';
import { EventSender } from './event-sender.ts';
import { FeedClient } from './feed-client.ts';
import type { LinkBoard, LinkView } from './link-view.ts';
import { type MqttSession, openSession } from './mqtt-session.ts';
import { parseChangeBatch } from './parse-feed.ts';

export interface LinkTiming {
  connectTimeoutMs: number;
  keepaliveSeconds: number;
  /** The pause between attempts to connect, and before a failed request is repeated. */
  retryFirstMs: number;
  maxRetryMs: number;
  /** The time of a connection after which the next retry starts at the shortest pause again. */
  steadyMs: number;
  ackDeadlineMs: number;
  maxAckDeadlineMs: number;
  maxSnapshotRetryMs: number;
}

const TIMING: LinkTiming = {
  connectTimeoutMs: 10_000,
  keepaliveSeconds: 30,
  retryFirstMs: 1000,
  maxRetryMs: MINUTE_MS,
  steadyMs: 10_000,
  ackDeadlineMs: 5000,
  maxAckDeadlineMs: MINUTE_MS,
  maxSnapshotRetryMs: 10 * MINUTE_MS,
};

const GOODBYE_MS = 1000;

interface CloudLinkParts {
  cloud: CloudConfig & CloudAccess;
  events: EventSource;
  feed: FeedBook;
  /** Name and version of this program. */
  software: string;
  timing?: Partial<LinkTiming>;
}

/** The handlers of the cloud's messages that are about neither events nor lists. */
export interface LinkHandlers {
  commands: Pick<GateCommands, 'handle'>;
  /** Absent: the site has no kiosks. */
  kioskCommands?: Pick<KioskCommands, 'handle'>;
  /** Absent: devices cannot be checked from the cloud. */
  deviceCommands?: Pick<DeviceCommands, 'handle'>;
  /** Absent: the lanes cannot be watched from the cloud. */
  board?: Pick<BoardSender, 'connected' | 'disconnected' | 'leased'>;
}

/**
 * The link to the cloud, always reconnected: the event log goes up, the change feed comes down. Nothing on site waits
 * for it.
 *
 * ```
 *   event log ──▶ event sender ──up──▶ ┌────────┐
 *                      ▲─────up/ack─── │        │
 *                                      │  MQTT  │
 *   lanes ───▶ board sender ──board──▶│        │
 *                      ▲─board/lease── │        │
 *   gates ◀─── commands ◀─────cmd──────│        │
 *                 └──────cmd/reply───▶│        │
 *   lists ◀─── feed client ◀─down,head─│ session│
 *                  │ └──────down/ack──▶└────────┘
 *                  └── HTTP: changes after a gap, snapshot
 * ```
 */
export class CloudLink implements LinkBoard {
  readonly #context: Pick<EdgeContext, 'clock' | 'log'>;
  readonly #parts: CloudLinkParts;
  readonly #timing: LinkTiming;
  readonly #topics: ReturnType<typeof siteTopics>;
  readonly #stopping = new AbortController();
  readonly #reconnect: RetryPause;
  readonly #listeners = new Set<() => void>();
  readonly #sender: EventSender;
  readonly #feedClient: FeedClient;
  #connection: Pick<LinkView, 'connected' | 'since' | 'lastError'>;
  #handlers: LinkHandlers | null = null;
  #running: Promise<void> | null = null;
  #session: MqttSession | null = null;

  constructor(context: Pick<EdgeContext, 'clock' | 'log'>, parts: CloudLinkParts) {
    const { cloud, events, feed } = parts;
    const { log } = context;
    const timing = { ...TIMING, ...parts.timing };
    const maxMs = cloud.maxReconnectMs ?? timing.maxRetryMs;
    const retry = { firstMs: Math.min(timing.retryFirstMs, maxMs), maxMs };
    const onChange = () => this.#notify();
    this.#context = context;
    this.#parts = parts;
    this.#timing = timing;
    this.#topics = siteTopics(cloud.siteId);
    this.#reconnect = new RetryPause(retry);
    this.#connection = { connected: false, since: utcTime(context.clock.now()), lastError: null };
    this.#feedClient = new FeedClient({
      feed,
      log,
      retry,
      onChange,
      http: new CloudHttp(cloud, {
        retry: { firstMs: timing.retryFirstMs, maxMs: timing.maxRetryMs },
        onBroken: ({ message }) => log.warn({ event: LOG_EVENTS.snapshotResumed, reason: message }),
      }),
      snapshotRetry: { firstMs: timing.retryFirstMs, maxMs: timing.maxSnapshotRetryMs },
    });
    this.#sender = new EventSender({
      events,
      log,
      onChange,
      ackDeadlineMs: timing.ackDeadlineMs,
      maxAckDeadlineMs: timing.maxAckDeadlineMs,
      onNewEpoch: () => this.#feedClient.lostTrack(),
      onRecognised: () => this.#feedClient.recognised(),
    });
  }

  start(handlers: LinkHandlers): void {
    this.#handlers = handlers;
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    this.#sender.stop();
    await this.#feedClient.stop();
    this.#setConnection(false, this.#connection.lastError);
  }

  view(): LinkView {
    const { events, feed } = this.#parts;
    const listsTrouble = this.#feedClient.trouble();
    return {
      ...this.#connection,
      lastError: this.#connection.lastError ?? this.#sender.trouble() ?? listsTrouble,
      seq: events.lastSeq(),
      acknowledged: events.acknowledged(),
      feedAt: feed.position().n,
      listsTrouble,
    };
  }

  /** The same of `view` without a look into the database, which may be damaged while the daemon stops. */
  isConnected(): boolean {
    return this.#connection.connected;
  }

  listsDiffer(): string | null {
    return this.#feedClient.differing();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const aborted = whenAborted(signal);
    while (!signal.aborted) {
      let reason: string;
      try {
        const session = await this.#open(signal);
        await this.#beginOrEnd(session);
        const steady = setTimeout(() => this.#reconnect.reset(), this.#timing.steadyMs);
        reason = await Promise.race([session.closed, aborted]);
        clearTimeout(steady);
        this.#end();
        if (signal.aborted) {
          session.publish(this.#topics.presence, OFFLINE, { retain: true });
          await session.end(GOODBYE_MS);
          return;
        }
      } catch (error) {
        reason = messageOf(error);
      }
      if (signal.aborted) return;
      const pauseMs = this.#reconnect.nextMs();
      this.#context.log.warn({ event: LOG_EVENTS.linkLost, reason, pauseMs });
      this.#setConnection(false, reason);
      await pause(pauseMs, { signal });
    }
  }

  #open(signal: AbortSignal): Promise<MqttSession> {
    const { siteId, secret, mqttUrl, tls } = this.#parts.cloud;
    const { presence, upAck, down, head, command, boardLease } = this.#topics;
    const { keepaliveSeconds, connectTimeoutMs } = this.#timing;
    return openSession(
      {
        url: mqttUrl,
        clientId: `${siteId}-edge`,
        username: siteId,
        password: secret,
        keepaliveSeconds,
        connectTimeoutMs,
        tls: tls?.options('mqtt'),
        will: { topic: presence, payload: OFFLINE },
        subscriptions: [upAck, down, head, command, boardLease],
      },
      signal,
    );
  }

  /** A session that cannot begin, since the database cannot be read, does not stay open. */
  async #beginOrEnd(session: MqttSession): Promise<void> {
    try {
      this.#begin(session);
    } catch (error) {
      this.#end();
      await session.end(GOODBYE_MS);
      throw error;
    }
  }

  #begin(session: MqttSession): void {
    const topics = this.#topics;
    this.#session = session;
    this.#context.log.info({ event: LOG_EVENTS.linkConnected });
    this.#setConnection(true, null);
    this.#feedClient.connected(({ n, hash }) => {
      const ack: FeedAck = { v: PROTOCOL_VERSION, n, hash };
      session.publish(topics.downAck, JSON.stringify(ack));
    });
    this.#sender.connected({
      sendPresence: () =>
        session.publish(topics.presence, JSON.stringify(this.#presence()), { retain: true }),
      sendBatch: (json) => session.publish(topics.up, json),
    });
    this.#handlers?.board?.connected((json) => session.publish(topics.board, json));
    session.listen((topic, payload) => this.#onMessage(topic, payload));
  }

  #end(): void {
    this.#session = null;
    this.#sender.disconnected();
    this.#handlers?.board?.disconnected();
    this.#feedClient.disconnected();
  }

  #onMessage(topic: string, payload: Uint8Array): void {
    const topics = this.#topics;
    const [sender, feedClient] = [this.#sender, this.#feedClient];
    switch (topic) {
      case topics.command:
        this.#read(topic, payload, reader(SiteCommandSchema), (command) => this.#handle(command));
        return;
      case topics.boardLease:
        this.#read(topic, payload, reader(BoardLeaseSchema), () => this.#handlers?.board?.leased());
        return;
      case topics.upAck:
        this.#read(topic, payload, reader(EventAckSchema), (ack) => sender.ackArrived(ack));
        return;
      case topics.down:
        if (!this.#read(topic, payload, parseChangeBatch, (batch) => feedClient.batchArrived(batch)))
          feedClient.lostTrack();
        return;
      case topics.head:
        if (!this.#read(topic, payload, reader(FeedHeadSchema), (head) => feedClient.headArrived(head)))
          feedClient.lostTrack();
        return;
      default:
        return;
    }
  }

  #read<Message>(
    topic: string,
    payload: Uint8Array,
    parse: (document: unknown) => Message,
    use: (message: Message) => void,
  ): boolean {
    try {
      use(parse(JSON.parse(new TextDecoder().decode(payload))));
      return true;
    } catch (error) {
      this.#context.log.error({ event: LOG_EVENTS.linkMessageRefused, topic, reason: messageOf(error) });
      return false;
    }
  }

  /** The reply goes over the session that is open when the command is done. */
  #handle(command: SiteCommand): void {
    this.#carryOut(command)?.then(
      (reply) => reply && this.#session?.publish(this.#topics.commandReply, JSON.stringify(reply)),
      (err: unknown) => this.#context.log.error({ event: LOG_EVENTS.commandDropped, id: command.id, err }),
    );
  }

  #carryOut(command: SiteCommand): Promise<CommandReply | null> | undefined {
    const handlers = this.#handlers;
    if (isFromKiosk(command)) return handlers?.kioskCommands?.handle(command);
    return isAboutDevices(command)
      ? handlers?.deviceCommands?.handle(command)
      : handlers?.commands.handle(command);
  }

  #presence(): Presence {
    const { events, feed, software } = this.#parts;
    return {
      v: PROTOCOL_VERSION,
      online: true,
      epoch: events.epoch,
      seq: events.lastSeq(),
      acknowledged: events.acknowledged(),
      feedAt: feed.position().n,
      feedMark: feed.mark(),
      software,
      at: utcTime(this.#context.clock.now()),
    };
  }

  #setConnection(connected: boolean, lastError: string | null): void {
    const { connected: before, since } = this.#connection;
    const at = connected === before ? since : utcTime(this.#context.clock.now());
    this.#connection = { connected, since: at, lastError };
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const OFFLINE = JSON.stringify({ v: PROTOCOL_VERSION, online: false } satisfies Presence);

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
