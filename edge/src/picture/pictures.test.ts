import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { PlateRead, ReadPicture } from '@hlid/protocol/plate-read';
import { DAY_MS } from '@hlid/protocol/utc-time';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestSite, testRead } from '../test-site.ts';
import type { Brought } from './bring-picture.ts';
import { createPictureStore, type Picture } from './picture-store.ts';
import { createPictures, type Pictures } from './pictures.ts';
import { jpeg, readPicture } from './sample-pictures.ts';

const MIB = 1024 * 1024;

let site: ReturnType<typeof createTestSite>;
let pictures: Pictures;
/** What the cloud has, by read and kind, and what it answers. */
let cloud: Map<string, Buffer>;
let says: (picture: Picture, bytes: Buffer) => Brought;
let asked: number;
/** What is free of the disk, less what the pictures take. */
let freeWithout: number;
let made: number;

beforeEach(() => {
  site = createTestSite();
  cloud = new Map();
  says = ({ readId, kind }, bytes) => {
    cloud.set(`${readId} ${kind}`, bytes);
    return { outcome: 'stored' };
  };
  asked = 0;
  freeWithout = 1000 * MIB;
  made = 0;
  pictures = newPictures();
});
afterEach(async () => {
  await pictures.stop();
  site.close();
});

function newPictures(): Pictures {
  const { core, db, folder } = site;
  return createPictures({
    config: {
      dataDir: folder,
      cameras: [],
      cloud: { httpUrl: 'http://127.0.0.1:9', mqttUrl: 'mqtt://127.0.0.1:9', siteId: 's', secret: 'x' },
      pictures: { keepDays: 14, keepFreeMb: 100, keepFreePercent: 50 },
    },
    db,
    ...{ commit: core.commit, events: core.events, board: core.board },
    devices: { at: () => expect.fail('no camera is asked here') },
    clock: { now: () => new Date(site.now()) },
    log: pino({ enabled: false }),
    timing: { retryFirstMs: 2, retryMostMs: 20 },
    space: async () => ({ free: freeWithout - bytesOfFiles(), total: 2000 * MIB }),
    bring: async (picture, bytes) => {
      asked++;
      return says(picture, Buffer.from(bytes));
    },
  });
}

interface Shown {
  more?: Partial<PlateRead>;
  shows?: ReadPicture[];
}

/** A camera's document; resolves when its pictures are written down. @returns its read's id */
async function see(
  lane: 'in-1' | 'out-1',
  plate: string | null,
  name: string,
  { more, shows }: Shown = {},
): Promise<string> {
  const read = testRead(plate, { eventKey: `shown-${++made}`, ...more });
  const document = { kind: 'test', reads: [read], heartbeat: false, pictures: shows ?? [readPicture(name)] };
  await pictures.behind(site.core.desk).take(`cam-${lane}`, document, new Date(site.now()));
  await atRest();
  const id = site.db.prepare('SELECT id FROM read WHERE event_key = ?').pluck().get(read.eventKey);
  return String(id);
}

async function atRest(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    await pictures.idle();
  }
}

const rows = () => {
  const all = site.db
    .prepare<[], Picture>('SELECT id, read_id readId, kind, state, tries FROM picture')
    .all();
  return all.map(({ readId, kind, state }) => ({ readId, kind, state }));
};
function files(): string[] {
  const folder = join(site.folder, 'site-pictures');
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.includes('.'));
}
const bytesOfFiles = () =>
  files().reduce((sum, file) => sum + statSync(join(site.folder, 'site-pictures', file)).size, 0);
const acknowledged = () => {
  site.acknowledge();
  pictures.wake();
};
const soon = (look: () => void) => vi.waitFor(look, { timeout: 5000, interval: 2 });
const visit = () => site.visits().at(-1);

it('a picture stands at the visit, and goes to the cloud once that has the visit itself', async () => {
  pictures.start();
  const readId = await see('in-1', 'ABX12', 'entry', {
    shows: [readPicture('crop', 'plate'), readPicture('entry'), readPicture('car', 'vehicle')],
  });
  expect(visit()?.entryReadId).toBe(readId);
  expect(rows()).toEqual([
    { readId, kind: 'vehicle', state: 'waiting' },
    { readId, kind: 'plate', state: 'waiting' },
  ]);
  pictures.wake();
  await atRest();
  expect(asked).toBe(0);
  acknowledged();
  await soon(() => expect(rows().every(({ state }) => state === 'stored')).toBe(true));
  expect(cloud.get(`${readId} vehicle`)).toEqual(jpeg('entry'));
  expect(cloud.get(`${readId} plate`)).toEqual(jpeg('crop'));
  // Kept a while all the same, for whoever is on site.
  expect((await pictures.pictureOf(readId, 'vehicle'))?.bytes).toEqual(jpeg('entry'));
});

it('the picture of a group that comes after its car has passed stands at the visit', async () => {
  const first = await see('in-1', 'ABX12', '', { more: { eventKey: 'frame' }, shows: [] });
  site.wait(4000);
  await see('in-1', 'ABX12', 'group', { more: { late: true, relatedKeys: ['frame'] } });
  expect(visit()?.entryReadId).toBe(first);
  expect((await pictures.pictureOf(first, 'vehicle'))?.bytes).toEqual(jpeg('group'));
});

it('a car that stands in view for an hour fills no disk', async () => {
  for (let n = 0; n < 60; n++) {
    await see('in-1', 'ABX12', `sight ${n}`, { more: { score: 0.7 + n / 400 } });
    site.wait(2000);
  }
  expect(rows().length).toBeGreaterThan(1);
  expect(rows().length).toBeLessThanOrEqual(3);
  expect(files()).toHaveLength(rows().length);
});

it('a car that is let go in the end has its last picture at its exit', async () => {
  await site.price();
  await see('in-1', 'ABX12', 'entry');
  site.wait(DAY_MS);
  await see('out-1', 'ABX12', 'asked to pay');
  site.wait(2000);
  const last = await see('out-1', 'ABX12', 'waits');
  const { id = '' } = visit() ?? {};
  await site.change({
    kind: 'settlement',
    op: 'put',
    id: 'paid',
    item: {
      ...{ id: 'paid', visitId: id, paymentStatus: 'kiosk', amountMinor: 500, currency: 'ISK', units: 1 },
      ...{ by: 'kiosk', settledAt: site.now() },
    },
  });
  await atRest();
  expect(visit()).toMatchObject({ status: 'completed', exitReadId: last });
  expect((await pictures.pictureOf(last, 'vehicle'))?.bytes).toEqual(jpeg('waits'));
});

it('what was lost in a crash comes with the same document again, what is here is not kept twice', async () => {
  const readId = await see('in-1', 'ABX12', 'once', { more: { eventKey: 'again' } });
  await see('in-1', 'ABX12', 'once', { more: { eventKey: 'again' } });
  expect(rows()).toHaveLength(1);
  await pictures.forget([readId]);
  expect([rows(), files()]).toEqual([[], []]);
  await see('in-1', 'ABX12', 'once', { more: { eventKey: 'again' } });
  expect(rows()).toMatchObject([{ readId }]);
});

it('reads of no passage are kept for review, a few', async () => {
  for (let n = 0; n < 20; n++) {
    await see('in-1', 'ABX12', `weak ${n}`, { more: { score: 0.01, late: true } });
    site.wait(1000);
  }
  expect(rows()).toHaveLength(2);
});

it('what is no picture is not kept', async () => {
  const shows = [{ ...readPicture(''), base64: Buffer.from('<svg/>').toString('base64') }];
  await see('in-1', 'ABX12', '', { shows });
  expect(rows()).toEqual([]);
});

it('goes on after a restart where it was, and brings none that is damaged', async () => {
  const whole = await see('in-1', 'ABX12', 'whole');
  site.wait(60_000);
  const damaged = await see('in-1', 'KLM34', 'damaged');
  const [name = ''] = files().filter((file) =>
    readFileSync(join(site.folder, 'site-pictures', file)).includes('damaged'),
  );
  appendFileSync(join(site.folder, 'site-pictures', name), 'x');
  await pictures.stop();
  site.acknowledge();
  pictures = newPictures();
  pictures.start();
  await soon(() => expect(rows()).toEqual([{ readId: whole, kind: 'vehicle', state: 'stored' }]));
  expect([...cloud.keys()]).toEqual([`${whole} vehicle`]);
  expect(cloud.has(`${damaged} vehicle`)).toBe(false);
});

it('one that cannot be read now hinders no other', async () => {
  const unreadable = await see('in-1', 'ABX12', 'unreadable');
  const [name = ''] = files();
  const path = join(site.folder, 'site-pictures', name);
  rmSync(path);
  mkdirSync(path);
  site.wait(60_000);
  const good = await see('in-1', 'KLM34', 'good');
  pictures.start();
  acknowledged();
  await soon(() => expect([...cloud.keys()]).toEqual([`${good} vehicle`]));
  expect(rows()).toContainEqual({ readId: unreadable, kind: 'vehicle', state: 'waiting' });
});

it('tries again until the cloud takes it, with pauses of its own for the one that it cannot take', async () => {
  const poison = await see('in-1', 'ABX12', 'poison');
  const usual = says;
  says = (picture, bytes) =>
    picture.readId === poison
      ? { outcome: 'later', reason: 'the cloud answered 500', waitMs: 0 }
      : usual(picture, bytes);
  pictures.start();
  acknowledged();
  await soon(() => expect(asked).toBe(1));
  site.wait(1000);
  await see('in-1', 'KLM34', 'good');
  acknowledged();
  await soon(() => expect(cloud.size).toBe(1));
  await soon(() =>
    expect(pictures.view()).toMatchObject({ waiting: { pictures: 1 }, kept: { pictures: 2 } }),
  );
  says = usual;
  // Its time comes.
  site.wait(60 * 60_000);
  pictures.wake();
  await soon(() => expect(cloud.size).toBe(2));
  await soon(() => expect(pictures.view()).toMatchObject({ waiting: { pictures: 0 }, trouble: null }));
});

it('waits for a cloud that is away, and says so', async () => {
  const readId = await see('in-1', 'ABX12', 'entry');
  const usual = says;
  says = () => ({ outcome: 'unreachable', reason: 'connect ECONNREFUSED' });
  pictures.start();
  acknowledged();
  await soon(() => expect(asked).toBeGreaterThan(2));
  expect(pictures.view().trouble).toBe('connect ECONNREFUSED');
  says = usual;
  await soon(() => expect(rows()).toEqual([{ readId, kind: 'vehicle', state: 'stored' }]));
  expect(pictures.view().trouble).toBeNull();
});

it('brings what will never be taken once, and forgets what the cloud has erased, when it says so twice', async () => {
  const refused = await see('in-1', 'ABX12', 'refused');
  site.wait(60_000);
  const gone = await see('in-1', 'KLM34', 'gone');
  says = ({ readId }) =>
    readId === refused ? { outcome: 'refused', reason: 'the cloud answered 415' } : { outcome: 'gone' };
  pictures.start();
  acknowledged();
  await soon(() => expect(asked).toBe(2));
  await soon(() => expect(rows()[0]?.state).toBe('refused'));
  expect(rows()).toHaveLength(2);
  expect(rows()[1]?.readId).toBe(gone);
  site.wait(60 * 60_000);
  pictures.wake();
  await soon(() => expect(rows()).toEqual([{ readId: refused, kind: 'vehicle', state: 'refused' }]));
  expect([asked, files().length]).toEqual([3, 1]);
});

it('a cloud restored from a backup gets again what it was told after it', async () => {
  pictures.start();
  const before = await see('in-1', 'ABX12', 'before');
  acknowledged();
  await soon(() => expect(cloud.size).toBe(1));
  const backup = site.core.events.lastSeq();
  site.wait(60_000);
  const after = await see('in-1', 'KLM34', 'after');
  acknowledged();
  await soon(() => expect(rows().map(({ state }) => state)).toEqual(['stored', 'stored']));
  cloud.clear();
  site.core.events.acknowledge(backup);
  pictures.wake();
  acknowledged();
  await soon(() => expect([...cloud.keys()]).toEqual([`${after} vehicle`]));
  expect(before).not.toBe(after);
});

it('events come first: none is brought while many are still to be told', async () => {
  pictures.start();
  await see('in-1', 'ABX12', 'entry');
  site.acknowledge();
  await site.core.commit.run(() => {
    for (let n = 0; n < 300; n++) {
      const alert = {
        type: 'lane.alert',
        laneId: 'in-1',
        alert: 'tailgating',
        plate: null,
        passageId: null,
      } as const;
      site.core.events.append(alert, site.now());
    }
  });
  pictures.wake();
  await atRest();
  expect(asked).toBe(0);
  acknowledged();
  await soon(() => expect(cloud.size).toBe(1));
});

it('mends what a crash has left', async () => {
  const readId = await see('in-1', 'ABX12', 'good');
  site.wait(60_000);
  const lost = await see('in-1', 'KLM34', 'lost');
  const folder = join(site.folder, 'site-pictures');
  const [gone = ''] = files().filter((file) => readFileSync(join(folder, file)).includes('lost'));
  rmSync(join(folder, gone));
  mkdirSync(join(folder, '2026-01-01'));
  writeFileSync(join(folder, '2026-01-01', 'orphan.jpg'), 'x');
  writeFileSync(join(folder, gone.slice(0, 10), 'half.jpg.part'), 'x');
  pictures.start();
  await soon(() => expect(files()).toHaveLength(1));
  await soon(() => expect(rows()).toMatchObject([{ readId }]));
  expect(rows().some((row) => row.readId === lost)).toBe(false);
  expect(readdirSync(folder)).toEqual(['2026-11-21']);
});

it('forgets those that the cloud has after some days, and any after ninety', async () => {
  await see('in-1', 'ABX12', 'stored');
  pictures.start();
  acknowledged();
  await soon(() => expect(cloud.size).toBe(1));
  says = () => ({ outcome: 'unreachable', reason: 'away' });
  site.wait(60_000);
  const waiting = await see('in-1', 'KLM34', 'waiting');
  site.wait(13 * DAY_MS);
  await pictures.prune();
  expect(rows()).toHaveLength(2);
  site.wait(2 * DAY_MS);
  await pictures.prune();
  expect(rows()).toEqual([{ readId: waiting, kind: 'vehicle', state: 'waiting' }]);
  site.wait(76 * DAY_MS);
  await pictures.prune();
  expect([rows(), files()]).toEqual([[], []]);
});

it('makes room: first of what the cloud has, then of what it knows of, last of what it has not heard of', async () => {
  const ids: string[] = [];
  for (const plate of ['ABX12', 'KLM34', 'PRS56', 'TUV78']) {
    ids.push(await see('in-1', plate, plate, { shows: [readPicture(plate, 'overview', MIB)] }));
    site.wait(60_000);
    if (plate === 'PRS56') site.acknowledge();
  }
  const [first = '', second = '', third = '', unheard = ''] = ids;
  const store = createPictureStore(site.db);
  const stored = [first, third].flatMap((id) => store.ofRead(id));
  for (const { id } of stored) store.setState(id, 'stored');
  const left = async (freeWithoutMib: number) => {
    freeWithout = freeWithoutMib * MIB;
    await pictures.prune();
    const all = site.db.prepare('SELECT read_id FROM picture ORDER BY taken_at').pluck().all();
    return all.map(String);
  };
  // Wanted are 100 MiB, of which the four take one each.
  expect(await left(104.1)).toEqual([first, second, third, unheard]);
  expect(await left(103.5)).toEqual([second, third, unheard]);
  expect(await left(102.5)).toEqual([second, unheard]);
  expect(await left(101.5)).toEqual([unheard]);
  expect(await left(100.5)).toEqual([unheard]);
  expect(pictures.view().noRoom).toBe(false);
  expect(await left(20)).toEqual([]);
  expect(pictures.view().noRoom).toBe(true);
  await see('in-1', 'VXY90', 'no room');
  expect(await left(500)).toEqual([]);
  site.wait(60_000);
  const again = await see('in-1', 'ZAB12', 'room');
  expect(await left(500)).toEqual([again]);
});
