import { createHash, randomUUID } from 'node:crypto';
import type { TlsFiles } from '@hlid/node/tls-files';
import { withTimeout } from '@hlid/node/with-timeout';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { PresenceSchema } from '@hlid/protocol/site-link/envelope';
import { siteTopics, splitTopic, TOPIC_ROOT } from '@hlid/protocol/site-link/topics';
import mqtt, { type MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import { z } from 'zod';
import { EVENTS } from '../events.ts';
import { readMessage } from './read-message.ts';
import type { LeafFromSite, LeafToSite, SiteBus, SiteListener } from './site-bus.ts';

/** Each message of these goes to one of the clouds that share the broker. */
const SHARED_LEAVES: readonly LeafFromSite[] = ['up', 'down/ack'];
/** All clouds subscribe to these: the presence of sites, the answers to commands, and boards. */
const COMMON_LEAVES: readonly LeafFromSite[] = ['presence', 'cmd/reply', 'board'];
/** The topic of commits of one cloud that others on the same database should read. */
const ANNOUNCED = 'hlid/cloud/announced';
const RECONNECT_MS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;
/** How long a stop waits for the acknowledgements of a broker. */
const STOP_TIMEOUT_MS = 2000;

const AnnouncementSchema = z.strictObject({ from: z.string(), names: z.array(z.string()) });

/**
 * An MQTT broker outside, shared by several clouds on one database (`HLID_BROKER_URL`): any that knows shared
 * subscriptions for MQTT 3.1.1. Who may log in and publish where is that broker's to enforce; see deploy/broker.
 */
export class SharedBroker implements SiteBus {
  readonly #url: string;
  readonly #log: Logger;
  readonly #tls: TlsFiles | null;
  readonly #stopTimeoutMs: number;
  readonly #id = randomUUID();
  readonly #listeners: [LeafFromSite, SiteListener][] = [];
  readonly #goneListeners: ((siteId: string) => void)[] = [];
  readonly #returnedListeners: (() => void)[] = [];
  readonly #announcedListeners: ((names: ReadonlySet<string>) => void)[] = [];
  readonly #online = new Set<string>();
  /** Rejects each message that the broker has not acknowledged. */
  readonly #unacknowledged = new Set<(fault: Fault) => void>();
  #client: MqttClient | null = null;

  /** @param parts.tls our authority and certificate; null: the authorities of this machine */
  constructor(parts: { url: string; log: Logger; tls?: TlsFiles | null; stopTimeoutMs?: number }) {
    this.#url = parts.url;
    this.#stopTimeoutMs = parts.stopTimeoutMs ?? STOP_TIMEOUT_MS;
    this.#log = parts.log;
    this.#tls = parts.tls ?? null;
  }

  /**
   * Connects, and goes on connecting whenever the line is lost. Throws Fault where the broker is not there at first.
   */
  async start(): Promise<{ mqttUrl: string }> {
    const client = mqtt.connect(this.#url, {
      protocolVersion: 4,
      clean: true,
      clientId: `hlid-cloud-${this.#id}`,
      reconnectPeriod: RECONNECT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      resubscribe: false,
      ...this.#tls?.options(),
    });
    this.#client = client;
    // A certificate may have been renewed since the connection before.
    client.on('reconnect', () => void Object.assign(client.options, this.#tls?.options()));
    client.on('error', (error) => {
      this.#log.error({ event: EVENTS.brokerFailed, err: error }, messageOf(error));
    });
    client.on('close', () => this.#online.clear());
    client.on('message', (topic, payload, { retain }) => this.#take(topic, payload, retain));
    // The client subscribes again at each connection: a site without an answer sends its message again.
    const share = shareOf(this.#url);
    client.on('connect', () => {
      const topics = [
        ...SHARED_LEAVES.map((leaf) => `${share}/${TOPIC_ROOT}/+/${leaf}`),
        ...COMMON_LEAVES.map((leaf) => `${TOPIC_ROOT}/+/${leaf}`),
        ANNOUNCED,
      ];
      client.subscribe(topics, { qos: 1 }, (error, granted) => {
        const refused = (granted ?? []).filter(({ qos }) => qos === 128).map(({ topic }) => topic);
        if (error || refused.length > 0) {
          this.#log.error({ event: EVENTS.brokerFailed, refused, err: error }, 'subscriptions refused');
        }
        for (const listener of this.#returnedListeners) listener();
      });
    });
    await this.#firstConnection(client);
    const { protocol, host } = new URL(this.#url);
    return { mqttUrl: `${protocol}//${host}` };
  }

  #firstConnection(client: MqttClient): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        client.end(true);
        const { host } = new URL(this.#url);
        const message = `the MQTT broker at ${host} does not take us: ${messageOf(error)}`;
        reject(new Fault('link-lost', message, { cause: error }));
      };
      const late = setTimeout(() => fail(new Error('no answer')), CONNECT_TIMEOUT_MS);
      client.once('error', fail);
      client.once('connect', () => {
        clearTimeout(late);
        // An error after this means a connection that is lost, and the next one follows.
        client.off('error', fail);
        resolve();
      });
    });
  }

  /** Waits for acknowledgements for a moment only. What is not acknowledged by then is rejected. */
  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    // The library waits for every acknowledgement, also when the connection is gone.
    const ended = client.endAsync().catch(() => undefined);
    await withTimeout(ended, this.#stopTimeoutMs, () => void client.stream.destroy());
    for (const reject of this.#unacknowledged) reject(new Fault('link-lost', 'the cloud stops'));
    this.#unacknowledged.clear();
  }

  on(leaf: LeafFromSite, listener: SiteListener): void {
    this.#listeners.push([leaf, listener]);
  }

  onGone(listener: (siteId: string) => void): void {
    this.#goneListeners.push(listener);
  }

  onReturned(listener: () => void): void {
    this.#returnedListeners.push(listener);
  }

  /** Throws Fault `link-lost` at once while there is no connection; the caller retries. */
  async publish(
    siteId: string,
    leaf: LeafToSite,
    payload: string,
    { retain = false }: { retain?: boolean } = {},
  ): Promise<void> {
    await this.#publish(`${siteTopics(siteId).root}/${leaf}`, payload, retain);
  }

  isConnected(siteId: string): boolean {
    return this.#online.has(siteId);
  }

  /**
   * An external broker drops no client for us: messages of a locked-out site are not accepted (ingest checks).
   */
  disconnect(siteId: string): void {
    this.#online.delete(siteId);
  }

  /** Publishes to the other clouds what this one has committed. */
  announce(names: ReadonlySet<string>): void {
    const announcement = JSON.stringify({ from: this.#id, names: [...names] });
    this.#publish(ANNOUNCED, announcement, false).catch((error) => {
      this.#log.warn({ event: EVENTS.brokerFailed, err: error }, 'announcement not sent');
    });
  }

  /** Calls the listener with what the other clouds have committed. */
  onAnnounced(listener: (names: ReadonlySet<string>) => void): void {
    this.#announcedListeners.push(listener);
  }

  async #publish(topic: string, payload: string, retain: boolean): Promise<void> {
    const client = this.#client;
    if (client === null) return;
    if (!client.connected) throw new Fault('link-lost', 'no connection to the MQTT broker');
    await new Promise<void>((resolve, reject) => {
      this.#unacknowledged.add(reject);
      client.publish(topic, payload, { qos: 1, retain }, (error) => {
        this.#unacknowledged.delete(reject);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  #take(topic: string, payload: Uint8Array, retained: boolean): void {
    if (topic === ANNOUNCED) {
      const read = readMessage(AnnouncementSchema, payload);
      if (!read.ok || read.message.from === this.#id) return;
      const names = new Set(read.message.names);
      for (const listener of this.#announcedListeners) listener(names);
      return;
    }
    const place = splitTopic(topic);
    if (place === null) return;
    if (place.leaf === 'presence') this.#follow(place.siteId, payload);
    for (const [leaf, listener] of this.#listeners) {
      if (leaf === place.leaf) listener(place.siteId, payload, retained);
    }
  }

  #follow(siteId: string, payload: Uint8Array): void {
    const presence = readMessage(PresenceSchema, payload);
    if (presence.ok && presence.message.online) this.#online.add(siteId);
    else if (this.#online.delete(siteId)) {
      for (const listener of this.#goneListeners) listener(siteId);
    }
  }
}

/**
 * The group of clouds that share messages, each going to one of them. Its name is as secret as their
 * password. Some brokers do not check subscribers (Mosquitto with an ACL file). With the name a site could
 * join the group there, and drop messages that the broker then may not give it.
 */
function shareOf(url: string): string {
  const { password } = new URL(url);
  const secret = createHash('sha256').update(`hlid-share ${password}`).digest('hex').slice(0, 24);
  return password === '' ? '$share/hlid-cloud' : `$share/hlid-cloud-${secret}`;
}
