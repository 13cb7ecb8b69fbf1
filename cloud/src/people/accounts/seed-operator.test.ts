import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { seedApiKey } from '../auth/seed-api-key.ts';
import { findApiKeyCaller } from '../auth/tokens.ts';
import { logIn } from './log-in.ts';
import { seedOperator } from './seed-operator.ts';

const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
let folder: string;
let db: Db;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-seed-'));
  db = await openDb(join(folder, 'cloud.db'));
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const canLogIn = async (id: string, password: string) =>
  (
    await logIn(db, clock, {
      provider: 'password',
      id,
      password,
      deviceUuid: 'd',
      agent: null,
      address: 'here',
    })
  ).ok;

it('makes the operator that is named, once', async () => {
  const named = { id: 'Chief', password: 'a long password' };
  expect(await seedOperator(db, named, clock)).toEqual({ made: true, id: 'Chief', password: null });
  expect(await canLogIn('chief', 'a long password')).toBe(true);
  expect(await seedOperator(db, { ...named, password: 'another' }, clock)).toEqual({ made: false });
  expect(await canLogIn('chief', 'another')).toBe(false);
});

it('makes one up where none is named', async () => {
  const seeded = await seedOperator(db, null, clock);
  if (!seeded.made || seeded.password === null) throw new Error('nothing made up');
  expect(await canLogIn(seeded.id, seeded.password)).toBe(true);
});

it('takes the API key that is configured, in place of the one before', async () => {
  const takes = async (key: string) => (await db.read((q) => findApiKeyCaller(q, key))) !== null;
  expect(await seedApiKey(db, 'first-key', clock)).toEqual({ made: true, key: null });
  expect(await takes('first-key')).toBe(true);
  expect(await seedApiKey(db, 'first-key', clock)).toEqual({ made: false });
  await seedApiKey(db, 'second-key', clock);
  expect(await takes('second-key')).toBe(true);
  expect(await takes('first-key')).toBe(false);
});

it('makes an API key up where there is none at all', async () => {
  const seeded = await seedApiKey(db, null, clock);
  if (!seeded.made || seeded.key === null) throw new Error('nothing made up');
  const { key } = seeded;
  expect(await db.read((q) => findApiKeyCaller(q, key))).toMatchObject({ kind: 'api-key' });
  expect(await seedApiKey(db, null, clock)).toEqual({ made: false });
});
