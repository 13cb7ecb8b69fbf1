import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import type { Db } from '../db/db.ts';
import { chooseReplica } from './choose-replica.ts';
import { jobTable } from './job-table.ts';

let api: TestApi;
let other: TestApi;
let logged: { event: string; reason: string }[];
beforeEach(async () => {
  [api, other] = await Promise.all([createTestApi(), createTestApi()]);
  logged = [];
});
afterEach(() => Promise.all([api.close(), other.close()]));

const write = { write: (line: string) => void logged.push(JSON.parse(line)) };

const note = (at: TestApi, lastStartedAt: string) =>
  at.db.write(async ({ q }) => {
    await q
      .insert(jobTable)
      .values({ name: 'mail', lastStartedAt })
      .onConflictDoUpdate({ target: jobTable.name, set: { lastStartedAt } });
  });
const siteOf = async (at: Pick<Db, 'read'>) =>
  (await at.read(async (q) => await q.select({ id: siteTable.id }).from(siteTable)))[0]?.id;
const choose = (replica: Pick<Db, 'read'>) =>
  chooseReplica({ db: api.db, replica, clock: api.context.clock, log: pino({}, write) });

it('reads at a replica that has all notes, and at one that lacks only the newest moments', async () => {
  expect(await siteOf(await choose(other.db))).toBe(other.site.id);
  await note(api, '2026-11-21T11:59:30.000Z');
  expect(await siteOf(await choose(other.db))).toBe(other.site.id);
  expect(logged).toEqual([]);
});

it('reads at the database where the replica is behind by more than a minute', async () => {
  await note(api, '2026-11-21T11:58:59.000Z');
  await note(other, '2026-11-21T11:00:00.000Z');
  expect(await siteOf(await choose(other.db))).toBe(api.site.id);
  expect(logged).toMatchObject([
    { event: 'database.replica-unused', reason: 'it lacks what was written at 2026-11-21T11:58:59.000Z' },
  ]);
});

it('reads at the database where the replica does not answer, or not any more', async () => {
  let isGone = true;
  const failing: Pick<Db, 'read'> = {
    read: async (work) => {
      if (isGone) throw new Error('no connection');
      return await other.db.read(work);
    },
  };
  expect(await siteOf(await choose(failing))).toBe(api.site.id);
  isGone = false;
  const chosen = await choose(failing);
  expect(await siteOf(chosen)).toBe(other.site.id);
  isGone = true;
  expect([await siteOf(chosen), await siteOf(chosen)]).toEqual([api.site.id, api.site.id]);
  expect(logged).toMatchObject([{ reason: 'no connection' }, { reason: 'no connection' }]);
});
