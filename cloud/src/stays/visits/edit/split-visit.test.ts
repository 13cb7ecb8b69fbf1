import type { Visit } from '@hlid/protocol/records/visit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' });
});
afterEach(() => api.close());

const START = '2026-11-18T08:00:00.000Z';
const AT = '2026-11-20T10:00:00.000Z';
const reason = 'Seen outside';
const split = (id: string, body: object) => api.call('POST', `/visit/${id}/split`, { body });
const get = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;

it('makes two of a visit that goes on: the first waits for a person, the second goes on', async () => {
  const visit = await api.visit({ startedAt: START });
  const answer = await split(visit.id, { at: AT, reason });
  const { id } = answer.body;
  expect([answer.status, answer.location]).toEqual([303, `/visit/${id}`]);
  expect(answer.body).toMatchObject({
    plate: 'ABX12',
    status: 'new',
    startedOn: AT,
    endedOn: null,
    history: [{ from: null, to: 'new', reason: `split from visit ${visit.id}: ${reason}` }],
  });
  expect(await get(visit.id)).toMatchObject({
    status: 'need-payment',
    startedOn: START,
    endedOn: AT,
    price: { amount: 1500 },
    history: [{ from: 'new', to: 'need-payment', reason: `split, visit ${id} goes on: ${reason}` }],
  });
  expect((await api.changes()).slice(-2)).toMatchObject([
    { kind: 'visit-edit', item: { visitId: visit.id, endedAt: AT, status: 'need-payment' } },
    { kind: 'visit', id, item: { visit: { id, startedAt: AT, endedAt: null } } },
  ]);
  expect((await api.audited()).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['visit.split', 'visit.create']),
  );
});

it('of one that has left, each is priced for its own time', async () => {
  const ended: Partial<Visit> = { endedAt: '2026-11-21T08:00:00.000Z', exitLaneId: 'out-1' };
  const visit = await api.visit({ startedAt: START, status: 'need-payment', ...ended });
  const { body } = await split(visit.id, { at: AT, reason, plate: 'MKJ45' });
  expect(body).toMatchObject({
    plate: 'MKJ45',
    status: 'need-payment',
    endedOn: ended.endedAt,
    price: { amount: 500 },
  });
  expect(await get(visit.id)).toMatchObject({ endedOn: AT, price: { amount: 1500 } });
});

it('what owes nothing is completed', async () => {
  const visit = await api.visit({ startedAt: START, status: 'need-payment' });
  await api.made(`/visit/${visit.id}/whitelist`, { type: 'visit', reason: 'Guest' });
  await split(visit.id, { at: AT, reason });
  expect(await get(visit.id)).toMatchObject({ status: 'completed', endedOn: AT, price: null });
});

describe('is refused', () => {
  it.each([
    [{ unitsMet: 1 }, {}, 'cannot be divided'],
    [
      { status: 'completed', paymentStatus: 'company-invoice', endedAt: '2026-11-21T08:00:00.000Z' },
      {},
      'divided',
    ],
    [{ quota: { id: 'q', units: 1 } }, {}, 'cannot be divided'],
    [
      { status: 'completed', paymentStatus: 'void', endedAt: '2026-11-21T08:00:00.000Z' },
      {},
      'reopen it first',
    ],
    [{ plate: null, status: 'need-plate' }, {}, 'no plate yet'],
    [{}, { at: START }, 'at: between its start'],
    [{}, { at: '2026-11-21T12:00:00.000Z' }, 'at: between its start'],
    [{}, { reason: '' }, 'reason:'],
    [{}, { plate: 'MKJ45' }, 'MKJ45 is inside already'],
  ] satisfies [Partial<Visit>, object, string][])('of %o with %o', async (fields, body, message) => {
    await api.visit({ plate: 'MKJ45' });
    const visit = await api.visit({ startedAt: START, ...fields });
    const [changes, before] = [await api.changes(), await get(visit.id)];
    const answer = await split(visit.id, { at: AT, reason, ...body });
    expect([answer.status, answer.body['messages']]).toEqual([400, [expect.stringContaining(message)]]);
    expect(await api.changes()).toEqual(changes);
    expect(await get(visit.id)).toEqual(before);
  });

  it('of one that is not there, and to all but operators', async () => {
    expect((await split('none', { at: AT, reason })).status).toBe(404);
    const visit = await api.visit({ startedAt: START });
    await api.giveVisit(visit.id, 'c1');
    const token = await api.account('customer', { customerId: 'c1' });
    const answer = await api.call('POST', `/visit/${visit.id}/split`, { token, body: { at: AT, reason } });
    expect(answer.status).toBe(403);
  });
});
