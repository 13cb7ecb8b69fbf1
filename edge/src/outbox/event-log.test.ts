import { contentDigest } from '@hlid/node/digest';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { rescueRows } from '../db/rescue-rows.ts';
import { openSiteDb } from '../db/site-db.ts';
import { PlateEraser } from '../retention/erase-plate.ts';
import { EventLog } from './event-log.ts';
import { EVENTS_PER_PACK } from './event-store.ts';

let site: ReturnType<typeof createTestSite>;
let log: EventLog;
let commit: GroupCommit;
beforeEach(() => {
  site = createTestSite();
  commit = new GroupCommit(site.db);
  log = EventLog.open({ db: site.db, commit });
});
afterEach(() => site.close());

const at = '2026-11-21T08:00:00.000Z';
const alert = (plate: string) =>
  ({ type: 'lane.alert', laneId: 'in-1', alert: 'tailgating', plate, passageId: null }) as const;
const numbers = () => log.after(0, 1000, 1e9).map(({ seq }) => seq);

it('numbers without gaps, also past work that was undone', async () => {
  await commit.run(() => log.append(alert('A'), at));
  await commit
    .run(() => {
      log.append(alert('B'), at);
      throw new Error('undone');
    })
    .catch(() => undefined);
  await commit.run(() => log.append(alert('C'), at));
  expect(numbers()).toEqual([1, 2]);
  expect(log.lastSeq()).toBe(2);
});

it('notifies its listeners once per commit', async () => {
  let notified = 0;
  const stop = log.onAppended(() => notified++);
  await Promise.all(['A', 'B'].map((plate) => commit.run(() => log.append(alert(plate), at))));
  await commit.run(() => undefined);
  expect(notified).toBe(1);
  stop();
  await commit.run(() => log.append(alert('C'), at));
  expect(notified).toBe(1);
});

it('reads in batches of so many events and about so many bytes, one at least', async () => {
  await commit.run(() => {
    for (let made = 0; made < 10; made++) log.append(alert(`P${made}`), at);
  });
  expect(log.after(3, 4, 1e9).map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
  expect(log.after(0, 100, 1)).toHaveLength(1);
});

it('keeps its epoch and what was acknowledged, and goes back when the cloud does', async () => {
  await commit.run(() => log.append(alert('A'), at));
  log.acknowledge(1);
  await commit.run(() => undefined);
  const again = EventLog.open({ db: site.db, commit });
  expect(again.epoch).toBe(log.epoch);
  expect(again.acknowledged()).toBe(1);
  log.acknowledge(0);
  expect(log.acknowledged()).toBe(0);
});

it('deletes after 30 days what the cloud has, and nothing else; numbers go on', async () => {
  for (const plate of ['A', 'B', 'C']) await commit.run(() => log.append(alert(plate), at));
  log.acknowledge(2);
  expect(await log.pruneOld(new Date('2026-12-20T08:00:00.000Z'))).toBe(0);
  expect(await log.pruneOld(new Date('2026-12-22T08:00:00.000Z'))).toBe(2);
  expect(numbers()).toEqual([3]);
  log.acknowledge(3);
  await log.pruneOld(new Date('2026-12-22T08:00:00.000Z'));
  await commit.run(() => log.append(alert('D'), at));
  expect(numbers()).toEqual([4]);
});

it('begins a new epoch with what was written since the program started, numbered from 1', async () => {
  for (const plate of ['A', 'B', 'C']) await commit.run(() => log.append(alert(plate), at));
  log.confirm();
  await commit.run(() => undefined);
  const copy = EventLog.open({ db: site.db, commit });
  for (const plate of ['D', 'E']) await commit.run(() => copy.append(alert(plate), at));
  const { epoch } = copy;
  await copy.startNewEpoch();
  expect(copy.epoch).not.toBe(epoch);
  expect([copy.lastSeq(), copy.acknowledged()]).toEqual([2, 0]);
  expect(copy.after(0, 10, 1e9).map(({ json }) => JSON.parse(json).body.plate)).toEqual(['D', 'E']);
  await commit.run(() => copy.append(alert('F'), at));
  expect(copy.after(2, 10, 1e9).map(({ seq }) => seq)).toEqual([3]);
});

it('renumbers the rows that refer to events with them, and no other event has their digest', async () => {
  site.price();
  site.vehicle('QUOTA1');
  site.quota(5);
  await site.read('in-2', 'MKJ45', { score: 0.3 });
  await site.read('in-1', 'QUOTA1');
  const units = () => site.db.prepare('SELECT seq, units FROM quota_units').all();
  expect(units()).toEqual([{ seq: 2, units: 1 }]);
  const { events } = site.core;
  const digest = events.digestOf(2);
  await events.startNewEpoch({ knownUpTo: 1 });
  expect(units()).toEqual([{ seq: 1, units: 1 }]);
  expect(site.db.pragma('foreign_key_check')).toEqual([]);
  expect(events.digestOf(1)).not.toBe(digest);
  expect(events.digestOf(99)).toBeNull();
});

describe('events that the cloud has', () => {
  const LAST = 2 * EVENTS_PER_PACK + 50;
  const plateAt = (seq: number) => `ABX${seq}`;
  const all = () => log.after(0, 10_000, 1e9);
  const count = (table: string) => Number(site.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  const platesAfter = (from: EventLog, seq: number) =>
    from.after(seq, 10_000, 1e9).map((event) => [event.seq, JSON.parse(event.json).body.plate]);
  const platesFrom = (seq: number) =>
    Array.from({ length: LAST - seq }, (_, n) => [n + 1, plateAt(seq + n + 1)]);
  async function packAll(): Promise<void> {
    while ((await log.packOld()) > 0);
  }

  beforeEach(async () => {
    await commit.run(() => {
      for (let seq = 1; seq <= LAST; seq++) log.append(alert(plateAt(seq)), at);
    });
    site.db.prepare("INSERT INTO quota_units VALUES (7, 'quota', 1)").run();
    log.acknowledge(2 * EVENTS_PER_PACK + 10);
    await commit.run(() => undefined);
  });

  it('are packed together, and read as before', async () => {
    const before = { events: all(), digest: log.digestOf(7) };
    const [seventh] = log.after(6, 1, 1e9);
    await packAll();
    expect([count('event_pack'), count('event')]).toEqual([2, 50]);
    expect({ events: all(), digest: log.digestOf(7) }).toEqual(before);
    expect(log.digestOf(7)).toBe(contentDigest(seventh?.json ?? ''));
    // A batch that begins in one pack and ends in single events.
    const from = EVENTS_PER_PACK - 10;
    const many = EVENTS_PER_PACK + 30;
    expect(log.after(from, many, 1e9).map(({ seq }) => seq)).toEqual(
      Array.from({ length: many }, (_, n) => from + n + 1),
    );
    expect(count('quota_units')).toBe(1);
  });

  it('are sent again to a cloud that was restored, in this epoch or in a new one', async () => {
    await packAll();
    log.acknowledge(120);
    expect(platesAfter(log, log.acknowledged())[0]).toEqual([121, plateAt(121)]);
    expect(log.firstUnacknowledgedAt()).toBe(at);
    await log.startNewEpoch({ knownUpTo: 130 });
    expect(platesAfter(log, 0)).toEqual(platesFrom(130));
    expect([log.lastSeq(), count('quota_units')]).toEqual([LAST - 130, 0]);
  });

  it('are taken over from a damaged database where the cloud was restored', async () => {
    await packAll();
    log.acknowledge(120);
    await commit.run(() => undefined);
    const rescued = openSiteDb(':memory:');
    rescueRows(site.db, rescued);
    const copy = EventLog.open({ db: rescued, commit: new GroupCommit(rescued) });
    expect(platesAfter(copy, 0)).toEqual(platesFrom(120));
    rescued.close();
  });

  it('lose a plate that is erased, each only once the cloud has it', async () => {
    await packAll();
    log.acknowledge(120);
    const eraser = new PlateEraser(
      { db: site.db, commit, events: log },
      { deletePictures: async () => undefined, onErased: () => undefined },
    );
    const digest = log.digestOf(119);
    const before = site.now();
    site.wait(1);
    await commit.run(() => {
      for (const seq of [119, 121])
        eraser.request(plateAt(seq), { plate: plateAt(seq), before: later(before) });
    });
    expect(await eraser.run(new AbortController().signal)).toEqual({ rows: 1, waiting: 1 });
    expect(all()).toHaveLength(LAST);
    expect(platesAfter(log, 118).slice(0, 3)).toEqual([
      [119, null],
      [120, plateAt(120)],
      [121, plateAt(121)],
    ]);
    expect(digest).not.toBeNull();
    expect(log.digestOf(119)).toBeNull();
  });

  it('are deleted pack by pack after 30 days, with what refers to them', async () => {
    await packAll();
    const now = new Date(millis(at) + 31 * DAY_MS);
    await log.pruneOld(now);
    expect([all()[0]?.seq, count('event_pack'), count('quota_units')]).toEqual([EVENTS_PER_PACK + 1, 1, 0]);
    while ((await log.pruneOld(now)) > 0);
    expect(all()[0]?.seq).toBe(log.acknowledged() + 1);
  });
});

const later = (time: string) => new Date(millis(time) + 1).toISOString();
