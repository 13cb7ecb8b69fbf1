import { addToHash, EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import type { SnapshotLine } from '@hlid/protocol/site-link/edge-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestSite, testPermit, testVehicle } from '../../test/site.ts';
import { itemDigest } from './apply-change.ts';
import type { ParsedLine } from './feed-book.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

const permit = (id: string, plate = id) => testPermit(plate, { id });
const item = (id: string, plate = id) => ({ kind: 'permit' as const, id, item: permit(id, plate) });
const put = (id: string, plate = id): SnapshotLine => ({
  kind: 'change',
  change: { ...item(id, plate), op: 'put' },
});
const remove = (id: string): SnapshotLine => ({
  kind: 'change',
  change: { kind: 'permit', op: 'remove', id },
});
const hashOf = (...items: { kind: 'permit'; id: string; item: object }[]) =>
  items.reduce((hash, { kind, id, item }) => addToHash(hash, itemDigest(kind, id, item)), EMPTY_HASH);

/** A snapshot of these lines that comes to these permits. */
async function replace(lines: ParsedLine[], ...comesTo: ReturnType<typeof item>[]) {
  async function* all(): AsyncGenerator<ParsedLine[]> {
    yield [{ kind: 'head', v: 1, n: 10, hash: EMPTY_HASH }, ...lines];
    yield [{ kind: 'head', v: 1, n: 20, hash: hashOf(...comesTo) }];
    yield [{ kind: 'end', lines: lines.length }];
  }
  return await site.core.feed.replace(all());
}

const tables = () =>
  site.db
    .prepare(
      "SELECT name FROM sqlite_master WHERE name LIKE '%\\_next' ESCAPE '\\' OR name LIKE '%\\_old' ESCAPE '\\'",
    )
    .pluck()
    .all();
const listed = (plate: string) =>
  site.db.prepare(`SELECT body FROM permit WHERE body LIKE '%"${plate}"%'`).all();

test('changes behind the items are part of the snapshot', async () => {
  const zone = { id: 'z1', name: 'North', capacity: 4 };
  const lines: SnapshotLine[] = [
    { kind: 'zone', id: 'z1', item: zone },
    ...['AAA11', 'BBB22', 'CCC33'].map((id) => item(id)),
    remove('BBB22'),
    put('CCC33', 'NEW33'),
    put('DDD44'),
    remove('UNKNOWN'),
    { kind: 'change', change: { kind: 'zone', op: 'remove', id: 'z1' } },
  ];
  const position = await replace(lines, item('AAA11'), item('CCC33', 'NEW33'), item('DDD44'));
  expect(position.n).toBe(20);
  expect(site.db.prepare('SELECT id FROM permit ORDER BY id').pluck().all()).toEqual([
    'AAA11',
    'CCC33',
    'DDD44',
  ]);
  expect(site.db.prepare('SELECT count(*) FROM permit_place').pluck().get()).toBe(3);
});

test('an item that comes twice is there once, as it came last', async () => {
  const lines = [
    item('AAA11'),
    item('BBB22'),
    item('AAA11', 'NEW11'),
    item('BBB22'),
    put('BBB22'),
    item('CCC33'),
  ];
  await replace(lines, item('AAA11', 'NEW11'), item('BBB22'), item('CCC33'));
  expect(listed('AAA11')).toHaveLength(1);
  await site.read('in-1', 'NEW11');
  site.wait(60_000);
  await site.read('in-1', 'CCC33');
  expect(site.reasons()).toEqual(['permit', 'permit']);
});

test('items are taken in whatever order they come, however many', async () => {
  const all = Array.from({ length: 700 }, (_unused, at) => item(`P${1000 + at}`));
  const odd = all.map((_item, at) => all[(at * 271) % all.length] ?? item('NONE'));
  // The lines are sent in order, then as after a broken connection, then some of them once more.
  const lines = [...all.slice(0, 330), ...odd, ...all.slice(500, 640)];
  await replace(lines, ...all);
  expect(site.db.prepare('SELECT id FROM permit ORDER BY id').pluck().all()).toEqual(all.map(({ id }) => id));
  expect(site.db.prepare('SELECT count(*) FROM permit_place').pluck().get()).toBe(700);
  for (const { id } of [...all.slice(0, 3), ...all.slice(-3)]) {
    site.wait(60_000);
    await site.read('in-1', id);
  }
  expect(new Set(site.reasons())).toEqual(new Set(['permit']));
});

test('lists that were replaced, and such as came to nothing, are swept away in steps', async () => {
  const many = Array.from({ length: 1000 }, (_unused, at) => item(`P${1000 + at}`));
  await replace(many, ...many);
  await replace([{ kind: 'vehicle', id: 'TRK11', item: testVehicle('TRK11') }, ...many]).catch(
    () => undefined,
  );
  expect(tables()).not.toEqual([]);
  await replace(many.slice(1), ...many.slice(1));
  await expect.poll(tables).toEqual([]);
  expect(site.db.prepare('SELECT count(*) FROM permit').pluck().get()).toBe(999);
});

test('what an earlier run has left behind goes at the next start, and gates do not wait for it', async () => {
  site.permit('ABX12');
  site.db.exec(
    'CREATE TABLE permit_next (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL)',
  );
  const ids = JSON.stringify(Array.from({ length: 30_000 }, (_unused, at) => at));
  site.db.prepare("INSERT INTO permit_next (id, body) SELECT value, 'half built' FROM json_each(?)").run(ids);
  site.core.feed.sweep();
  await site.read('in-1', 'ABX12');
  expect(site.gates['in-1'].pulses).toBe(1);
  expect(tables()).toContain('permit_next');
  await expect.poll(tables).toEqual([]);
});
