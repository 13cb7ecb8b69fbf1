import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { isFault } from '@hlid/protocol/base/fault';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../test/api.ts';
import { seedOperator } from '../people/accounts/seed-operator.ts';
import type { Db } from '../platform/db/db.ts';
import { openDb } from '../platform/db/libsql-db.ts';
import { Trainer } from '../platform/trainer.ts';
import { markAsTraining } from '../records/training/training-store.ts';
import { claimTraining } from './claim-training.ts';

let folder: string;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-training-'));
  db = await openDb(join(folder, 'cloud.db'));
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

async function problemOf(isTraining: boolean): Promise<string | null> {
  try {
    await claimTraining(db, isTraining, systemClock);
    return null;
  } catch (error) {
    if (isFault(error, 'config-invalid')) return error.message;
    throw error;
  }
}

const seeded = () => seedOperator(db, { id: 'anna', password: 'long enough' }, systemClock);

it('a database of real car parks never becomes one of training', async () => {
  expect(await problemOf(false)).toBeNull();
  await seeded();
  expect(await problemOf(true)).toContain('the database is of real car parks');
  expect(await problemOf(false)).toBeNull();
});

it('a database of training stays one', async () => {
  expect(await problemOf(true)).toBeNull();
  await seeded();
  expect(await problemOf(true)).toBeNull();
  expect(await problemOf(false)).toContain('the database is of a training installation');
});

/** The settings that a new site gets, and the mark of a refusal before a person has logged in. */
async function marksOf(api: TestApi) {
  const site = await api.addSite('Airport');
  const [first] = await api.changes(site);
  const refused = await api.call('GET', '/session', { token: null });
  return { item: first, status: refused.status, header: refused.headers.get('hlid-training') };
}

it('marks its answers and its sites, and nothing marks those of real car parks', async () => {
  const training = await createTestApi({ trainer: new Trainer('http://127.0.0.1:1') });
  await training.db.write(({ q }) => markAsTraining(q, training.now()));
  const marked = await marksOf(training);
  expect(marked).toMatchObject({
    item: { kind: 'site', item: { training: true } },
    status: 401,
    header: 'yes',
  });
  await training.close();
  const real = await createTestApi();
  const plain = await marksOf(real);
  expect(plain).toMatchObject({ item: { kind: 'site' }, status: 401, header: null });
  expect(plain.item).not.toHaveProperty('item.training');
  await real.close();
});
