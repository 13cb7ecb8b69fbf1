import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { desc } from '../../../platform/db/sql.ts';
import { integrationEventTable } from '../../../records/webhooks/integration-event-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const STARTED = '2026-11-21T08:00:00.000Z';
const begin = (body: object, token?: string) =>
  api.call('POST', '/visits', { body, ...(token !== undefined && { token }) });

it('begins at its site, with history, audit and an event for integrators', async () => {
  const id = randomUUID();
  const answer = await begin({ id, startedOn: STARTED, plate: 'ab-x12', status: 'new', reason: 'Gate open' });
  expect([answer.status, answer.location]).toEqual([303, `/visit/${id}`]);
  const step = { from: null, to: 'new', reason: 'Gate open', by: 'account:the-operator', at: api.now() };
  expect(answer.body).toMatchObject({
    id,
    siteId: api.site.id,
    plate: 'ABX12',
    startedOn: STARTED,
    createdOn: api.now(),
    history: [step],
  });
  expect((await api.call('GET', `/visit/${id}`)).body).toEqual(answer.body);
  expect(await api.lastChange()).toMatchObject({
    kind: 'visit',
    id,
    item: {
      visit: { id, plate: 'ABX12', status: 'new', startedAt: STARTED, entryLaneId: null, quota: null },
      reason: 'Gate open',
    },
  });
  const audited = (await api.audited()).find(({ action }) => action === 'visit.create');
  expect(audited).toMatchObject({ subjectId: id, before: null, reason: 'Gate open' });
  const reported = await api.db.read(
    async (q) => await q.select().from(integrationEventTable).orderBy(desc(integrationEventTable.n)).get(),
  );
  expect(reported).toMatchObject({ type: 'visit.opened', subjectId: id });
});

it('without a plate it needs one', async () => {
  const answer = await begin({ startedOn: STARTED, status: 'need-plate' });
  expect(answer.body).toMatchObject({ plate: null, status: 'need-plate', flags: ['unreadable-plate'] });
});

it('the same once more, and a plate that is inside, are there already', async () => {
  const id = randomUUID();
  await begin({ id, startedOn: STARTED, plate: 'ABX12' });
  const same = await begin({ id, startedOn: STARTED, plate: 'MKJ45' });
  expect([same.status, same.body['id']]).toEqual([422, id]);
  const inside = await begin({ startedOn: STARTED, plate: 'ABX12' });
  expect([inside.status, inside.body['id']]).toEqual([422, id]);
  const other = await api.addSite('Airport');
  expect((await begin({ startedOn: STARTED, plate: 'ABX12', siteId: other.id })).status).toBe(303);
});

it('belongs to the custodian of the vehicle at that time', async () => {
  const customer = await api.made('/customers', {
    account: { role: 'customer', status: 'active', name: 'x' },
    customer: { name: 'Bílar', language: 'is' },
  });
  const custody = { plate: 'ABX12', customerId: customer.id, dateFrom: '2026-11-01T00:00:00Z' };
  await api.made('/custodians', custody);
  const answer = await begin({ startedOn: STARTED, plate: 'ABX12' });
  expect(answer.body['customer']).toEqual({ id: customer.id, name: 'Bílar' });
});

it.each([
  [{}, ['startedOn: is required']],
  [{ startedOn: '2026-11-21T12:00:00.001Z', plate: 'ABX12' }, ['startedOn: it is in the future']],
  [{ startedOn: '2025-11-01T12:00:00Z', plate: 'ABX12' }, ['startedOn: it is more than a year ago']],
  [{ startedOn: STARTED }, ['plate: is required, unless status is need-plate']],
  [{ startedOn: STARTED, status: 'new' }, ['plate: is required, unless status is need-plate']],
  [
    { startedOn: STARTED, plate: 'A1', status: 'need-plate' },
    ['status: need-plate is for a visit without one'],
  ],
  [{ startedOn: STARTED, plate: 'A1', status: 'completed' }, [expect.stringContaining('status:')]],
  [{ startedOn: STARTED, plate: 'A1', id: '7' }, [expect.stringContaining('id:')]],
  [
    { startedOn: '2027-01-01T00:00:00Z', plate: 'A1', siteId: 'none' },
    ['siteId: there is no such site', 'startedOn: it is in the future'],
  ],
  [{ startedOn: STARTED, plate: 'A1', colour: 'red' }, [expect.stringContaining('“colour”')]],
])('%o is refused', async (body, messages) => {
  const answer = await begin(body);
  expect([answer.status, answer.body['messages']]).toEqual([400, messages]);
});

it('a webhook follows its Location, and reads others by its own token', async () => {
  const token = await api.roleToken('webhook');
  const answer = await begin({ startedOn: STARTED, plate: 'ABX12' }, token);
  expect(answer.status).toBe(303);
  expect(answer.location).toMatch(/^\/visit\/[\w-]+\?access_token=\S+$/);
  const followed = await api.call('GET', answer.location ?? '', { token: null });
  expect([followed.status, followed.body['plate']]).toEqual([200, 'ABX12']);
  const other = await api.visit({ plate: 'MKJ45' });
  const query = answer.location?.split('?')[1];
  expect((await api.call('GET', `/visit/${other.id}?${query}`, { token: null })).status).not.toBe(200);
  expect((await api.call('GET', `/visit/${other.id}`, { token })).status).toBe(200);
  for (const role of ['customer', 'partner', 'whitelist'] as const) {
    expect((await begin({ startedOn: STARTED, plate: 'A1' }, await api.account(role))).status).toBe(403);
  }
});
