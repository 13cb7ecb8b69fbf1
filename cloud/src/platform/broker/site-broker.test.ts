import { connect as connectSocket, type Socket } from 'node:net';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_PACKET_BYTES } from './frame-guard.ts';
import { SiteBroker } from './site-broker.ts';

const SECRETS = new Map([
  ['site-a', 'secret-a'],
  ['site-b', 'secret-b'],
]);

const MAX_BEFORE_LOGIN = 200;

let secrets: Map<string, string>;
let broker: SiteBroker;
let mqttUrl: string;
let messages: [string, string, string][];
let clients: MqttClient[];
let onReceived: () => void;

beforeEach(async () => {
  secrets = new Map(SECRETS);
  messages = [];
  clients = [];
  onReceived = () => undefined;
  broker = new SiteBroker({
    host: '127.0.0.1',
    port: 0,
    admits: async (siteId, secret) => secrets.get(siteId) === secret,
    log: pino({ level: 'silent' }),
    maxBeforeLogin: MAX_BEFORE_LOGIN,
  });
  for (const leaf of ['up', 'presence', 'down/ack'] as const) {
    broker.on(leaf, (siteId, payload) => {
      messages.push([siteId, leaf, Buffer.from(payload).toString()]);
      onReceived();
    });
  }
  ({ mqttUrl } = await broker.start());
});

afterEach(async () => {
  for (const client of clients) client.end(true);
  await broker.stop();
});

async function connect(siteId: string, options: IClientOptions = {}): Promise<MqttClient> {
  const client = await connectAsync(
    mqttUrl,
    {
      username: siteId,
      password: SECRETS.get(siteId) ?? 'none',
      clientId: `${siteId}-edge`,
      reconnectPeriod: 0,
      ...options,
    },
    false,
  );
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

const nextReceived = () => new Promise<void>((resolve) => (onReceived = resolve));

/** The next time that an event happens, with what came with it. */
function happens(
  emitter: { once(event: string, listener: (...values: unknown[]) => void): unknown },
  event: string,
): Promise<unknown[]> {
  return new Promise((resolve) => emitter.once(event, (...values) => resolve(values)));
}

function received(client: MqttClient): Promise<[string, string, boolean]> {
  return new Promise((resolve) =>
    client.once('message', (topic, payload, { retain }) => resolve([topic, payload.toString(), retain])),
  );
}

describe('who may connect', () => {
  it('lets a site in with its secret', async () => {
    const client = await connect('site-a');
    expect(client.connected).toBe(true);
    expect(broker.isConnected('site-a')).toBe(true);
  });

  it.each([
    ['a wrong secret', { password: 'secret-b' }],
    ['no secret', { password: undefined }],
    ['an unknown site', { username: 'site-c' }],
    ['no user name', { username: undefined, password: undefined }],
  ])('refuses %s', async (_case, options) => {
    await expect(connect('site-a', options as IClientOptions)).rejects.toThrow(/refused|not auth/i);
    expect(broker.isConnected('site-a')).toBe(false);
  });

  it('refuses MQTT 5', async () => {
    await expect(connect('site-a', { protocolVersion: 5 })).rejects.toThrow(/refused|protocol/i);
  });

  it('keeps the client ids of sites apart', async () => {
    const ours = await connect('site-a', { clientId: 'edge' });
    const theirs = await connect('site-b', { clientId: 'edge' });
    const hijack = await connect('site-b', { clientId: 'site-a-edge' });
    expect([ours, theirs, hijack].map((client) => client.connected)).toEqual([true, true, true]);
  });

  it('drops a site whose secret is taken back, also one that is just coming in', async () => {
    const client = await connect('site-a');
    const closed = happens(client, 'close');
    const gone = new Promise<string>((resolve) => broker.onGone(resolve));
    secrets.delete('site-a');
    broker.disconnect('site-a');
    await closed;
    expect(await gone).toBe('site-a');
    await expect(connect('site-a')).rejects.toThrow();
  });

  it('breaks off a packet that is too large before it is in memory', async () => {
    const port = Number(new URL(mqttUrl).port);
    const socket = connectSocket(port, '127.0.0.1');
    // CONNECT with a remaining length of 256 MB.
    socket.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
    socket.on('error', () => undefined);
    await happens(socket, 'close');

    const client = await connect('site-a');
    const closed = happens(client, 'close');
    client.publish(siteTopics('site-a').up, Buffer.alloc(MAX_PACKET_BYTES + 1), { qos: 0 });
    await closed;
    expect(messages).toEqual([]);
  });
});

describe('before the login', () => {
  const port = () => Number(new URL(mqttUrl).port);

  /** A connection that has sent these bytes and then stops. */
  async function halfSent(bytes: Buffer): Promise<Socket> {
    const socket = connectSocket(port(), '127.0.0.1');
    socket.on('error', () => undefined);
    await happens(socket, 'connect');
    socket.write(bytes);
    return socket;
  }

  it('breaks off a CONNECT that is larger than any site sends', async () => {
    // A remaining length of 8193 bytes.
    const socket = await halfSent(Buffer.from([0x10, 0x81, 0x40]));
    await happens(socket, 'close');
  });

  it('admits all sites of a country that come at once after a restart', async () => {
    const all = 500;
    let asked = 0;
    let answer: (admitted: boolean) => void = () => undefined;
    const answered = new Promise<boolean>((resolve) => (answer = resolve));
    const country = new SiteBroker({
      host: '127.0.0.1',
      port: 0,
      log: pino({ level: 'silent' }),
      // None is answered before the last has come.
      admits: async () => {
        if (++asked === all) answer(true);
        return await answered;
      },
    });
    const { mqttUrl: url } = await country.start();
    const logIn = { password: 'secret', reconnectPeriod: 0 };
    try {
      const sites = Array.from({ length: all }, (_unused, n) => `site-${n}`);
      clients.push(
        ...(await Promise.all(sites.map((site) => connectAsync(url, { ...logIn, username: site }, false)))),
      );
      expect(sites.filter((site) => country.isConnected(site))).toHaveLength(all);
    } finally {
      await country.stop();
    }
  });

  it('lets a site in whatever crowd stands at the door, and closes the oldest of it', async () => {
    const crowd: Socket[] = [];
    for (let n = 0; n < 300; n++) crowd.push(await halfSent(Buffer.from([0x10, 0x80, 0x40, 0x00])));
    const client = await connect('site-a');
    await expect.poll(() => crowd.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(100);
    expect(crowd.slice(0, 100).every(({ destroyed }) => destroyed)).toBe(true);
    expect(crowd.at(-1)?.destroyed).toBe(false);
    for (let n = 0; n < 300; n++) crowd.push(await halfSent(Buffer.from([0x10, 0x80, 0x40, 0x00])));
    // The crowd does not affect a client that has logged in.
    const large = 'x'.repeat(300_000);
    await client.publishAsync(siteTopics('site-a').up, large, { qos: 1 });
    expect(messages).toEqual([['site-a', 'up', large]]);
    for (const socket of crowd) socket.destroy();
  });
});

describe('what a site may publish', () => {
  it('passes on its own leaves, whole', async () => {
    const client = await connect('site-a');
    const large = 'x'.repeat(300_000);
    const publishing = client.publishAsync(siteTopics('site-a').up, large, { qos: 1 });
    await nextReceived();
    await publishing;
    expect(messages).toEqual([['site-a', 'up', large]]);
  });

  it.each([
    ["another site's root", 'hlid/v1/site-b/up'],
    ["the cloud's leaves", 'hlid/v1/site-a/up/ack'],
    ['changes', 'hlid/v1/site-a/down'],
    ['a leaf that does not exist', 'hlid/v1/site-a/up/more'],
    ['anything else', 'elsewhere'],
    ['the broker itself', '$SYS/broker'],
  ])('drops a connection that publishes to %s', async (_case, topic) => {
    const client = await connect('site-a');
    const closed = happens(client, 'close');
    client.publish(topic, 'x', { qos: 0 });
    await closed;
    expect(messages).toEqual([]);
  });

  it('says its last will when the line breaks, and only under its own root', async () => {
    const will = (siteId: string) => ({
      topic: siteTopics(siteId).presence,
      payload: Buffer.from('gone'),
      qos: 1 as const,
      retain: true,
    });
    const ours = await connect('site-a', { will: will('site-a') });
    const thief = await connect('site-b', { will: will('site-a') });
    thief.stream.destroy();
    const sent = nextReceived();
    ours.stream.destroy();
    await sent;
    expect(messages).toEqual([['site-a', 'presence', 'gone']]);
  });

  it('retains presence and nothing else', async () => {
    const client = await connect('site-a');
    const { up, presence, root } = siteTopics('site-a');
    await client.publishAsync(up, 'batch', { qos: 1, retain: true });
    await client.publishAsync(presence, 'here', { qos: 1, retain: true });
    const watcher = await connect('site-a', { clientId: 'watcher' });
    const first = received(watcher);
    await watcher.subscribeAsync(`${root}/#`, { qos: 1 });
    expect(await first).toEqual([presence, 'here', true]);
  });
});

describe('what a site may hear', () => {
  it.each(['hlid/v1/site-a/#', 'hlid/v1/site-a/down', 'hlid/v1/site-a/+', 'hlid/v1/site-a/up/ack'])(
    'grants %s',
    async (filter) => {
      const client = await connect('site-a');
      expect(await client.subscribeAsync(filter, { qos: 1 })).toMatchObject([{ topic: filter, qos: 1 }]);
    },
  );

  it.each([
    '#',
    '+/#',
    '$SYS/#',
    'hlid/#',
    'hlid/v1/#',
    'hlid/v1/+/down',
    'hlid/v1/site-b/#',
    'hlid/v1/site-a2/#',
    '$share/all/hlid/v1/site-a/#',
  ])('refuses %s and goes on', async (filter) => {
    const client = await connect('site-a');
    const suback = happens(client, 'packetreceive');
    await client.subscribeAsync(filter, { qos: 1 }).catch(() => undefined);
    const [packet] = await suback;
    expect(packet).toMatchObject({ cmd: 'suback', granted: [128] });
    await broker.publish('site-b', 'down', 'secret');
    const own = received(client);
    await client.subscribeAsync('hlid/v1/site-a/down', { qos: 1 });
    await broker.publish('site-a', 'down', 'ours');
    expect(await own).toEqual(['hlid/v1/site-a/down', 'ours', false]);
  });

  it('gives a retained head to a site that connects later', async () => {
    await broker.publish('site-a', 'down/head', 'old', { retain: true });
    await broker.publish('site-a', 'down/head', 'new', { retain: true });
    const client = await connect('site-a');
    const message = received(client);
    await client.subscribeAsync('hlid/v1/site-a/down/head', { qos: 1 });
    expect(await message).toEqual(['hlid/v1/site-a/down/head', 'new', true]);
  });
});
