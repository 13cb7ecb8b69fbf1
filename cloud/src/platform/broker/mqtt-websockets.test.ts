import { createServer, type Server } from 'node:http';
import { listen, stopListening } from '@hlid/node/listen';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { MAX_PACKET_BYTES } from './frame-guard.ts';
import { MqttWebsockets } from './mqtt-websockets.ts';
import { SiteBroker } from './site-broker.ts';

const SECRET = 'secret-a';
const { up, root } = siteTopics('site-a');
const FREE = { host: '127.0.0.1', port: 0 };
const MAX_BEFORE_LOGIN = 5;

let server: Server;
let broker: SiteBroker;
let websockets: MqttWebsockets;
let address: string;
let received: string[];
let clients: MqttClient[];

beforeEach(async () => {
  received = [];
  clients = [];
  broker = new SiteBroker({
    ...FREE,
    admits: async (siteId, secret) => siteId === 'site-a' && secret === SECRET,
    log: pino({ level: 'silent' }),
    maxBeforeLogin: MAX_BEFORE_LOGIN,
  });
  broker.on('up', (_siteId, payload) => received.push(Buffer.from(payload).toString()));
  await broker.start();
  server = createServer((_request, response) => response.end('the API'));
  websockets = new MqttWebsockets(server, ['127.0.0.1'], (stream, from) => broker.accept(stream, from));
  address = await listen(server, FREE, 'HLID_CLOUD_PORT');
  websockets.start();
});
afterEach(async () => {
  for (const client of clients) client.end(true);
  websockets.stop();
  await stopListening(server);
  await broker.stop();
});

async function connect(options: IClientOptions = {}): Promise<MqttClient> {
  const client = await connectAsync(
    `ws://${address}/mqtt`,
    {
      username: 'site-a',
      password: SECRET,
      clientId: 'site-a/edge',
      protocolVersion: 4,
      reconnectPeriod: 0,
      ...options,
    },
    false,
  );
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

/** A WebSocket that sends nothing; `from` as a proxy reports it. */
async function silent(from: string, path = '/mqtt'): Promise<{ isOpen(): boolean }> {
  const socket = new WebSocket(`ws://${address}${path}`, 'mqtt', { headers: { 'X-Forwarded-For': from } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { isOpen: () => socket.readyState === WebSocket.OPEN };
}

describe('MQTT by WebSocket', () => {
  it('lets a site in with its secret, and carries messages both ways', async () => {
    const client = await connect();
    expect(broker.isConnected('site-a')).toBe(true);
    const text = 'x'.repeat(MAX_PACKET_BYTES / 2);
    await client.publishAsync(up, text, { qos: 1 });
    expect(received).toEqual([text]);
    await client.subscribeAsync(`${root}/#`, { qos: 1 });
    const heard = new Promise((resolve) =>
      client.once('message', (topic, payload) => resolve([topic, payload.toString()])),
    );
    await broker.publish('site-a', 'down/head', '{}');
    expect(await heard).toEqual([`${root}/down/head`, '{}']);
  });

  it('keeps out a wrong secret, another path, and a packet that is too large', async () => {
    await expect(connect({ password: 'other' })).rejects.toThrow('Bad username or password');
    await expect(silent('192.0.2.1', '/other')).rejects.toThrow('404');
    const client = await connect();
    const gone = new Promise((resolve) => client.once('close', () => resolve('gone')));
    client.publish(up, 'x'.repeat(MAX_PACKET_BYTES), { qos: 1 }, () => undefined);
    expect(await gone).toBe('gone');
    expect(received).toEqual([]);
  });

  it('counts who has not logged in by the address that the proxy reports', async () => {
    const one = await silent('192.0.2.1');
    const many: { isOpen(): boolean }[] = [];
    for (let n = 0; n < 2 * MAX_BEFORE_LOGIN; n++) many.push(await silent('192.0.2.2'));
    await expect.poll(() => many.filter((each) => each.isOpen()).length).toBe(MAX_BEFORE_LOGIN - 1);
    expect(one.isOpen()).toBe(true);
    expect((await connect()).connected).toBe(true);
  });

  it('ends with the HTTP server, which answers as before', async () => {
    expect(await (await fetch(`http://${address}/mqtt`)).text()).toBe('the API');
    const client = await connect();
    const gone = new Promise((resolve) => client.once('close', () => resolve('gone')));
    websockets.stop();
    await stopListening(server);
    expect(await gone).toBe('gone');
    expect(broker.isConnected('site-a')).toBe(false);
  });
});
