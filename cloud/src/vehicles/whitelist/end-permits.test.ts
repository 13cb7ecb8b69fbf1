import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { permitEndJob } from './end-permits.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PATH = '/visit/whitelist';
const run = async () => {
  const job = permitEndJob(api.db);
  if (await job.isDue?.(api.now())) await job.work({ now: api.now(), signal: new AbortController().signal });
};

async function addAccount(fields: Json): Promise<string> {
  return (await api.made('/accounts', { account: { status: 'active', ...fields } })).id;
}

it.each<[string, (id: string) => Promise<{ status: number }>]>([
  ['deactivated', (id) => api.call('PUT', `/accounts/${id}`, { body: { status: 'inactive' } })],
  ['deleted', (id) => api.call('DELETE', `/accounts/${id}`)],
])('the permits of an account that is %s end, and others stay', async (_what, end) => {
  const id = await addAccount({ role: 'whitelist' });
  const other = await addAccount({ role: 'whitelist' });
  // More than are ended in one transaction.
  for (let n = 0; n < 60; n++) await api.made(PATH, { plate: `AB${n}`, reason: 'x', authorId: id });
  const kept = await api.made(PATH, { plate: 'CD1', reason: 'x', authorId: id });
  await api.call('PUT', `${PATH}/${kept.id}`, { body: { authorId: other } });
  await api.made(PATH, { plate: 'CD2', reason: 'x' });
  expect([204, 303]).toContain((await end(id)).status);
  await run();
  expect((await api.plates(PATH)).sort()).toEqual(['CD1', 'CD2']);
  expect(
    (await api.changes()).filter((change) => change.kind === 'permit' && change.op === 'remove'),
  ).toHaveLength(60);
  const audited = (await api.audited()).filter(({ action }) => action === 'whitelist.delete');
  expect(audited).toHaveLength(60);
  // It was done once.
  await run();
  expect((await api.audited()).filter(({ action }) => action === 'whitelist.delete')).toHaveLength(60);
});

it('what an operator has listed stays when the operator leaves', async () => {
  const id = await addAccount({ role: 'operator' });
  await api.made(PATH, { plate: 'AB1', reason: 'x', authorId: id });
  expect((await api.call('DELETE', `/accounts/${id}`)).status).toBe(204);
  await run();
  expect(await api.plates(PATH)).toEqual(['AB1']);
});
