import { S3Bucket } from '@hlid/node/s3-bucket';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type S3Storage, startS3Storage } from './s3-storage.ts';

const ACCESS = {
  region: 'eu-west-1',
  bucket: 'hlid-pictures',
  accessKeyId: 'AKIATEST',
  secretAccessKey: 'a secret/with+signs',
};
const KEY = 'site-1/2026-11-21/photo-1.jpg';
const PICTURE = Buffer.from('ffd8ff0102030405060708', 'hex');

let storage: S3Storage;
let pictures: S3Bucket;

beforeEach(async () => {
  storage = await startS3Storage(ACCESS);
  pictures = new S3Bucket({ ...ACCESS, endpoint: storage.endpoint }, { answerMs: 300 });
});
afterEach(async () => await storage.close());

async function bytesOf(body: ReadableStream<Uint8Array> | undefined): Promise<Buffer> {
  return Buffer.from(await new Response(body ?? null).arrayBuffer());
}

test('a picture is stored, read whole and in part, and deleted, with a valid signature on every request', async () => {
  await pictures.put(KEY, PICTURE, 'image/jpeg');
  expect(storage.objects.get(KEY)).toMatchObject({ contentType: 'image/jpeg' });
  const whole = await pictures.get(KEY);
  expect(whole).toMatchObject({ contentType: 'image/jpeg', bytes: PICTURE.length });
  expect((await bytesOf(whole?.body)).equals(PICTURE)).toBe(true);
  const part = await pictures.get(KEY, { from: 2, to: 4 });
  expect(part?.bytes).toBe(PICTURE.length);
  expect((await bytesOf(part?.body)).equals(PICTURE.subarray(2, 5))).toBe(true);
  await pictures.delete(KEY);
  await pictures.delete(KEY);
  expect(await pictures.get(KEY)).toBeNull();
  expect(storage.refused).toEqual([]);
});

test('a wrong secret is refused and reported', async () => {
  const stranger = new S3Bucket({ ...ACCESS, endpoint: storage.endpoint, secretAccessKey: 'guessed' });
  await expect(stranger.put(KEY, PICTURE, 'image/jpeg')).rejects.toThrow('refused to store: 403');
  await expect(stranger.get(KEY)).rejects.toThrow('refused to read: 403');
  await expect(stranger.delete(KEY)).rejects.toThrow('refused to delete: 403');
  expect(new Set(storage.refused)).toEqual(new Set(['SignatureDoesNotMatch']));
  expect(storage.objects.size).toBe(0);
});

test('a missing bucket is an error when storing', async () => {
  const elsewhere = new S3Bucket({ ...ACCESS, endpoint: storage.endpoint, bucket: 'other' });
  await expect(elsewhere.put(KEY, PICTURE, 'image/jpeg')).rejects.toThrow('404');
});

test('a storage that does not answer ends in a timeout', async () => {
  storage.setSilent(true);
  await expect(pictures.put(KEY, PICTURE, 'image/jpeg')).rejects.toMatchObject({ code: 'deadline-passed' });
});

test('lists the keys below a prefix, page by page', async () => {
  const keys = ['a/1', 'a/2 & <3>', 'a/4', 'a/5', 'a/6', 'b/7'];
  for (const key of keys) await pictures.put(key, PICTURE, 'image/jpeg');
  const listed: string[] = [];
  for await (const key of pictures.list('a/')) listed.push(key);
  expect(listed).toEqual(keys.slice(0, 5));
  expect(storage.refused).toEqual([]);
});
