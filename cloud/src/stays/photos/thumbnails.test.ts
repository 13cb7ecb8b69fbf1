import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame, TINY_JPEG } from '../../../test/sample-documents.ts';
import type { FolderStorage } from '../../platform/storage/folder-storage.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { pictureFiles } from './storage/open-pictures.ts';
import { pictureCleanupJob } from './store-picture.ts';

let folder: string;
let files: FolderStorage;
/** Runs before a thumbnail goes into the store. */
let beforeThumb: () => Promise<void>;
let reads = 0;
let api: TestApi;
let camera: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-thumbs-'));
  files = pictureFiles(folder);
  beforeThumb = async () => undefined;
  const pictures: ObjectStorage = {
    async put(key, picture, type) {
      if (key.includes('-thumb')) await beforeThumb();
      await files.put(key, picture, type);
    },
    async get(key, range) {
      reads++;
      return await files.get(key, range);
    },
    delete: (key) => files.delete(key),
  };
  api = await createTestApi({ pictures });
  camera = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** A picture that is hard to compress, as those of cameras at night. */
async function noise(width: number, height: number): Promise<Buffer> {
  const grain = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  return await sharp({ create: { width, height, channels: 3, background: 'black', noise: grain } })
    .jpeg()
    .toBuffer();
}

/** The same JPEG with another width and height in its head. */
function withSize(jpeg: Buffer, pixels: number): Buffer {
  const frameHeader = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const changed = Buffer.from(jpeg);
  changed.writeUInt16BE(pixels, frameHeader + 5);
  changed.writeUInt16BE(pixels, frameHeader + 7);
  return changed;
}

async function photoWith(picture: Buffer): Promise<string> {
  const base64 = picture.toString('base64');
  const document = JSON.stringify(frame('ABX12', api.now())).replaceAll(TINY_JPEG, base64);
  const { body } = await api.call('POST', `/photos/open-alpr?camera.id=${camera}`, {
    body: JSON.parse(document),
  });
  return String(body['id']);
}

async function thumb(id: string, headers: Record<string, string> = {}, method = 'GET') {
  const path = `/photo/${id}/picture?kind=thumb`;
  const authorization = `Bearer ${api.operator}`;
  const response = await api.app.request(path, { method, headers: { authorization, ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, header: (name: string) => response.headers.get(name), bytes };
}

const stored = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jpg'));
const storedThumbs = () => stored().filter((name) => name.includes('-thumb'));

describe('a thumbnail', () => {
  it('is made once, fits a list, and is kept by no shared cache', async () => {
    const picture = await noise(800, 450);
    const id = await photoWith(picture);
    expect(storedThumbs()).toEqual([]);
    const first = await thumb(id);
    expect(first.status).toBe(200);
    expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 270 });
    expect(first.bytes.byteLength).toBeLessThan(picture.byteLength / 2);
    expect(first.header('cache-control')).toBe('private, no-cache');
    expect(first.header('content-length')).toBe(String(first.bytes.byteLength));
    expect(storedThumbs()).toHaveLength(1);
    // A second one would need the picture.
    for (const name of stored()) if (!name.includes('-thumb')) rmSync(join(folder, name));
    const second = await thumb(id);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    const etag = first.header('etag') ?? '';
    expect((await thumb(id, { 'if-none-match': etag })).status).toBe(304);
    expect((await thumb(id, {}, 'HEAD')).bytes.byteLength).toBe(0);
  });

  it('of a small picture is the picture', async () => {
    const picture = await noise(80, 60);
    const id = await photoWith(picture);
    expect((await thumb(id)).bytes.equals(picture)).toBe(true);
    expect(storedThumbs()).toEqual([]);
  });

  it('is erased with its picture, also one that is on its way', async () => {
    const id = await photoWith(await noise(800, 450));
    await thumb(id);
    await api.call('DELETE', `/photo/${id}`);
    expect(stored()).toEqual([]);
    expect((await thumb(id)).status).toBe(404);

    api.wait(60_000);
    const late = await photoWith(await noise(800, 450));
    beforeThumb = async () => void (await api.call('DELETE', `/photo/${late}`));
    await thumb(late);
    expect(storedThumbs()).toHaveLength(1);
    api.wait(16 * 60_000);
    const sweep = pictureCleanupJob({ db: api.db, pictures: files });
    await sweep.work({ now: api.now(), signal: new AbortController().signal });
    expect(stored()).toEqual([]);
  });

  it.each([
    ['a picture that breaks off', async () => (await noise(800, 450)).subarray(0, 40_000)],
    ['a picture that says it is much larger', async () => withSize(await noise(800, 600), 60_000)],
  ])('is refused for %s, and the picture is not unpacked again', async (_what, make) => {
    const id = await photoWith(await make());
    const answer = await thumb(id);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ codes: [{ code: 'unreadable-picture' }] });
    const before = reads;
    expect((await thumb(id)).status).toBe(422);
    expect(reads).toBe(before);
  });
});
