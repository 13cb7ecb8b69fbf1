import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { GroupCommit } from '../db/group-commit.ts';
import { EventLog } from './event-log.ts';

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
