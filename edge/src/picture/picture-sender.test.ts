import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestPictures, type TestPictures } from '../../test/pictures.ts';

let rig: TestPictures;

beforeEach(() => {
  rig = createTestPictures();
});
afterEach(() => rig.close());

it('goes on after a restart where it was, and brings none that is damaged', async () => {
  const whole = await rig.see('in-1', 'ABX12', 'whole');
  rig.site.wait(60_000);
  const damaged = await rig.see('in-1', 'KLM34', 'damaged');
  const [name = ''] = rig
    .files()
    .filter((file) => readFileSync(join(rig.site.folder, 'site-pictures', file)).includes('damaged'));
  appendFileSync(join(rig.site.folder, 'site-pictures', name), 'x');
  rig.site.acknowledge();
  await rig.restart();
  rig.pictures.start();
  await rig.soon(() => expect(rig.rows()).toEqual([{ readId: whole, kind: 'vehicle', state: 'stored' }]));
  expect([...rig.cloud.keys()]).toEqual([`${whole} vehicle`]);
  expect(rig.cloud.has(`${damaged} vehicle`)).toBe(false);
});

it('one that cannot be read now hinders no other', async () => {
  const unreadable = await rig.see('in-1', 'ABX12', 'unreadable');
  const [name = ''] = rig.files();
  const path = join(rig.site.folder, 'site-pictures', name);
  rmSync(path);
  mkdirSync(path);
  rig.site.wait(60_000);
  const good = await rig.see('in-1', 'KLM34', 'good');
  rig.pictures.start();
  rig.acknowledged();
  await rig.soon(() => expect([...rig.cloud.keys()]).toEqual([`${good} vehicle`]));
  expect(rig.rows()).toContainEqual({ readId: unreadable, kind: 'vehicle', state: 'waiting' });
});

it('tries again until the cloud takes it, with pauses of its own for the one that it cannot take', async () => {
  const poison = await rig.see('in-1', 'ABX12', 'poison');
  const usual = rig.says;
  rig.says = (picture, bytes) =>
    picture.readId === poison
      ? { outcome: 'later', reason: 'the cloud answered 500', waitMs: 0 }
      : usual(picture, bytes);
  rig.pictures.start();
  rig.acknowledged();
  await rig.soon(() => expect(rig.asked).toBe(1));
  rig.site.wait(4000);
  await rig.see('in-1', 'KLM34', 'good');
  rig.acknowledged();
  await rig.soon(() => expect(rig.cloud.size).toBe(1));
  await rig.soon(() =>
    expect(rig.pictures.view()).toMatchObject({ waiting: { pictures: 1 }, kept: { pictures: 2 } }),
  );
  rig.says = usual;
  // Its time comes.
  rig.site.wait(HOUR_MS);
  rig.pictures.wake();
  await rig.soon(() => expect(rig.cloud.size).toBe(2));
  await rig.soon(() =>
    expect(rig.pictures.view()).toMatchObject({ waiting: { pictures: 0 }, trouble: null }),
  );
});

it('waits for a cloud that is away, and says so', async () => {
  const readId = await rig.see('in-1', 'ABX12', 'entry');
  const usual = rig.says;
  rig.says = () => ({ outcome: 'unreachable', reason: 'connect ECONNREFUSED' });
  rig.pictures.start();
  rig.acknowledged();
  await rig.soon(() => expect(rig.asked).toBeGreaterThan(2));
  expect(rig.pictures.view().trouble).toBe('connect ECONNREFUSED');
  rig.says = usual;
  await rig.soon(() => expect(rig.rows()).toEqual([{ readId, kind: 'vehicle', state: 'stored' }]));
  expect(rig.pictures.view().trouble).toBeNull();
});

it('brings what will never be taken once, and forgets what the cloud has erased, when it says so twice', async () => {
  const refused = await rig.see('in-1', 'ABX12', 'refused');
  rig.site.wait(60_000);
  const gone = await rig.see('in-1', 'KLM34', 'gone');
  rig.says = ({ readId }) =>
    readId === refused ? { outcome: 'refused', reason: 'the cloud answered 415' } : { outcome: 'gone' };
  rig.pictures.start();
  rig.acknowledged();
  await rig.soon(() => expect(rig.asked).toBe(2));
  await rig.soon(() => expect(rig.rows()[0]?.state).toBe('refused'));
  expect(rig.rows()).toHaveLength(2);
  expect(rig.rows()[1]?.readId).toBe(gone);
  rig.site.wait(HOUR_MS);
  rig.pictures.wake();
  await rig.soon(() => expect(rig.rows()).toEqual([{ readId: refused, kind: 'vehicle', state: 'refused' }]));
  expect([rig.asked, rig.files().length]).toEqual([3, 1]);
});

it('a cloud restored from a backup gets again what was sent after the backup', async () => {
  rig.pictures.start();
  const before = await rig.see('in-1', 'ABX12', 'before');
  rig.acknowledged();
  await rig.soon(() => expect(rig.cloud.size).toBe(1));
  const backup = rig.site.core.events.lastSeq();
  rig.site.wait(60_000);
  const after = await rig.see('in-1', 'KLM34', 'after');
  rig.acknowledged();
  await rig.soon(() => expect(rig.rows().map(({ state }) => state)).toEqual(['stored', 'stored']));
  rig.cloud.clear();
  rig.site.core.events.acknowledge(backup);
  rig.pictures.wake();
  rig.acknowledged();
  await rig.soon(() => expect([...rig.cloud.keys()]).toEqual([`${after} vehicle`]));
  expect(before).not.toBe(after);
});

it('events come first: no picture is sent while many events wait', async () => {
  rig.pictures.start();
  await rig.see('in-1', 'ABX12', 'entry');
  rig.site.acknowledge();
  await rig.site.core.commit.run(() => {
    for (let n = 0; n < 300; n++) {
      const alert = {
        type: 'lane.alert',
        laneId: 'in-1',
        alert: 'tailgating',
        plate: null,
        passageId: null,
      } as const;
      rig.site.core.events.append(alert, rig.site.now());
    }
  });
  rig.pictures.wake();
  await rig.atRest();
  expect(rig.asked).toBe(0);
  rig.acknowledged();
  await rig.soon(() => expect(rig.cloud.size).toBe(1));
});
