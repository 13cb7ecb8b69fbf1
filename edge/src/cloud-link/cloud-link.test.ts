import { once } from 'node:events';
import net from 'node:net';
import type { Command, CommandReply } from '@hlid/protocol/commands';
import { siteTopics } from '@hlid/protocol/topics';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CloudLink, createCloudLink, type LinkTiming } from './cloud-link.ts';
import { SECRET, SITE, startTestCloud, type TestCloud } from './test-cloud.ts';
import { createTestEvents, createTestFeedBook, markOf, TEST_EPOCH } from './test-lists.ts';

const topics = siteTopics(SITE);
const SEQS = (to: number) => Array.from({ length: to }, (_, at) => at + 1);

let cloud: TestCloud;
let events: ReturnType<typeof createTestEvents>;
let feed: ReturnType<typeof createTestFeedBook>;
let link: CloudLink;
let logged: string[];
let obeyed: (command: Command) => CommandReply | null = () => null;

beforeEach(async () => {
  cloud = await startTestCloud();
  events = createTestEvents();
  feed = createTestFeedBook();
  logged = [];
});
afterEach(async () => {
  await link.stop();
  await cloud.stop();
});

function begin(secret = SECRET, timing: Partial<LinkTiming> = {}): void {
  link = createCloudLink({
    cloud: { httpUrl: cloud.httpUrl, mqttUrl: cloud.mqttUrl, siteId: SITE, secret },
    events,
    feed,
    commands: { take: async (command) => obeyed(command) },
    software: 'hlid-edge/test',
    clock: { now: () => new Date('2026-11-21T12:00:00.000Z') },
    log: pino({ level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line).event) }),
    timing: {
      retryFirstMs: 20,
      retryMostMs: 80,
      ackDeadlineMs: 100,
      ackDeadlineMostMs: 400,
      snapshotRetryMostMs: 200,
      connectTimeoutMs: 2000,
      ...timing,
    },
  });
  link.start();
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 });
const connected = () => until(() => expect(link.view().connected).toBe(true));
const committed = () => cloud.committed.map(({ seq }) => seq);
const allCommitted = (many: number) =>
  until(() => {
    expect(committed()).toEqual(SEQS(many));
    expect(events.acknowledged()).toBe(many);
  });
const sameLists = () =>
  until(() => {
    const { n, hash } = cloud.head();
    expect(feed.position()).toEqual({ n, hash });
    expect(cloud.feedAcks.at(-1)).toEqual({ v: 1, n, hash });
  });

describe('presence', () => {
  test('is said at each connection, and is offline after a goodbye', async () => {
    events.append(3);
    begin();
    await allCommitted(3);
    expect(cloud.presences[0]).toEqual({
      v: 1,
      online: true,
      epoch: TEST_EPOCH,
      seq: 3,
      acknowledged: 0,
      feedAt: 0,
      software: 'hlid-edge/test protocol/2',
      at: '2026-11-21T12:00:00.000Z',
    });
    await link.stop();
    await until(() => expect(cloud.presences.at(-1)).toEqual({ v: 1, online: false }));
    expect(link.view().connected).toBe(false);
  });

  test('says which change the site holds, by its number and its mark', async () => {
    begin();
    cloud.change(3);
    await until(() => expect(feed.position().n).toBe(3));
    await link.stop();
    cloud.presences.length = 0;
    begin();
    const software = `hlid-edge/test feed/${markOf(3)} protocol/2`;
    await until(() => expect(cloud.presences.at(-1)).toMatchObject({ feedAt: 3, software }));
  });

  test('is asked again as long as the cloud says nothing to it', async () => {
    cloud.answersPresence = false;
    events.append(3);
    begin();
    await until(() => expect(cloud.presences.length).toBeGreaterThan(2));
    expect(cloud.batches).toEqual([]);
    cloud.answersPresence = true;
    await allCommitted(3);
  });
});

describe('the connection', () => {
  test('is tried for ever, and the view says why it fails', async () => {
    await cloud.stopBroker();
    begin();
    await until(() => expect(logged.filter((event) => event === 'link.lost').length).toBeGreaterThan(3));
    expect(link.view()).toMatchObject({
      connected: false,
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    await cloud.startBroker();
    await connected();
    expect(link.view()).toMatchObject({ connected: true, lastError: null });
  });

  test('is refused with a wrong secret, until the secret is right', async () => {
    begin('wrong');
    await until(() => expect(link.view().lastError).toMatch(/not authorized/i));
    cloud.secret = 'wrong';
    await connected();
  });

  test('is given up on a broker that does not answer, and a stop need not wait for that', async () => {
    const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    cloud.mqttUrl = `mqtt://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    begin(SECRET, { connectTimeoutMs: 100 });
    await until(() => expect(link.view().lastError).toMatch(/connack timeout/));
    await link.stop();
    begin(SECRET, { connectTimeoutMs: 60_000 });
    await once(silent, 'connection');
    const startedAt = performance.now();
    await link.stop();
    expect(performance.now() - startedAt).toBeLessThan(2000);
    silent.close();
  });

  test('tells who looks at it', async () => {
    begin();
    const seen: number[] = [];
    const end = link.subscribe(() => seen.push(link.view().acknowledged));
    events.append(1);
    await until(() => expect(seen).toContain(1));
    end();
    const { length } = seen;
    events.append(1);
    await allCommitted(2);
    expect(seen).toHaveLength(length);
  });
});

describe('the event log', () => {
  test('goes up in order, in batches of at most 100, several on their way at once', async () => {
    events.append(1234);
    let mostOnTheWay = 0;
    cloud.onBatch = () => {
      mostOnTheWay = Math.max(mostOnTheWay, cloud.batches.flat().length - events.acknowledged());
      return 'apply';
    };
    // On a slow machine too: what is not answered soon would be sent again.
    begin(SECRET, { ackDeadlineMs: 5000 });
    await allCommitted(1234);
    expect(Math.max(...cloud.batches.map((batch) => batch.length))).toBe(100);
    expect(mostOnTheWay).toBeGreaterThan(100);
    expect(cloud.batches.flat()).toEqual(SEQS(1234));
  });

  test('goes up as it is written', async () => {
    begin();
    await connected();
    for (let at = 1; at <= 20; at++) {
      events.append(1);
      await allCommitted(at);
    }
  });

  test('goes up together with what is written right after it', async () => {
    begin();
    await connected();
    events.append(1);
    expect(cloud.batches).toEqual([]);
    events.append(2);
    events.append(1);
    await allCommitted(4);
    expect(cloud.batches).toEqual([[1, 2, 3, 4]]);
  });

  test('is cut into batches by size, and a huge event travels alone', async () => {
    events.append(3, 'x'.repeat(30_000));
    events.append(1, 'x'.repeat(200_000));
    events.append(2);
    begin(SECRET, { ackDeadlineMs: 5000 });
    await allCommitted(6);
    expect(cloud.batches).toEqual([[1, 2], [3], [4], [5, 6]]);
  });

  test('goes on after what the cloud says that it holds', async () => {
    events.append(250);
    begin();
    await allCommitted(250);
    await link.stop();
    events.acknowledge(0);
    events.append(10);
    cloud.batches.length = 0;
    begin(SECRET, { ackDeadlineMs: 5000 });
    await allCommitted(260);
    expect(cloud.batches).toEqual([SEQS(260).slice(250)]);
  });

  test('is sent again from where the cloud lost it', async () => {
    let arrived = 0;
    cloud.onBatch = () => (++arrived === 3 ? 'lose' : 'apply');
    events.append(1000);
    begin(SECRET, { ackDeadlineMs: 5000 });
    await allCommitted(1000);
    expect(logged).toContain('outbox.rewound');
    // Sent again once, and not again for each acknowledgement.
    expect(cloud.batches.flat().length).toBeLessThan(2000);
  });

  test('is sent again after a silence, with growing pauses and one batch at a time', async () => {
    let silent = true;
    cloud.onBatch = () => (silent ? 'lose' : 'apply');
    events.append(1000);
    begin();
    await until(() => expect(logged.filter((event) => event === 'outbox.retry').length).toBeGreaterThan(2));
    const [first = []] = cloud.batches;
    expect(cloud.batches.slice(8)).toSatisfy((tries: number[][]) => tries.every(([seq]) => seq === first[0]));
    silent = false;
    await allCommitted(1000);
  });

  test('whose acknowledgements are lost is still in the cloud once', async () => {
    let arrived = 0;
    cloud.onBatch = () => (++arrived % 2 === 0 ? 'hold-answer' : 'apply');
    events.append(2000);
    begin();
    await allCommitted(2000);
  });

  test('that the cloud refuses is not sent in a hurry', async () => {
    cloud.onBatch = () => 'refuse';
    events.append(50);
    begin();
    await until(() => expect(logged.filter((event) => event === 'outbox.retry').length).toBeGreaterThan(1));
    expect(cloud.batches.length).toBeLessThan(8);
    cloud.onBatch = () => 'apply';
    await allCommitted(50);
  });

  test('survives a broker that loses its memory, again and again', async () => {
    begin();
    const connections = () => cloud.presences.filter(({ online }) => online).length;
    for (let round = 1; round <= 4; round++) {
      await until(() => expect(connections()).toBeGreaterThanOrEqual(round));
      events.append(300);
      await until(() => expect(cloud.batches.length).toBeGreaterThan(round));
      await cloud.restartBroker();
      events.append(50);
    }
    await allCommitted(1400);
    expect(connections()).toBeGreaterThan(4);
  });

  test('goes up again to a cloud that was restored from a backup', async () => {
    events.append(500);
    begin();
    await allCommitted(500);
    cloud.setBack({ events: 120 });
    await cloud.restartBroker();
    await allCommitted(500);
    expect(events.acknowledged()).toBe(500);
  });

  /** As after a restart of the program on another database. */
  async function goOnWith(copy: ReturnType<typeof createTestEvents>): Promise<void> {
    await link.stop();
    events = copy;
    begin();
  }

  async function newEpoch(after = 1): Promise<void> {
    await until(() => expect(cloud.epochs()).toHaveLength(after + 1));
    expect(events.epoch).not.toBe(TEST_EPOCH);
    expect(logged).toContain('outbox.epoch-renewed');
  }

  test('goes on in a new epoch where the cloud holds more than an old copy', async () => {
    events.append(20);
    begin();
    await allCommitted(20);
    await link.stop();
    events.setBack(5);
    events.append(3);
    // What came before it was put back, the cloud has.
    events.partAt(5);
    begin();
    await newEpoch();
    await allCommitted(3);
  });

  test('goes on in a new epoch where the cloud has other events by the same numbers', async () => {
    events.append(20);
    begin();
    await allCommitted(20);
    const copy = createTestEvents();
    copy.append(15);
    copy.partAt(15);
    copy.append(30, 'other');
    await goOnWith(copy);
    await newEpoch();
    await allCommitted(30);
  });

  test('goes on in a new epoch where another database has spoken since', async () => {
    events.append(20);
    begin();
    await allCommitted(20);
    cloud.supersede();
    await goOnWith(events);
    await newEpoch(2);
    events.append(2);
    await allCommitted(2);
  });

  test('tells anew what is still here where the cloud asks for what is forgotten', async () => {
    events.append(20);
    events.forget(10);
    begin();
    await newEpoch();
    await allCommitted(10);
  });

  test('stops and says so where two gateways take turns', async () => {
    events.append(5);
    begin();
    await allCommitted(5);
    for (let turn = 1; turn <= 4; turn++) {
      await until(() => expect(cloud.epochs().at(-1)).toBe(events.epoch));
      cloud.supersede();
      await cloud.restartBroker();
      const renewed = () => logged.filter((event) => event === 'outbox.epoch-renewed').length;
      if (turn <= 3) await until(() => expect(renewed()).toBe(turn));
    }
    await until(() => expect(link.view().lastError).toMatch(/another gateway/));
    expect(logged).toContain('outbox.stuck');
    expect(logged.filter((event) => event === 'outbox.epoch-renewed')).toHaveLength(3);
  });

  test('is not moved by acknowledgements of another epoch, or by nonsense', async () => {
    begin();
    await connected();
    cloud.say(topics.upAck, { v: 1, epoch: '01933333-7777-7777-8777-000000000000', committed: 7 });
    cloud.say(topics.upAck, 'nonsense');
    cloud.say(topics.upAck, { v: 2, committed: 9 });
    await until(() => expect(logged.filter((event) => event === 'link.message-refused')).toHaveLength(2));
    events.append(2);
    await allCommitted(2);
  });
});

describe('the change feed', () => {
  test('is taken as a whole with the open visits, once, where the epoch is new', async () => {
    cloud.change(3);
    feed.unaware = true;
    begin();
    await sameLists();
    expect(cloud.asked).toEqual(['/edge/snapshot']);
    cloud.change(2);
    await sameLists();
    expect(cloud.asked).toHaveLength(1);
  });

  test('comes down as it is pushed, and is acknowledged', async () => {
    begin();
    await connected();
    for (let round = 0; round < 10; round++) cloud.change(3);
    await sameLists();
    expect(cloud.asked).toEqual([]);
  });

  test('is caught up over HTTP at the connection, page by page', async () => {
    cloud.change(35);
    begin();
    await sameLists();
    expect(cloud.asked).toEqual(Array(4).fill('/edge/changes'));
    expect(cloud.feedAcks.map(({ n }) => n)).toEqual([0, 10, 20, 30, 35]);
  });

  test('is caught up over a gap', async () => {
    begin();
    await connected();
    cloud.change(2);
    cloud.change(2, { push: false, head: false });
    cloud.change(2);
    await sameLists();
    expect(cloud.asked).toContain('/edge/changes');
  });

  test('is caught up when only the head is heard', async () => {
    begin();
    await connected();
    cloud.change(4, { push: false });
    await sameLists();
  });

  test('is caught up when what was pushed makes no sense', async () => {
    begin();
    await connected();
    cloud.change(4, { push: false, head: false });
    cloud.say(topics.down, '{"v":1,"changes":[{"n":1}]}');
    await sameLists();
  });

  test('takes the snapshot where the changes are gone', async () => {
    cloud.change(40);
    cloud.compactedTo = 30;
    begin();
    await sameLists();
    expect(cloud.asked).toEqual(['/edge/changes', '/edge/snapshot']);
    expect(feed.zones().length).toBeGreaterThan(3);
    cloud.change(3);
    await sameLists();
    expect(feed.snapshots).toBe(1);
  });

  test('takes the snapshot where the hash disagrees at the same number', async () => {
    begin();
    await connected();
    cloud.change(9);
    await sameLists();
    feed.corrupt();
    await cloud.restartBroker();
    await sameLists();
    expect(feed.snapshots).toBe(1);
  });

  test('takes the snapshot where the cloud was restored from a backup, and reuses its numbers', async () => {
    begin();
    await connected();
    cloud.change(20);
    await sameLists();
    cloud.setBack({ feed: 12 });
    await cloud.restartBroker();
    await sameLists();
    cloud.change(3);
    await sameLists();
    expect(feed.position().n).toBe(15);
    expect(feed.snapshots).toBe(1);
  });

  test('keeps its lists when a snapshot is cut off, and gets it the next time', async () => {
    begin();
    await connected();
    cloud.change(9);
    await sameLists();
    const before = feed.zones();
    cloud.change(30, { push: false, head: false });
    cloud.compactedTo = 39;
    cloud.cutsSnapshot = true;
    cloud.say(topics.head, cloud.head(), true);
    await until(() =>
      expect(cloud.asked.filter((path) => path === '/edge/snapshot').length).toBeGreaterThan(1),
    );
    expect(feed.zones()).toEqual(before);
    expect(link.view().lastError).toMatch(/does not answer/);
    cloud.cutsSnapshot = false;
    await sameLists();
    expect(link.view().lastError).toBeNull();
  });

  test('asks more and more seldom for a snapshot that does not add up', async () => {
    cloud.change(9);
    cloud.compactedTo = 9;
    feed.damaged = 3;
    begin();
    await sameLists();
    expect(logged.filter((event) => event === 'feed.retry')).toHaveLength(3);
  });

  test('asks again, with growing pauses, while the cloud has trouble', async () => {
    cloud.change(9);
    cloud.httpStatus = 503;
    begin();
    await until(() => expect(cloud.asked.length).toBeGreaterThan(3));
    expect(link.view().lastError).toMatch(/503/);
    cloud.httpStatus = 200;
    await sameLists();
  });

  test('applies what is pushed even while HTTP has trouble', async () => {
    begin();
    await connected();
    cloud.httpStatus = 503;
    cloud.say(topics.down, 'nonsense');
    await until(() => expect(link.view().lastError).toMatch(/503/));
    cloud.httpStatus = 200;
    cloud.change(2);
    await sameLists();
  });

  test('applies again what could not be written', async () => {
    begin();
    await connected();
    feed.failures = 3;
    cloud.change(2);
    await sameLists();
    expect(link.view().feedAt).toBe(2);
  });

  test('is not disturbed by what it has already, or by a head that was overtaken', async () => {
    begin();
    await connected();
    cloud.change(5);
    cloud.change(5);
    await sameLists();
    cloud.say(topics.down, { v: 1, changes: [], head: cloud.head(5) });
    cloud.change(1);
    await sameLists();
    expect(feed.snapshots).toBe(0);
  });

  test('reaches the site through a storm of changes and lost brokers', async () => {
    begin();
    for (let round = 0; round < 30; round++) {
      cloud.change(7, { push: round % 3 !== 0, head: round % 2 === 0 });
      if (round % 10 === 9) await cloud.restartBroker();
    }
    cloud.say(topics.head, cloud.head(), true);
    await sameLists();
  });
});

test('hands commands on, and says what came of them', async () => {
  begin();
  await connected();
  const id = '01980000-0000-7000-8000-000000000001';
  const at = '2026-11-21T12:00:00.000Z';
  const command: Command = {
    ...{ v: 1, id, action: 'open', laneId: 'in-1', by: 'account:someone', why: 'a bicycle' },
    ...{ sentAt: at, expiresAt: at, echo: null },
  };
  const heard: Command[] = [];
  obeyed = (wish) => {
    heard.push(wish);
    return { v: 1, id: wish.id, outcome: 'done', lanes: [], echo: null, at };
  };
  cloud.say(topics.command, { ...command, laneId: 7 });
  cloud.say(topics.command, command);
  await until(() => expect(cloud.replies).toMatchObject([{ id, outcome: 'done' }]));
  expect(heard).toEqual([command]);
  expect(logged).toContain('link.message-refused');
});
