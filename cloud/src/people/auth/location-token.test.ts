import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { ALL_RIGHTS, type Caller } from '../../platform/http/caller.ts';
import { ScheduledRuns } from '../../platform/jobs/scheduled-runs.ts';
import { tokenTable } from '../../records/auth/token-table.ts';
import { withLocationToken } from './location-token.ts';
import { tokenCleanupJob } from './tokens.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const WEBHOOK: Caller = { kind: 'role', role: 'webhook', tokenId: 't1' };
const OPERATOR: Caller = {
  kind: 'account',
  accountId: 'a1',
  role: 'operator',
  customerId: null,
  tokenId: 't2',
  rights: ALL_RIGHTS,
};

const locate = (caller: Caller, path: string) =>
  api.db.write((tx) => withLocationToken(tx, caller, path, api.now()));

it('a caller that may create but not read follows its Location, there and nowhere else, for 15 minutes', async () => {
  const { id } = await api.visit();
  const other = await api.visit({ plate: 'XYZ99' });
  const location = await locate(WEBHOOK, `/visit/${id}`);
  const [, query = ''] = location.split('?');
  const read = async (path: string) => (await api.call('GET', path, { token: null })).status;
  expect(await read(location)).toBe(200);
  expect(await read(location)).toBe(200);
  expect(await read(`/visit/${other.id}?${query}`)).toBe(403);
  expect(await read(`/visits?${query}`)).toBe(401);
  expect((await api.call('PUT', location, { token: null, body: {} })).status).toBe(401);
  api.wait(15 * MINUTE_MS);
  expect(await read(location)).toBe(401);
});

it.each([
  ['who may read', OPERATOR, '/visit/v1'],
  ['of the cloud itself', { kind: 'cloud', part: 'billing' } as const, '/visit/v1'],
  ['whose Location no such token opens', WEBHOOK, '/accounts/a1'],
  ['whose Location is another route that looks the same', WEBHOOK, '/visit/whitelist'],
])('a caller %s gets the address as it is', async (_what, caller, path) => {
  expect(await locate(caller, path)).toBe(path);
});

it('no token of an address is logged', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const logged = await createTestApi({ log });
  try {
    const { id } = await logged.visit();
    const path = `/visit/${id}`;
    const token = await logged.locationToken(path);
    const photoToken = await logged.photoToken('a-camera');
    expect((await logged.call('GET', `${path}?access_token=${token}`, { token: null })).status).toBe(200);
    await logged.call('POST', `/photos/open-alpr?token=${photoToken}`, { token: null, body: '{' });
    await logged.call('GET', `${path}?access_token=${token}&x=1`, { token: null });
    expect(lines.length).toBeGreaterThan(0);
    for (const secret of [token, photoToken]) expect(lines.join('')).not.toContain(secret);
  } finally {
    await logged.close();
  }
});

it('tokens that have run out are taken away, others stay', async () => {
  await locate(WEBHOOK, '/visit/v1');
  api.wait(15 * MINUTE_MS + 1);
  const before = await api.db.read(async (q) => (await q.select().from(tokenTable)).length);
  const runs = new ScheduledRuns({ db: api.db, clock: api.clock, log: api.context.log }, [
    tokenCleanupJob(api.db),
  ]);
  runs.start();
  await runs.stop();
  const left = await api.db.read(async (q) => await q.select().from(tokenTable));
  expect([before, left.length]).toEqual([2, 1]);
  expect(left).toMatchObject([{ accountId: 'the-operator' }]);
});
