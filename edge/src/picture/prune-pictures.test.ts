import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestPictures, MIB, type TestPictures } from '../../test/pictures.ts';
import { readPicture } from '../../test/sample-pictures.ts';
import { PictureStore } from './picture-store.ts';

let rig: TestPictures;

beforeEach(() => {
  rig = createTestPictures();
});
afterEach(() => rig.close());

it('mends what a crash has left', async () => {
  const readId = await rig.see('in-1', 'ABX12', 'good');
  rig.site.wait(60_000);
  const lost = await rig.see('in-1', 'KLM34', 'lost');
  const folder = join(rig.site.folder, 'site-pictures');
  const [gone = ''] = rig.files().filter((file) => readFileSync(join(folder, file)).includes('lost'));
  rmSync(join(folder, gone));
  mkdirSync(join(folder, '2026-01-01'));
  writeFileSync(join(folder, '2026-01-01', 'orphan.jpg'), 'x');
  writeFileSync(join(folder, gone.slice(0, 10), 'half.jpg.part'), 'x');
  rig.pictures.start();
  await rig.soon(() => expect(rig.files()).toHaveLength(1));
  await rig.soon(() => expect(rig.rows()).toMatchObject([{ readId }]));
  expect(rig.rows().some((row) => row.readId === lost)).toBe(false);
  expect(readdirSync(folder)).toEqual(['2026-11-21']);
});

it('forgets those that the cloud has after some days, and any after ninety', async () => {
  await rig.see('in-1', 'ABX12', 'stored');
  rig.pictures.start();
  rig.acknowledged();
  await rig.soon(() => expect(rig.cloud.size).toBe(1));
  rig.says = () => ({ outcome: 'unreachable', reason: 'away' });
  rig.site.wait(60_000);
  const waiting = await rig.see('in-1', 'KLM34', 'waiting');
  rig.site.wait(13 * DAY_MS);
  await rig.pictures.prune();
  expect(rig.rows()).toHaveLength(2);
  rig.site.wait(2 * DAY_MS);
  await rig.pictures.prune();
  expect(rig.rows()).toEqual([{ readId: waiting, kind: 'vehicle', state: 'waiting' }]);
  rig.site.wait(76 * DAY_MS);
  await rig.pictures.prune();
  expect([rig.rows(), rig.files()]).toEqual([[], []]);
});

it('makes room: first of what the cloud has, then of what it knows of, last of what it has not received', async () => {
  const ids: string[] = [];
  for (const plate of ['ABX12', 'KLM34', 'PRS56', 'TUV78']) {
    ids.push(await rig.see('in-1', plate, plate, { shows: [readPicture(plate, 'overview', MIB)] }));
    rig.site.wait(60_000);
    if (plate === 'PRS56') rig.site.acknowledge();
  }
  const [first = '', second = '', third = '', unheard = ''] = ids;
  const store = new PictureStore(rig.site.db);
  const stored = [first, third].flatMap((id) => store.ofRead(id));
  for (const { id } of stored) store.setState(id, 'stored');
  const left = async (freeWithoutMib: number) => {
    rig.freeWithout = freeWithoutMib * MIB;
    await rig.pictures.prune();
    const all = rig.site.db.prepare('SELECT read_id FROM picture ORDER BY taken_at').pluck().all();
    return all.map(String);
  };
  // Wanted are 100 MiB, of which the four take one each.
  expect(await left(104.1)).toEqual([first, second, third, unheard]);
  expect(await left(103.5)).toEqual([second, third, unheard]);
  expect(await left(102.5)).toEqual([second, unheard]);
  expect(await left(101.5)).toEqual([unheard]);
  expect(await left(100.5)).toEqual([unheard]);
  expect(rig.pictures.view().noRoom).toBe(false);
  expect(await left(20)).toEqual([]);
  expect(rig.pictures.view().noRoom).toBe(true);
  await rig.see('in-1', 'VXY90', 'no room');
  expect(await left(500)).toEqual([]);
  rig.site.wait(60_000);
  const again = await rig.see('in-1', 'ZAB12', 'room');
  expect(await left(500)).toEqual([again]);
});
