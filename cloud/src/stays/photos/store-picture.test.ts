import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { GatedStore } from '../../../test/gated-store.ts';
import { frame, TINY_JPEG } from '../../../test/sample-documents.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { loosePictureTable } from '../../records/photos/loose-picture-table.ts';
import { pictureFiles } from './storage/open-pictures.ts';
import { pictureCleanupJob, storePicture } from './store-picture.ts';

const MINUTE = 60_000;

/** A store that breaks off on request. */
class FragileStore implements ObjectStorage {
  readonly keys = new Set<string>();
  fails: 'before' | 'after' | 'delete' | null = null;

  async put(key: string): Promise<void> {
    if (this.fails === 'before') throw new Error('no room');
    this.keys.add(key);
    if (this.fails === 'after') throw new Error('the line broke');
    await Promise.resolve();
  }

  async get(): Promise<null> {
    return await Promise.resolve(null);
  }

  async delete(key: string): Promise<void> {
    if (this.fails === 'delete') throw new Error('the line broke');
    this.keys.delete(key);
    await Promise.resolve();
  }
}

let pictures: FragileStore;
let api: TestApi;
let camera: string;
/** When the camera saw the car, however late it sends the document again. */
let seenAt: UtcTime;

beforeEach(async () => {
  pictures = new FragileStore();
  api = await createTestApi({ pictures });
  seenAt = api.now();
  camera = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
});
afterEach(async () => await api.close());

async function post() {
  const body = frame('ABX12', seenAt, { uuid: 'one' });
  return await api.call('POST', `/photos/open-alpr?camera.id=${camera}`, { body });
}
const loose = () => api.db.read(async (q) => await q.select().from(loosePictureTable));
const sweep = () =>
  pictureCleanupJob({ db: api.db, pictures }).work({ now: api.now(), signal: new AbortController().signal });

test.each(['before', 'after'] as const)(
  'a store that fails %s it has the picture hinders no visit, and a second posting brings it',
  async (fails) => {
    pictures.fails = fails;
    const answer = await post();
    expect(answer).toMatchObject({ status: 303, body: { url: null, decision: { open: true } } });
    pictures.fails = null;
    // A first call may still be working on it.
    expect((await post()).status).toBe(422);
    expect((await api.call('GET', String(answer.location))).body['url']).toBeNull();
    api.wait(2 * MINUTE);
    expect((await post()).status).toBe(422);
    expect((await api.call('GET', String(answer.location))).body['url']).not.toBeNull();
    expect([pictures.keys.size, await loose()]).toEqual([1, []]);
  },
);

test('what was left behind is swept, and what is in use is not', async () => {
  pictures.fails = 'after';
  await post();
  api.wait(5 * MINUTE);
  await sweep();
  expect(pictures.keys.size).toBe(1);
  api.wait(11 * MINUTE);
  await sweep();
  expect([pictures.keys.size, await loose()]).toEqual([0, []]);

  pictures.fails = null;
  expect((await post()).status).toBe(422);
  api.wait(60 * MINUTE);
  await sweep();
  expect(pictures.keys.size).toBe(1);
});

test('a picture that could not be erased is out of sight at once, and swept later', async () => {
  const { body } = await post();
  pictures.fails = 'delete';
  expect((await api.call('DELETE', `/photo/${String(body['id'])}`)).status).toBe(204);
  expect((await api.call('GET', `/photo/${String(body['id'])}/picture`)).status).toBe(404);
  expect(pictures.keys.size).toBe(1);
  pictures.fails = null;
  api.wait(16 * MINUTE);
  await sweep();
  expect(pictures.keys.size).toBe(0);
});

test('a photo has one picture from any sender, and none once it is deleted', async () => {
  const { body } = await post();
  const id = String(body['id']);
  const photo = { id, siteId: api.site.id, receivedAt: api.now() };
  const picture = { contentType: 'image/jpeg' as const, bytes: Buffer.from(TINY_JPEG, 'base64') };
  const parts = { db: api.db, clock: api.clock, pictures };
  expect(await storePicture(parts, photo, picture)).toBe('there');
  await api.call('DELETE', `/photo/${id}`);
  expect(await storePicture(parts, photo, picture)).toBe('gone');
  expect(await storePicture(parts, { ...photo, id: 'nothing' }, picture)).toBe('gone');
  expect(pictures.keys.size).toBe(0);
});

test('of two pictures that are brought at once, one is the photo’s, and nothing is left of the other', async () => {
  const store = new GatedStore();
  pictures.fails = 'before';
  const id = String((await post()).body['id']);
  api.wait(2 * MINUTE);
  const photo = { id, siteId: api.site.id, receivedAt: api.now() };
  const parts = { db: api.db, clock: api.clock, pictures: store };
  const bring = (contentType: 'image/jpeg' | 'image/png') =>
    storePicture(parts, photo, { contentType, bytes: Buffer.from(contentType) });
  const { arrived, release } = store.hold((key) => key.endsWith('.jpg'));
  const first = bring('image/jpeg');
  await arrived;
  expect(await bring('image/jpeg')).toBe('busy');
  expect(await bring('image/png')).toBe('stored');
  release();
  expect(await first).toBe('gone');
  const shown = await api.call('GET', `/photo/${id}`);
  expect(shown.body['url']).not.toBeNull();
  api.wait(16 * MINUTE);
  const { signal } = new AbortController();
  await pictureCleanupJob({ db: api.db, pictures: store }).work({ now: api.now(), signal });
  expect([...store.stored.values()].map(({ contentType }) => contentType)).toEqual(['image/png']);
});

test('files: two at once, whole; keys that lead elsewhere are none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-pictures-'));
  const files = pictureFiles(folder);
  const picture = Buffer.from(TINY_JPEG, 'base64');
  await Promise.all(Array.from({ length: 5 }, () => files.put('s/2026-11-21/p.jpg', picture, 'image/jpeg')));
  const found = await files.get('s/2026-11-21/p.jpg');
  expect(found).toMatchObject({ contentType: 'image/jpeg', bytes: picture.length });
  expect(Buffer.from(await new Response(found?.body ?? null).arrayBuffer()).equals(picture)).toBe(true);
  expect(readdirSync(`${folder}/s/2026-11-21`)).toEqual(['p.jpg']);
  await expect(files.put('../out.jpg', picture, 'image/jpeg')).rejects.toThrow('not a key');
  await files.delete('s/2026-11-21/p.jpg');
  await files.delete('s/2026-11-21/p.jpg');
  expect(await files.get('s/2026-11-21/p.jpg')).toBeNull();
  rmSync(folder, { recursive: true });
});
