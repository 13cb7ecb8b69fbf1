import { Socket } from 'node:net';
import { withTimeout } from '@hlid/node/with-timeout';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import mqtt, { type IClientPublishOptions, type MqttClient } from 'mqtt';
import type { TlsConnectionOptions } from '../cloud-access/cloud-tls.ts';

/** One connection to the broker, from its beginning to its end; the next one is a new session. */
export interface MqttSession {
  /** From here on messages are handled; those that came before are handled now, in order. */
  listen(onMessage: (topic: string, payload: Uint8Array) => void): void;
  /** QoS 1; what the broker does with it is not waited for. */
  publish(topic: string, payload: string, options?: Pick<IClientPublishOptions, 'retain'>): void;
  /** Resolves with the reason when the connection is gone. */
  readonly closed: Promise<string>;
  /** Disconnects when the broker has acknowledged what was published, and after the timeout in any case. */
  end(timeoutMs: number): Promise<void>;
}

export interface SessionOptions {
  url: string;
  clientId: string;
  username: string;
  password: string;
  will: { topic: string; payload: string };
  subscriptions: readonly string[];
  keepaliveSeconds: number;
  connectTimeoutMs: number;
  tls?: TlsConnectionOptions | undefined;
}

/**
 * Connects and subscribes. Throws Fault `link-refused` where the broker refuses, `link-lost` where there is
 * no answer.
 *
 * MQTT 3.1.1 with a clean session: nothing rests on the memory of a broker. And a client for one connection
 * only: what it had on its way is sent again by the parts that know what the cloud still needs.
 */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<MqttSession> {
  signal.throwIfAborted();
  const { tls } = options;
  // The library's type of this is for its browser's side too.
  const wsOptions: object = { ...tls };
  const client = mqtt.connect(options.url, {
    protocolVersion: 4,
    clean: true,
    clientId: options.clientId,
    username: options.username,
    password: options.password,
    keepalive: options.keepaliveSeconds,
    connectTimeout: options.connectTimeoutMs,
    reconnectPeriod: 0,
    resubscribe: false,
    // A certificate of our own would turn mqtt: into mqtts:, and a plain line shows no certificate.
    ...(/^(?:mqtts|wss):/.test(options.url) && { ...tls, wsOptions }),
    will: { ...options.will, payload: Buffer.from(options.will.payload), qos: 1, retain: true },
  });
  // Small messages and answers by turns: Nagle's algorithm would hold up each by a delayed acknowledgement, 40 ms.
  if (client.stream instanceof Socket) client.stream.setNoDelay(true);
  let lastError: Error | null = null;
  client.on('error', (error) => (lastError = error));
  // Retained messages come right behind the answer to the subscription.
  const early: [topic: string, payload: Uint8Array][] = [];
  let handle = (topic: string, payload: Uint8Array): void => {
    early.push([topic, payload]);
  };
  client.on('message', (topic, payload) => handle(topic, payload));
  const closed = new Promise<string>((resolve) => {
    client.once('close', () => resolve(lastError ? messageOf(lastError) : 'the connection was closed'));
  });
  const abort = () => client.end(true);
  signal.addEventListener('abort', abort, { once: true });

  try {
    await Promise.race([connected(client), closed.then((reason) => Promise.reject(new Error(reason)))]);
    await Promise.race([
      subscribe(client, options.subscriptions),
      closed.then((reason) => Promise.reject(new Error(reason))),
    ]);
  } catch (error) {
    client.end(true);
    throw asFault(lastError ?? error);
  } finally {
    signal.removeEventListener('abort', abort);
  }

  return {
    listen(onMessage) {
      handle = onMessage;
      for (const [topic, payload] of early.splice(0)) onMessage(topic, payload);
    },
    publish(topic, payload, { retain = false } = {}) {
      // An error means that the connection is gone, which `closed` reports.
      client.publish(topic, payload, { qos: 1, retain }, () => undefined);
    },
    closed,
    async end(timeoutMs) {
      // The library waits for every acknowledgement, also when the connection is gone: its promise may never settle.
      // A second `end(true)` would not help: a client that is ending ignores it.
      const ended = client.endAsync().catch(() => undefined);
      await withTimeout(ended, timeoutMs, () => void client.stream.destroy());
    },
  };
}

function connected(client: MqttClient): Promise<void> {
  return new Promise((resolve) => client.once('connect', () => resolve()));
}

async function subscribe(client: MqttClient, topics: readonly string[]): Promise<void> {
  const granted = await client.subscribeAsync([...topics], { qos: 1 });
  const refused = granted.filter(({ qos }) => qos === 128).map(({ topic }) => topic);
  if (refused.length > 0) {
    throw new Fault('link-refused', `the broker refuses the subscription of ${refused.join(', ')}`);
  }
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  // MQTT 3.1.1, 3.2.2.3: 4 bad user name or password, 5 not authorised.
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const refused = code === 4 || code === 5;
  return new Fault(refused ? 'link-refused' : 'link-lost', messageOf(error), { cause: error });
}
