import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { CloudInstance } from './cloud-instance.ts';
import { instanceTable, jobTable } from './job-table.ts';

let api: TestApi;
let released: string[];
beforeEach(async () => {
  api = await createTestApi();
  released = [];
});
afterEach(() => api.close());

function instance(isAlone: boolean): CloudInstance {
  const release = async (_tx: unknown, dead: readonly string[]) => void released.push(...dead);
  const log = pino({ level: 'silent' });
  return new CloudInstance({ db: api.db, clock: api.clock, log }, { isAlone, release: [release] });
}
/** A process that was killed: it has a job for five minutes. */
async function killed(): Promise<string> {
  const dead = instance(false);
  await dead.start();
  await api.db.write(async ({ q }) => {
    const held = { heldBy: dead.id, heldUntil: '2027-01-01T00:00:00.000Z' };
    await q.insert(jobTable).values({ name: 'mail', ...held });
  });
  return dead.id;
}
const holder = () => api.db.read(async (q) => (await q.select().from(jobTable).get())?.heldBy);

it('frees at once what a dead process held, where no other has the database', async () => {
  const dead = await killed();
  const next = instance(true);
  await next.start();
  expect([await holder(), released]).toEqual([null, [dead]]);
  await next.stop();
  expect(await api.db.read(async (q) => await q.select().from(instanceTable))).toEqual([]);
});

it('leaves what a process holds that may live, and frees it some seconds after its last sign', async () => {
  const dead = await killed();
  const first = instance(false);
  await first.start();
  expect([await holder(), released]).toEqual([dead, []]);
  expect(first.isAlive()).toBe(true);
  await first.stop();
  api.wait(21_000);
  const second = instance(false);
  await second.start();
  expect([await holder(), released]).toEqual([null, [dead]]);
  await second.stop();
});
