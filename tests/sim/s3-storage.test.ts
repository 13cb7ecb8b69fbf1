import { randomBytes } from 'node:crypto';
import {
  openPackages,
  PACKAGE_CONTENT_TYPE,
  PACKAGE_MAGIC,
  packageFileName,
} from '@hlid/cloud/sites/rollouts/package-files';
import { S3Bucket, type S3Config } from '@hlid/node/s3-bucket';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { S3_GATEWAY_INSTALLED, startS3Gateway } from '../harness/s3-gateway.ts';
import { type S3Storage, startS3Storage } from './s3-storage.ts';

const ACCESS = {
  region: 'eu-west-1',
  bucket: 'hlid-pictures',
  accessKeyId: 'AKIATEST',
  secretAccessKey: 'a secret/with+signs',
};
const KEY = 'site-1/2026-11-21/photo-1.jpg';
/** The size of a package. */
const PACKAGE_BYTES = 45_000_000;
const PICTURE = Buffer.from('ffd8ff0102030405060708', 'hex');

async function bytesOf(body: ReadableStream<Uint8Array> | undefined): Promise<Buffer> {
  return Buffer.from(await new Response(body ?? null).arrayBuffer());
}

async function listed(bucket: S3Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of bucket.list(prefix)) keys.push(key);
  return keys;
}

// The server of others: what our own storage gets wrong would be wrong in the product too.
const STORAGES = [
  { storage: 'our storage', isThere: true, start: startS3Storage },
  { storage: 'versitygw', isThere: S3_GATEWAY_INSTALLED, start: startS3Gateway },
];

for (const { storage: name, isThere, start } of STORAGES) {
  describe.skipIf(!isThere)(`A bucket of ${name}`, () => {
    let storage: { endpoint: string; close(): Promise<void> };
    let pictures: S3Bucket;
    const bucketWith = (other: Partial<S3Config>) =>
      new S3Bucket({ ...ACCESS, endpoint: storage.endpoint, ...other });

    beforeEach(async () => {
      storage = await start(ACCESS);
      pictures = bucketWith({});
    });
    afterEach(async () => await storage.close());

    it('stores a picture, gives it whole and in part, and deletes it', async () => {
      await pictures.put(KEY, PICTURE, 'image/jpeg');
      const whole = await pictures.get(KEY);
      expect(whole).toMatchObject({ contentType: 'image/jpeg', bytes: PICTURE.length });
      expect((await bytesOf(whole?.body)).equals(PICTURE)).toBe(true);
      const part = await pictures.get(KEY, { from: 2, to: 4 });
      expect(part?.bytes).toBe(PICTURE.length);
      expect((await bytesOf(part?.body)).equals(PICTURE.subarray(2, 5))).toBe(true);
      await pictures.delete(KEY);
      await pictures.delete(KEY);
      expect(await pictures.get(KEY)).toBeNull();
    });

    it('gives the newer of two pictures of one name', async () => {
      await pictures.put(KEY, PICTURE, 'image/jpeg');
      await pictures.put(KEY, PICTURE.subarray(0, 3), 'image/png');
      const stored = await pictures.get(KEY);
      expect(stored).toMatchObject({ contentType: 'image/png', bytes: 3 });
      await stored?.body.cancel();
    });

    it('stores a package of the edge, gives it whole and from the middle on, and deletes it', async () => {
      const s3 = { ...ACCESS, endpoint: storage.endpoint };
      const packages = openPackages({ dataDir: '', s3 });
      const name = packageFileName({ version: '0.3.0', architecture: 'arm64' });
      const content = Buffer.concat([Buffer.from(PACKAGE_MAGIC), randomBytes(PACKAGE_BYTES)]);
      await packages.put(name, content, PACKAGE_CONTENT_TYPE);
      const whole = await packages.get(name);
      expect(whole).toMatchObject({ contentType: PACKAGE_CONTENT_TYPE, bytes: content.length });
      expect((await bytesOf(whole?.body)).equals(content)).toBe(true);
      const range = { from: content.length >> 1, to: content.length - 1 };
      const rest = await packages.get(name, range);
      expect(rest?.bytes).toBe(content.length);
      expect((await bytesOf(rest?.body)).equals(content.subarray(range.from))).toBe(true);
      expect(await listed(pictures, 'packages/')).toEqual([`packages/${name}`]);
      await packages.delete(name);
      expect(await packages.get(name)).toBeNull();
    });

    it('refuses a wrong secret', async () => {
      await pictures.put(KEY, PICTURE, 'image/jpeg');
      const stranger = bucketWith({ secretAccessKey: 'guessed' });
      await expect(stranger.put('other.jpg', PICTURE, 'image/jpeg')).rejects.toThrow('refused to store: 403');
      await expect(stranger.get(KEY)).rejects.toThrow('refused to read: 403');
      await expect(stranger.delete(KEY)).rejects.toThrow('refused to delete: 403');
      await expect(listed(stranger, '')).rejects.toThrow('refused to list: 403');
      expect(await listed(pictures, '')).toEqual([KEY]);
    });

    it('reports a missing bucket when it stores', async () => {
      await expect(bucketWith({ bucket: 'other' }).put(KEY, PICTURE, 'image/jpeg')).rejects.toThrow('404');
    });

    it('lists the keys below a prefix, whatever characters they have', async () => {
      const keys = ['a/1', 'a/2 & <3>', 'a/4+ð', 'a/5', 'a/6', 'b/7'];
      for (const key of keys) await pictures.put(key, PICTURE, 'image/jpeg');
      expect(await listed(pictures, 'a/')).toEqual(keys.slice(0, 5));
    });
  });
}

describe.skipIf(!S3_GATEWAY_INSTALLED)('A bucket of more keys than one answer of S3 has', () => {
  it('is listed to its end', async () => {
    const storage = await startS3Gateway(ACCESS);
    try {
      const bucket = new S3Bucket({ ...ACCESS, endpoint: storage.endpoint });
      const keys = Array.from({ length: 1003 }, (_, at) => `p/${String(at).padStart(4, '0')}`);
      for (let at = 0; at < keys.length; at += 50) {
        await Promise.all(keys.slice(at, at + 50).map((key) => bucket.put(key, PICTURE, 'image/jpeg')));
      }
      expect(await listed(bucket, 'p/')).toEqual(keys);
    } finally {
      await storage.close();
    }
  });
});

describe('Our storage', () => {
  let storage: S3Storage;
  let pictures: S3Bucket;

  beforeEach(async () => {
    storage = await startS3Storage(ACCESS);
    pictures = new S3Bucket({ ...ACCESS, endpoint: storage.endpoint }, { answerMs: 300 });
  });
  afterEach(async () => await storage.close());

  it('checks the signature of every request', async () => {
    await pictures.put(KEY, PICTURE, 'image/jpeg');
    await (await pictures.get(KEY, { from: 0, to: 1 }))?.body.cancel();
    await pictures.delete(KEY);
    expect(storage.refused).toEqual([]);
    const stranger = new S3Bucket({ ...ACCESS, endpoint: storage.endpoint, secretAccessKey: 'guessed' });
    await expect(stranger.put(KEY, PICTURE, 'image/jpeg')).rejects.toThrow('403');
    expect(storage.refused).toEqual(['SignatureDoesNotMatch']);
  });

  it('ends in a timeout where it does not answer', async () => {
    storage.setSilent(true);
    await expect(pictures.put(KEY, PICTURE, 'image/jpeg')).rejects.toMatchObject({ code: 'deadline-passed' });
  });
});
