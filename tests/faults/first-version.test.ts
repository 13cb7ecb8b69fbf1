import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { createCloudLink } from '@hlid/edge/cloud-link/cloud-link';
import { siteTopics } from '@hlid/protocol/topics';
import { Aedes } from 'aedes';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { connectAsync, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { seededRandom } from '../sim/seeded-random.ts';
import { waitFor } from '../stage/wait.ts';
import { drive } from './busy-site.ts';
import { siteVisits } from './linked-books.ts';
import { type LinkedSite, startLinkedSite } from './linked-site.ts';

const read = (file: string) =>
  readFileSync(new URL(`../fixtures/protocol-v1/${file}`, import.meta.url), 'utf8');

const MqttLine = z.strictObject({ topic: z.string(), message: z.looseObject({ v: z.number() }) });
const HttpLine = z.strictObject({ http: z.string(), status: z.number(), body: z.string() });
const SESSION = read('session.ndjson')
  .trimEnd()
  .split('\n')
  .map((line) => z.union([MqttLine, HttpLine]).parse(JSON.parse(line)));
const BOOKS = z
  .object({ counts: z.record(z.string(), z.number()), visits: z.array(z.looseObject({ id: z.string() })) })
  .parse(JSON.parse(read('books.json')));
const SCHEMAS = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .parse(JSON.parse(read('schemas.json')));

/** What a side of the first version makes of a message: null, or why it refuses it. */
const ajv = new Ajv2020({ strict: false, discriminator: false });
addFormats.default(ajv);
const validators = new Map(Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]));
function refusal(name: string, message: unknown): string | null {
  const validate = validators.get(name);
  if (!validate) throw new Error(`The first version knew no ${name}`);
  return validate(message) ? null : `${name} ${JSON.stringify(message)}: ${ajv.errorsText(validate.errors)}`;
}

const said = (...topics: string[]) =>
  SESSION.flatMap((line) => ('topic' in line && topics.includes(line.topic) ? [line] : []));

it('the recording is what it says: its own schemas take every message of it', () => {
  for (const line of SESSION) {
    if ('topic' in line) expect(refusal(line.topic, line.message)).toBeNull();
  }
  expect(refusal('up/ack', { v: 1, epoch: BOOKS.visits[0]?.id, committed: 0, more: 1 })).toContain(
    'additional',
  );
});

describe('a site of the first version at the cloud of today', () => {
  let linked: LinkedSite;
  let client: MqttClient;
  beforeEach(async () => {
    linked = await startLinkedSite();
    await linked.unlink();
  });
  afterEach(async () => {
    client?.end(true);
    await linked?.stop();
  });

  it('comes to the same books, and is told nothing that it could not read', async () => {
    const { siteId, secret } = linked.access;
    const { root } = siteTopics(siteId);
    // Its gateway was newer once: it was told something that only later versions know.
    const { id } = await linked.operator().addPermit('NEVER1');
    await linked.operator().ask('DELETE', `/visit/whitelist/${id}`);
    expect((await linked.operator().ask('DELETE', '/privacy/plates/NEVER1')).status).toBe(200);
    // And something of each of those that are about visits.
    const operator = linked.operator();
    const reason = 'by the back door';
    await operator.ask('POST', '/visits', { startedOn: linked.now(), plate: 'BYHAND', reason });
    const [{ id: visitId } = { id: '' }] = await operator.visits({ plate: 'BYHAND' });
    await operator.ask('PUT', `/visit/${visitId}`, { plate: 'BYHAN2', reason });
    await operator.ask('PUT', `/visit/${visitId}`, { paymentStatus: 'void', reason });
    const kinds = linked.cloudDb((db) => db.prepare('SELECT kind FROM feed_change').pluck().all());
    expect(kinds).toEqual(expect.arrayContaining(['erase', 'visit', 'visit-edit', 'settlement']));
    const heard: { topic: string; message: unknown }[] = [];
    client = await connectAsync(linked.mqttUrl, {
      username: siteId,
      password: secret,
      clientId: `${siteId}-edge`,
    });
    client.on('message', (topic, payload) => {
      heard.push({ topic: topic.slice(root.length + 1), message: JSON.parse(String(payload)) });
    });
    await client.subscribeAsync(
      ['up/ack', 'down', 'down/head', 'cmd'].map((leaf) => `${root}/${leaf}`),
      { qos: 1 },
    );
    for (const { topic, message } of said('presence', 'up')) {
      await client.publishAsync(`${root}/${topic}`, JSON.stringify(message), { qos: 1 });
    }
    // Steps that people in the cloud have added are the recorded cloud's own.
    const { visit_step: _, ...told } = BOOKS.counts;
    const counted = (table: string) =>
      linked.cloudDb((db) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().all()[0]));
    await waitFor(() => Object.entries(told).every(([table, count]) => counted(table) === count), {
      what: 'the books to be the same',
      detail: () => JSON.stringify(Object.keys(told).map(counted)),
    });
    const visits = linked.cloudDb((db) =>
      db
        .prepare(
          `SELECT id, plate, status, payment_status AS paymentStatus, started_at AS startedAt, ended_at AS endedAt,
             units_met AS unitsMet, amount_minor AS due FROM visit ORDER BY id`,
        )
        .all(),
    ) as { id: string }[];
    expect(visits.filter(({ id }) => id !== visitId)).toEqual(
      BOOKS.visits.map(({ quota: _quota, flags: _flags, ...visit }) => visit),
    );
    await linked.operator().addPermit('LATER1');
    await waitFor(() => JSON.stringify(heard).includes('LATER1'), { what: 'the permit' });
    for (const { topic, message } of heard) expect(refusal(topic, message)).toBeNull();

    const ask = async (path: string) => {
      const answer = await fetch(`${linked.httpUrl}${path}`, {
        headers: { authorization: `Bearer ${siteId}.${secret}` },
      });
      return await answer.text();
    };
    expect(refusal('changes', JSON.parse(await ask('/edge/changes?after=0&limit=1000')))).toBeNull();
    for (const line of (await ask('/edge/snapshot')).trimEnd().split('\n')) {
      expect(refusal('snapshot', JSON.parse(line))).toBeNull();
    }
  });
});

describe('a site of today at a cloud of the first version', () => {
  it('has its lists and its visits, and says nothing that the cloud could not read', async () => {
    const site = await startLinkedSite();
    const cloud = await playOldCloud('the-site', 'the-secret');
    await site.loseDisk();
    const { events, feed } = site.site().core;
    const link = createCloudLink({
      cloud: { httpUrl: cloud.httpUrl, mqttUrl: cloud.mqttUrl, siteId: 'the-site', secret: 'the-secret' },
      events,
      feed,
      commands: { take: async () => null },
      software: 'hlid-edge/test',
      clock: { now: () => new Date(site.now()) },
      log: pino({ enabled: false }),
      timing: { retryFirstMs: 20, retryMostMs: 200 },
    });
    try {
      link.start();
      await waitFor(() => feed.position().hash === cloud.head.hash, {
        what: 'the lists of the old cloud',
        detail: () => JSON.stringify([link.view(), feed.position(), cloud.head]),
      });
      await drive(site, seededRandom(7), 12);
      await site.site().read('in-1', 'PERMIT');
      await waitFor(() => events.lastSeq() > 0 && events.acknowledged() === events.lastSeq(), {
        what: 'everything to be acknowledged',
      });
      expect(siteVisits(site.site()).some(({ plate }) => plate === 'PERMIT')).toBe(true);
      expect(cloud.heard.length).toBeGreaterThan(3);
      for (const { topic, message } of cloud.heard) expect(refusal(topic, message)).toBeNull();
    } finally {
      await link.stop();
      await cloud.stop();
      await site.stop();
    }
  });
});

/** The cloud's side of the recording, on a real broker and a real HTTP server. */
async function playOldCloud(siteId: string, secret: string) {
  const topics = siteTopics(siteId);
  const heard: { topic: string; message: unknown }[] = [];
  const answers = new Map(SESSION.flatMap((line) => ('http' in line ? [[line.http, line]] : [])));
  const snapshot = answers.get('/edge/snapshot');
  const changes = answers.get('/edge/changes?after=0&limit=1000');
  if (!snapshot || !changes) throw new Error('The recording has no snapshot');
  const [head] = snapshot.body.split('\n').map((line) => JSON.parse(line || '{}'));
  const committed = new Map<string, number>();

  const broker = await Aedes.createBroker({
    authenticate: (_client, name, password, done) =>
      done(null, name === siteId && String(password) === secret),
  });
  const say = (topic: string, message: object, retain = false) =>
    broker.publish(
      { cmd: 'publish', qos: 1, dup: false, retain, topic, payload: JSON.stringify(message) },
      () => undefined,
    );
  broker.on('publish', (packet, client) => {
    if (!client) return;
    const message = JSON.parse(String(packet.payload));
    const topic = packet.topic.slice(topics.root.length + 1);
    heard.push({ topic, message });
    if (topic === 'up') committed.set(message.epoch, message.events.at(-1).seq);
    const { epoch } = message;
    if (topic === 'up' || (topic === 'presence' && message.online)) {
      say(topics.upAck, { v: 1, epoch, committed: committed.get(epoch) ?? 0 });
    }
  });
  const mqtt = net.createServer((socket) => broker.handle(socket));
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://cloud');
    if (pathname === '/edge/snapshot') return void response.end(snapshot.body);
    const after = Number(searchParams.get('after'));
    const batch = JSON.parse(changes.body);
    batch.changes = batch.changes.filter(({ n }: { n: number }) => n > after);
    response.end(JSON.stringify(batch));
  });
  for (const server of [mqtt, http]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  say(topics.head, { v: 1, n: head.n, hash: head.hash }, true);
  const portOf = (server: net.Server) => (server.address() as AddressInfo).port;
  return {
    heard,
    head: { n: Number(head.n), hash: String(head.hash) },
    mqttUrl: `mqtt://127.0.0.1:${portOf(mqtt)}`,
    httpUrl: `http://127.0.0.1:${portOf(http)}`,
    async stop() {
      http.closeAllConnections();
      http.close();
      await new Promise<void>((resolve) => broker.close(() => resolve()));
      mqtt.close();
    },
  };
}
