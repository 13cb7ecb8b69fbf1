import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentDigest } from '@hlid/node/digest';
import { EventAckSchema, PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import type { SiteEvent } from '@hlid/protocol/site-link/site-event';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestBus } from '../../../test/bus.ts';
import { batchText, eventAt, readEvent } from '../../../test/sample-events.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { sql } from '../../platform/db/sql.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { rejectedEventTable } from '../../records/sites/event-cursor-table.ts';
import { Ingest } from './ingest.ts';

const SITE = 'site-a';
const BATCHES = 9;
const EVENTS_EACH = 3;

let folder: string;
let db: Db;
let bus: TestBus;
let ingest: Ingest;
let epoch: string;
/** Batches in the database's hands, now and at most. */
let writing: { now: number; most: number };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-ingest-'));
  db = await openDb(join(folder, 'cloud.db'));
  bus = new TestBus();
  epoch = randomUUID();
  writing = { now: 0, most: 0 };
  const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
  ingest = new Ingest({ db: watched(db), bus, clock, log: pino({ level: 'silent' }) });
  ingest.start();
});

afterEach(async () => {
  await ingest.stop();
  await db.close();
  rmSync(folder, { recursive: true });
});

function watched(of: Db): Db {
  return {
    read: (work) => of.read(work),
    async write(work) {
      writing = { now: writing.now + 1, most: Math.max(writing.most, writing.now + 1) };
      try {
        return await of.write(work);
      } finally {
        writing.now--;
      }
    },
    onAnnounced: (listener) => of.onAnnounced(listener),
    announced: (names) => of.announced(names),
    close: () => of.close(),
  };
}

/** Everything at once, as a site sends it that has been away for long. */
function eventBatches(): SiteEvent[][] {
  const batches = Array.from({ length: BATCHES }, (_batch, at) =>
    Array.from({ length: EVENTS_EACH }, (_event, of) =>
      eventAt(at * EVENTS_EACH + of + 1, readEvent({ laneId: `lane-${at}` })),
    ),
  );
  for (const events of batches) bus.deliver(SITE, 'up', JSON.parse(batchText(epoch, events)));
  return batches;
}

const answers = () =>
  bus.sent.map(({ payload }) => {
    const { committed } = EventAckSchema.parse(JSON.parse(payload));
    return committed;
  });
const reads = () =>
  db.read(async (q) => {
    const rows = await q.select({ id: photoTable.id }).from(photoTable).orderBy(sql`rowid`);
    return rows.map(({ id }) => id);
  });
const ends = Array.from({ length: BATCHES }, (_unused, at) => (at + 1) * EVENTS_EACH);

it('has several batches of a site written together, and answers each in order', async () => {
  const reported = eventBatches();
  await ingest.stop();
  expect(answers()).toEqual(ends);
  expect(await reads()).toEqual(reported.flat().map(({ body }) => ('read' in body ? body.read?.id : null)));
  expect(writing.most).toBe(4);
});

it.each([
  { what: 'batches', sent: 300, bytes: 10, kept: 256 },
  { what: 'bytes', sent: 5, bytes: 6 * 1024 * 1024, kept: 2 },
])(
  'holds no more than so many $what of a site that does not wait, and keeps no other site waiting',
  async (flood) => {
    const flooded = new TestBus();
    const admitted: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const admits = async (siteId: string) => {
      admitted.push(siteId);
      if (siteId === SITE) await gate;
      return false;
    };
    const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
    const limited = new Ingest({ db, bus: flooded, clock, log: pino({ level: 'silent' }), admits });
    limited.start();
    const message = 'x'.repeat(flood.bytes);
    for (let n = 0; n < flood.sent; n++) flooded.deliver(SITE, 'up', message);
    flooded.deliver('site-b', 'up', message);
    await expect.poll(() => admitted).toEqual([SITE, 'site-b']);
    release();
    await limited.stop();
    expect(admitted.filter((siteId) => siteId === SITE)).toHaveLength(flood.kept);
    // The dropped event has left room for the next one.
    flooded.deliver(SITE, 'up', message);
    await limited.stop();
    expect(admitted.filter((siteId) => siteId === SITE)).toHaveLength(flood.kept + 1);
  },
);

it('applies those behind a batch that was to be done again, in order', async () => {
  await db.write(async ({ q }) => {
    await q.run(
      sql.raw(`CREATE TRIGGER refuse BEFORE INSERT ON photo WHEN new.lane_id IN ('lane-1', 'lane-2', 'lane-6')
        BEGIN SELECT RAISE(ABORT, 'no such lane'); END`),
    );
  });
  eventBatches();
  await ingest.stop();
  expect(answers()).toEqual(ends);
  expect(await reads()).toHaveLength((BATCHES - 3) * EVENTS_EACH);
  const rejected = await db.read(async (q) => await q.select().from(rejectedEventTable));
  expect(rejected.map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8, 9, 19, 20, 21]);
});

it('answers no batch that the database has lost, and asks for it by the answers to those behind', async () => {
  let failures = 2;
  const lossy: Db = {
    ...watched(db),
    write: (work) => (failures-- > 0 ? Promise.reject(new Error('the disk is full')) : db.write(work)),
  };
  const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
  const other = new TestBus();
  const second = new Ingest({ db: lossy, bus: other, clock, log: pino({ level: 'silent' }) });
  second.start();
  bus = other;
  eventBatches();
  await second.stop();
  expect(answers()).toEqual(Array.from({ length: BATCHES - 2 }, () => 0));
  expect(await reads()).toEqual([]);
});

describe('a site that connects', () => {
  const connect = (of = epoch) =>
    bus.deliver(SITE, 'presence', {
      v: PROTOCOL_VERSION,
      online: true,
      epoch: of,
      seq: 0,
      acknowledged: 0,
      feedAt: 0,
      feedMark: null,
      software: 'hlid-edge/0.1.0',
      at: '2026-11-21T12:00:00.000Z',
    });
  const send = (events: readonly unknown[], siteId = SITE, of = epoch) =>
    bus.deliver(siteId, 'up', JSON.parse(batchText(of, events)));
  async function lastAnswer() {
    await ingest.stop();
    return JSON.parse(bus.sent.findLast(({ siteId }) => siteId === SITE)?.payload ?? 'null');
  }

  it('learns how far its epoch is applied, and which event was the last, as it was sent', async () => {
    connect();
    expect(await lastAnswer()).toEqual({ v: PROTOCOL_VERSION, epoch, committed: 0, superseded: false });
    const newer = { ...eventAt(1, readEvent()), ofNewerVersion: 'unknown here' };
    send([newer]);
    connect();
    const digest = contentDigest(JSON.stringify(newer));
    expect(await lastAnswer()).toEqual({
      v: PROTOCOL_VERSION,
      epoch,
      committed: 1,
      superseded: false,
      digest,
    });
    const unreadable = { seq: 2, at: 'yesterday', body: { type: 'ufo.landed' } };
    send([unreadable]);
    connect();
    expect(await lastAnswer()).toMatchObject({
      committed: 2,
      digest: contentDigest(JSON.stringify(unreadable)),
    });
  });

  it('learns that a later epoch of its own has come, and no other site’s', async () => {
    const later = randomUUID();
    send([eventAt(1, readEvent())]);
    // Other sites count their epochs by themselves, and the same epoch of theirs is another log.
    send([eventAt(1, readEvent()), eventAt(2, readEvent())], 'site-b');
    send([eventAt(1, readEvent())], 'site-b', randomUUID());
    connect();
    expect(await lastAnswer()).toMatchObject({ committed: 1, superseded: false });
    connect(later);
    expect(await lastAnswer()).toMatchObject({ epoch: later, committed: 0, superseded: false });
    connect();
    expect(await lastAnswer()).toMatchObject({ epoch, committed: 1, superseded: true });
    send([eventAt(2, readEvent())]);
    connect(later);
    expect(await lastAnswer()).toMatchObject({ epoch: later, committed: 0, superseded: false });
  });

  it('is answered once; that it has gone is not', async () => {
    connect();
    bus.deliver(SITE, 'presence', { v: PROTOCOL_VERSION, online: false });
    bus.deliver(SITE, 'presence', 'nonsense');
    await ingest.stop();
    expect(bus.sent).toHaveLength(1);
  });
});
