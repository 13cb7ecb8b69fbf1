import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { type ListenAt, listenPatiently, stopWaiting } from '@hlid/node/listen';
import type { TlsFiles } from '@hlid/node/tls-files';
import { Crowd } from '@hlid/protocol/base/crowd';
import { messageOf } from '@hlid/protocol/base/fault';
import { SITE_PUBLISHES, siteTopics, splitTopic, TOPIC_ROOT } from '@hlid/protocol/site-link/topics';
import { Aedes, type AedesOptions, type Client } from 'aedes';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { limitedAddress } from '../ip-address.ts';
import { type ClientCertificate, certificateOf, identifyClient } from './client-identity.ts';
import { FrameGuard } from './frame-guard.ts';
import type { LeafFromSite, LeafToSite, SiteBus, SiteListener } from './site-bus.ts';
import { SiteClients } from './site-clients.ts';
import { SiteLog } from './site-log.ts';

export interface SiteBrokerParts extends ListenAt {
  /** Whether the site may connect now, with this secret; null: its certificate stands for it. */
  admits(siteId: string, secret: string | null): Promise<boolean>;
  /** Absent: without TLS. */
  tls?: BrokerTls | undefined;
  log: Logger;
  maxBeforeLogin?: number;
}

export interface BrokerTls {
  /** Its `ca` is the authority of the sites' certificates. */
  files: TlsFiles;
  /** Whether clients may, or must, have their own certificate. */
  clientCertificates: 'none' | 'accepted' | 'required';
}

/** The code of CONNACK for a wrong user name or password (MQTT 3.1.1 section 3.2.2.3). */
const BAD_LOGIN = 4;
const SLOW_READER_MS = 10_000;
const LOGIN_WITHIN_MS = 10_000;
/**
 * Connections that have not logged in. A site needs a moment for that; after a restart all sites of a country come in
 * the same second.
 */
const MAX_BEFORE_LOGIN = 1000;

/** The broker inside the cloud: MQTT 3.1.1 over TCP, TLS or WebSocket, each site under its own root. Its memory goes with it. */
export class SiteBroker implements SiteBus {
  readonly #parts: SiteBrokerParts;
  readonly #log: SiteLog;
  readonly #clients = new SiteClients();
  readonly #beforeLogin = new Crowd<Duplex>();
  /** The certificates of the connections that have one. */
  readonly #certificates = new WeakMap<object, ClientCertificate>();
  readonly #listeners: [LeafFromSite, SiteListener][] = [];
  #running: { broker: Aedes; server: Server; connections: Set<Duplex> } | null = null;

  constructor(parts: SiteBrokerParts) {
    this.#parts = parts;
    this.#log = new SiteLog(parts.log);
  }

  /** Listens. Call `on` before to get every message. */
  async start(): Promise<{ mqttUrl: string }> {
    const broker = await Aedes.createBroker(this.#rules());
    broker.on('clientError', (client, error) => this.#logRefusal(client, error));
    broker.on('connectionError', (client, error) => this.#logRefusal(client, error));
    for (const [leaf, listener] of this.#listeners) {
      broker.subscribe(
        `${TOPIC_ROOT}/+/${leaf}`,
        (packet, done) => {
          const topic = splitTopic(packet.topic);
          const { payload } = packet;
          const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
          // We were there before whatever this broker retains.
          if (topic) listener(topic.siteId, bytes, false);
          done();
        },
        () => undefined,
      );
    }
    const connections = new Set<Duplex>();
    const { tls } = this.#parts;
    const server = tls ? this.#tlsServer(broker, tls) : this.#tcpServer(broker);
    server.on('connection', (socket: Socket) => keep(connections, socket));
    this.#running = { broker, server, connections };
    try {
      const address = await listenPatiently(server, this.#parts, {
        hostSetBy: 'mqtt.host',
        portSetBy: 'HLID_MQTT_PORT',
        retries: 'missing-address',
        onWaiting: (reason) => this.#parts.log.error({ event: EVENTS.notListening, reason }),
        onListening: (at) => this.#parts.log.info({ event: EVENTS.listening, address: at }),
      });
      return { mqttUrl: `${tls ? 'mqtts' : 'mqtt'}://${address}` };
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  #tcpServer(broker: Aedes): Server {
    return createServer(
      { noDelay: true },
      (socket) => void this.#accept(broker, socket, socket.remoteAddress),
    );
  }

  #tlsServer(broker: Aedes, { files, clientCertificates }: BrokerTls): Server {
    const server = createTlsServer({
      noDelay: true,
      handshakeTimeout: LOGIN_WITHIN_MS,
      requestCert: clientCertificates !== 'none',
      // Checked below, where the reason can be logged.
      rejectUnauthorized: false,
    });
    files.serve(server);
    // A connection is of the crowd from its first byte, not from the end of its handshake.
    const handshakes = new Map<string, Socket>();
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket);
      handshakes.set(peer, socket);
      this.#wait(socket, socket.remoteAddress);
      socket.on('close', () => handshakes.delete(peer));
    });
    server.on('secureConnection', (socket) => {
      const raw = handshakes.get(peerOf(socket));
      if (raw) this.#beforeLogin.remove(raw);
      this.#acceptSecure(broker, socket);
    });
    server.on('tlsClientError', (error) => {
      this.#parts.log.warn({ event: EVENTS.siteRefused, siteId: null, reason: `TLS: ${error.message}` });
    });
    return server;
  }

  #acceptSecure(broker: Aedes, socket: TLSSocket): void {
    const read = certificateOf(socket);
    if (!read.ok) {
      const { reason, name } = read;
      this.#parts.log.warn({ event: EVENTS.siteRefused, siteId: null, reason, certificate: name });
      socket.destroy();
      return;
    }
    const guard = this.#accept(broker, socket, socket.remoteAddress);
    if (read.certificate) this.#certificates.set(guard, read.certificate);
  }

  /** A client that came another way, such as a WebSocket. @param address where it is */
  accept(connection: Duplex, address: string): void {
    if (this.#running === null) {
      connection.destroy();
      return;
    }
    keep(this.#running.connections, connection);
    this.#accept(this.#running.broker, connection, address);
  }

  #accept(broker: Aedes, connection: Duplex, address: string | undefined): FrameGuard {
    const guard = new FrameGuard(connection);
    this.#wait(guard, address);
    broker.handle(guard);
    return guard;
  }

  /** It has not logged in: where too many have not, one of them goes. */
  #wait(connection: Duplex, address = ''): void {
    this.#beforeLogin.add(connection, limitedAddress(address));
    connection.on('close', () => this.#beforeLogin.remove(connection));
    const { maxBeforeLogin = MAX_BEFORE_LOGIN } = this.#parts;
    if (this.#beforeLogin.size > maxBeforeLogin) this.#beforeLogin.first()?.destroy();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    stopWaiting(running.server);
    const closed = new Promise<void>((resolve) => running.server.close(() => resolve()));
    await new Promise<void>((resolve) => running.broker.close(() => resolve()));
    for (const connection of running.connections) connection.destroy();
    await closed;
  }

  on(leaf: LeafFromSite, listener: SiteListener): void {
    this.#listeners.push([leaf, listener]);
  }

  onGone(listener: (siteId: string) => void): void {
    this.#clients.onGone(listener);
  }

  publish(siteId: string, leaf: LeafToSite, payload: string, options?: { retain?: boolean }): Promise<void> {
    const running = this.#running;
    if (running === null) return Promise.resolve();
    const topic = `${siteTopics(siteId).root}/${leaf}`;
    return new Promise((resolve, reject) => {
      running.broker.publish(
        { cmd: 'publish', topic, payload, qos: 1, dup: false, retain: options?.retain ?? false },
        (error) => (error ? reject(error) : resolve()),
      );
    });
  }

  isConnected(siteId: string): boolean {
    return this.#clients.has(siteId);
  }

  disconnect(siteId: string): void {
    this.#clients.drop(siteId);
  }

  #rules(): AedesOptions {
    const { log, admits, tls } = this.#parts;
    return {
      drainTimeout: SLOW_READER_MS,
      connectTimeout: LOGIN_WITHIN_MS,
      maxClientsIdLength: 256,
      preConnect: (client, packet, done) => {
        // A client id in use drops the connection that has it: a site's ids are kept apart from other sites'.
        const { clientId, username = this.#certificates.get(client.conn)?.names[0] ?? '' } = packet;
        if (clientId !== '' && !clientId.startsWith(username)) packet.clientId = `${username}/${clientId}`;
        // The broker keeps no session: no part of the system depends on its memory.
        packet.clean = true;
        done(null, true);
      },
      authenticate: (client, username, password, done) => {
        const refuse = (reason: string) =>
          done(Object.assign(new Error(reason), { returnCode: BAD_LOGIN }), false);
        const identity = identifyClient(
          { username, password: password?.toString() },
          {
            certificate: this.#certificates.get(client.conn),
            required: tls?.clientCertificates === 'required',
          },
        );
        if (!identity.ok) {
          refuse(identity.reason);
          return;
        }
        const { siteId, secret } = identity;
        this.#clients
          .admit(client, siteId, () => admits(siteId, secret))
          .then(
            (admitted) => {
              if (!admitted) refuse('wrong site or secret');
              else {
                this.#admit(client);
                done(null, true);
              }
            },
            (error) => {
              log.error({ event: EVENTS.brokerFailed, err: error }, messageOf(error));
              done(Object.assign(new Error('not now'), { returnCode: 3 }), false);
            },
          );
      },
      authorizePublish: (client, packet, done) => {
        const siteId = client === null ? null : this.#clients.siteOf(client);
        if (siteId === null || !mayPublish(siteId, packet.topic)) {
          this.#log.warn({ event: EVENTS.publishRefused, siteId, topic: packet.topic });
          done(new Error('not a topic that this site may publish'));
          return;
        }
        if (!mayRetain(siteId, packet.topic)) packet.retain = false;
        done(null);
      },
      authorizeSubscribe: (client, subscription, done) => {
        const siteId = this.#clients.siteOf(client);
        const allowed = siteId !== null && maySubscribe(siteId, subscription.topic);
        if (!allowed) this.#log.warn({ event: EVENTS.subscribeRefused, siteId, topic: subscription.topic });
        // Null refuses the subscription: SUBACK 128 for this one, and the connection goes on.
        done(null, allowed ? subscription : null);
      },
    };
  }

  #admit({ conn }: Client): void {
    if (!(conn instanceof FrameGuard)) return;
    this.#beforeLogin.remove(conn);
    conn.admit();
  }

  #logRefusal(client: Client, error: Error): void {
    const siteId = this.#clients.siteOf(client);
    const log = siteId === null ? this.#parts.log : this.#log;
    log.warn({ event: EVENTS.siteRefused, siteId, reason: error.message });
  }
}

/** Keeps a connection in the set until it is closed. */
function keep(connections: Set<Duplex>, connection: Duplex): void {
  connections.add(connection);
  connection.on('close', () => connections.delete(connection));
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Whether a site may publish there: messages of sites, under its own root. */
export function mayPublish(siteId: string, topic: string): boolean {
  const parts = splitTopic(topic);
  return parts !== null && parts.siteId === siteId && SITE_PUBLISHES.includes(parts.leaf);
}

/** Whether a site may subscribe to this: its own root and anything under it, wildcards after the root included. */
export function maySubscribe(siteId: string, filter: string): boolean {
  const { root } = siteTopics(siteId);
  return filter === root || filter.startsWith(`${root}/`);
}

/** Whether a message may be retained for later subscribers: the presence of a site alone. */
export function mayRetain(siteId: string, topic: string): boolean {
  return topic === siteTopics(siteId).presence;
}
