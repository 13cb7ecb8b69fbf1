import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import { deadline } from '@hlid/protocol/test/deadline';
import { connectAsync, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchText, eventAt, readEvent, sampleStay } from '../../../test/sample-events.ts';
import { Ingest } from '../../integration/ingest/ingest.ts';
import { SiteBroker } from '../../platform/broker/site-broker.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { type Actor, ALL_RIGHTS } from '../../platform/http/caller.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { findSite } from '../../records/sites/find-sites.ts';
import { createSite } from '../sites/change/change-sites.ts';
import { checkSiteSecret } from '../sites/site-credentials.ts';
import { SitePresence } from '../sites/site-presence.ts';
import { siteView } from '../sites/site-view.ts';
import { FeedPush } from './feed-push.ts';

const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
const log = pino({ level: 'silent' });
const OPERATOR: Actor = {
  caller: {
    kind: 'account',
    accountId: 'a1',
    role: 'operator',
    customerId: null,
    tokenId: 't1',
    rights: ALL_RIGHTS,
  },
  at: '2026-11-21T12:00:00.000Z',
  requestId: 'test',
};

let folder: string;
let db: Db;
let broker: SiteBroker;
let stops: (() => Promise<void>)[];
let siteId: string;
let secret: string;
let mqttUrl: string;
let clients: MqttClient[];

/** The cloud's side of the link, as cloud.ts puts it together. */
async function startLink(): Promise<void> {
  db = await openDb(join(folder, 'cloud.db'));
  broker = new SiteBroker({
    host: '127.0.0.1',
    port: 0,
    admits: (id, given) => db.read((q) => checkSiteSecret(q, id, given ?? '')),
    log,
  });
  const parts = { db, bus: broker, clock, log };
  const [ingest, presence, feedPush] = [
    new Ingest(parts),
    new SitePresence({ ...parts, isOnlyOne: true }),
    new FeedPush(parts),
  ];
  ingest.start();
  await presence.start();
  ({ mqttUrl } = await broker.start());
  await feedPush.start();
  stops = [
    () => broker.stop(),
    () => feedPush.stop(),
    () => ingest.stop(),
    () => presence.stop(),
    () => db.close(),
  ];
}

async function stopLink(): Promise<void> {
  for (const client of clients.splice(0)) client.end(true);
  for (const stop of stops) await stop();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-link-'));
  clients = [];
  await startLink();
  const fields = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
  const made = await createSite(db, OPERATOR, { ...fields, settings: SiteSettingsSchema.parse({}) });
  siteId = made.site.id;
  secret = made.secret;
});

afterEach(async () => {
  await stopLink();
  rmSync(folder, { recursive: true });
});

/** A site's end of the link that keeps what it receives. */
class Site {
  readonly topics = siteTopics(siteId);
  readonly client: MqttClient;
  readonly #received: { topic: string; message: unknown }[] = [];
  #waiting: (() => void)[] = [];

  static async connect(): Promise<Site> {
    const client = await connectAsync(mqttUrl, {
      username: siteId,
      password: secret,
      clientId: `${siteId}-${randomUUID()}`,
      reconnectPeriod: 0,
    });
    clients.push(client);
    const site = new Site(client);
    await client.subscribeAsync(`${site.topics.root}/#`, { qos: 1 });
    return site;
  }

  private constructor(client: MqttClient) {
    this.client = client;
    client.on('message', (topic, payload) => {
      // The client receives its own messages too.
      if (topic === this.topics.up || topic === this.topics.presence) return;
      this.#received.push({ topic, message: JSON.parse(payload.toString()) });
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** The next message on a topic that has not been taken yet. */
  async next(topic: string): Promise<unknown> {
    for (;;) {
      const at = this.#received.findIndex((received) => received.topic === topic);
      if (at >= 0) return this.#received.splice(at, 1)[0]?.message;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  deliver(topic: string, message: unknown): Promise<unknown> {
    const payload = typeof message === 'string' ? message : JSON.stringify(message);
    return this.client.publishAsync(topic, payload, { qos: 1 });
  }

  announcePresence(fields: Record<string, unknown> = {}): Promise<unknown> {
    const presence = {
      v: 1,
      online: true,
      epoch,
      seq: 0,
      acknowledged: 0,
      feedAt: 0,
      feedMark: null,
      software: 'test',
      at: '2026-11-21T12:00:00.000Z',
    };
    return this.deliver(this.topics.presence, { ...presence, ...fields });
  }
}

const epoch = randomUUID();

async function shown() {
  const site = await db.read((q) => findSite(q, siteId));
  if (site === null) throw new Error('no such site');
  return siteView(site).presence;
}

/** Asks until the answer is as expected. */
function eventually<T>(ask: () => Promise<T>, check: (answer: T) => boolean): Promise<T> {
  const asExpected = async () => {
    const answer = await ask();
    if (!check(answer)) throw new Error(`Not yet as expected: ${JSON.stringify(answer)}`);
    return answer;
  };
  return vi.waitFor(asExpected, { timeout: deadline(10_000), interval: 5 });
}

describe('the event log', () => {
  it('is acknowledged when it is committed, and shown', async () => {
    const site = await Site.connect();
    const events = sampleStay('MKJ45').map((body, at) => eventAt(at + 1, body));
    await site.announcePresence({ seq: 9 });
    expect(await site.next(site.topics.upAck)).toEqual({ v: 1, epoch, committed: 0, superseded: false });
    await site.deliver(site.topics.up, batchText(epoch, events.slice(0, 4)));
    expect(await site.next(site.topics.upAck)).toEqual({ v: 1, epoch, committed: 4 });
    expect(await shown()).toMatchObject({ connected: true, seq: 9, acknowledged: 4, software: 'test' });
  });

  it('is taken from several batches in flight, and rewound over a gap', async () => {
    const site = await Site.connect();
    const events = sampleStay('MKJ45').map((body, at) => eventAt(at + 1, body));
    const batches = [events.slice(0, 3), events.slice(3, 6), events.slice(8)];
    await Promise.all(batches.map((batch) => site.deliver(site.topics.up, batchText(epoch, batch))));
    const acks = [
      await site.next(site.topics.upAck),
      await site.next(site.topics.upAck),
      await site.next(site.topics.upAck),
    ];
    expect(acks).toMatchObject([{ committed: 3 }, { committed: 6 }, { committed: 6 }]);
  });

  it.each([
    ['not JSON', 'rubbish'],
    ['of a version to come', JSON.stringify({ v: 2, epoch, events: [] })],
    ['without a number', batchText(epoch, [{ at: 'now' }])],
  ])('goes on after a batch that is %s', async (_case, text) => {
    const site = await Site.connect();
    await site.announcePresence();
    await site.next(site.topics.upAck);
    await site.deliver(site.topics.up, text);
    expect(await site.next(site.topics.upAck)).toEqual({ v: 1, epoch, committed: 0 });
    await site.deliver(site.topics.up, batchText(epoch, [eventAt(1, readEvent())]));
    expect(await site.next(site.topics.upAck)).toEqual({ v: 1, epoch, committed: 1 });
  });

  it('continues where it was when the cloud comes back', async () => {
    const before = await Site.connect();
    await before.deliver(before.topics.up, batchText(epoch, [eventAt(1, readEvent())]));
    await before.next(before.topics.upAck);
    await stopLink();
    await startLink();
    expect(await shown()).toMatchObject({ connected: false });
    const after = await Site.connect();
    await after.announcePresence({ seq: 1 });
    expect(await after.next(after.topics.upAck)).toMatchObject({ v: 1, epoch, committed: 1 });
    const other = randomUUID();
    await after.announcePresence({ epoch: other });
    expect(await after.next(after.topics.upAck)).toMatchObject({ v: 1, epoch: other, committed: 0 });
  });
});

describe('the change feed', () => {
  const zone = (id: string, name = id) =>
    db.write((tx) =>
      publishChange(tx, 'all', { kind: 'zone', op: 'put', id, item: { id, name, capacity: null } }),
    );

  it('pushes a change as soon as it is committed, and the head after it', async () => {
    const site = await Site.connect();
    const first = (await site.next(site.topics.head)) as { n: number };
    expect(first.n).toBe(1);
    await zone('a');
    const batch = (await site.next(site.topics.down)) as { changes: unknown[]; head: unknown };
    expect(batch.changes).toMatchObject([{ n: 2, change: { kind: 'zone', id: 'a' } }]);
    expect(await site.next(site.topics.head)).toEqual(batch.head);
  });

  it('pushes a burst in order, without gaps', async () => {
    const site = await Site.connect();
    await Promise.all(Array.from({ length: 120 }, (_, at) => zone(`z${at}`)));
    const numbers: number[] = [];
    while (numbers.length < 120) {
      const batch = (await site.next(site.topics.down)) as { changes: { n: number }[] };
      numbers.push(...batch.changes.map(({ n }) => n));
    }
    expect(numbers).toEqual(Array.from({ length: 120 }, (_, at) => at + 2));
  });

  it('keeps the head for a site that comes later, also after a restart', async () => {
    await zone('a');
    await stopLink();
    await startLink();
    const site = await Site.connect();
    expect(await site.next(site.topics.head)).toMatchObject({ n: 2 });
  });

  it('knows what the site holds by its own word', async () => {
    const site = await Site.connect();
    await site.announcePresence();
    await zone('a');
    expect(await eventually(shown, ({ connected }) => connected)).toMatchObject({ feedAt: 0, lag: 2 });
    await site.deliver(site.topics.downAck, { v: 1, n: 2, hash: EMPTY_HASH });
    expect(await eventually(shown, ({ feedAt }) => feedAt === 2)).toMatchObject({ lag: 0 });
  });

  it('goes beyond what a site holds from before a backup was restored', async () => {
    const site = await Site.connect();
    await site.next(site.topics.head);
    await site.announcePresence({ feedAt: 30 });
    expect(await site.next(site.topics.head)).toMatchObject({ n: 31 });
  });
});

describe('presence', () => {
  it('ends with the last connection', async () => {
    const site = await Site.connect();
    await site.announcePresence();
    await eventually(shown, ({ connected }) => connected);
    site.client.stream.destroy();
    await eventually(shown, ({ connected }) => !connected);
  });
});
