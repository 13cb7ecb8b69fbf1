import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer } from '../../../test/settlements.ts';
import type { NewCustomer } from '../../people/customers/customer.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PATH = '/visit/whitelist';

describe('covering a visit', () => {
  it('covers the whole of it, at its site', async () => {
    const other = await api.addSite('Airport');
    const before = await api.changes(other);
    const visit = await api.visit({ plate: 'ABX12' });
    const entry = await api.made(`/visit/${visit.id}/whitelist`, { reason: 'Guest' });
    expect(entry).toMatchObject({
      plate: 'ABX12',
      type: 'visit',
      visitId: visit.id,
      siteId: api.site.id,
      reason: 'Guest',
    });
    expect(await api.lastChange()).toMatchObject({ item: { type: 'visit', visitId: visit.id } });
    expect(await api.changes(other)).toEqual(before);
    const again = await api.call('POST', `/visit/${visit.id}/whitelist`, { body: { reason: 'Guest' } });
    expect([again.status, again.body['id']]).toEqual([422, entry.id]);
    expect(await api.plates(`${PATH}?type=temporary`)).toEqual(['ABX12']);
  });

  it('until a moment covers from the start', async () => {
    const visit = await api.visit();
    const body = { reason: 'Guest', expireOn: '2026-11-21T14:00:00Z' };
    expect(await api.made(`/visit/${visit.id}/whitelist`, body)).toMatchObject({
      type: 'time',
      visitId: null,
      activeFrom: visit.startedAt,
      expireOn: '2026-11-21T14:00:00.000Z',
    });
  });

  it('goes with the plate when that is corrected', async () => {
    const visit = await api.visit({ plate: 'ABX12' });
    const { id } = await api.made(`/visit/${visit.id}/whitelist`, { reason: 'Guest' });
    await api.call('PUT', `/visit/${visit.id}`, { body: { plate: 'ABX13' } });
    expect((await api.call('GET', `${PATH}/${id}`)).body['plate']).toBe('ABX13');
    expect((await api.changes()).slice(-2)).toMatchObject([
      { kind: 'visit-edit', item: { plate: 'ABX13' } },
      { kind: 'permit', id, item: { plate: 'ABX13' } },
    ]);
  });

  it('of an account with free time gives that much and no more', async () => {
    const customer = { customerId: 'c1', options: { 'free-parking-time': 120 } };
    const token = await api.account('customer', customer);
    const visit = await api.visit();
    const path = `/visit/${visit.id}/whitelist`;
    const call = (body: object) => api.call('POST', path, { token, body: { reason: 'Guest', ...body } });
    expect((await call({})).status).toBe(404);
    await api.giveVisit(visit.id, 'c1');
    expect((await call({ type: 'visit' })).body['messages']).toEqual([
      'type: your account gives 120 minutes of a visit, not the whole',
    ]);
    expect((await call({ expireOn: '2026-11-21T10:00:00.001Z' })).status).toBe(400);
    const given = await call({});
    expect(given.status).toBe(303);
    expect(given.body).toMatchObject({ type: 'time', expireOn: '2026-11-21T10:00:00.000Z' });
  });

  it.each([
    ['without a plate', { plate: null, status: 'need-plate' } as const, {}, 'The visit has no plate yet.'],
    ['that is completed', { status: 'completed' } as const, {}, 'The visit is completed.'],
    [
      'until before it began',
      {},
      { expireOn: '2026-11-21T07:00:00Z' },
      'expireOn: the end is after the start of the visit',
    ],
    ['for a time without an end', {}, { type: 'time' }, 'expireOn: an entry of type time has an end'],
  ])('%s is refused', async (_what, fields, body, message) => {
    const visit = await api.visit(fields);
    const answer = await api.call('POST', `/visit/${visit.id}/whitelist`, { body: { reason: 'x', ...body } });
    expect([answer.status, answer.body['messages']]).toEqual([400, [message]]);
  });

  it('that is not there is 404', async () => {
    expect((await api.call('POST', '/visit/none/whitelist', { body: { reason: 'x' } })).status).toBe(404);
  });
});

describe('what a customer gives by itself', () => {
  const call = async (
    visitId: string,
    options: AccountOptions,
    terms: NonNullable<NewCustomer['options']>,
  ) => {
    const customerId = await addCustomer(api, terms);
    await api.giveVisit(visitId, customerId);
    const token = await api.account('customer', { customerId, options });
    return await api.call('POST', `/visit/${visitId}/whitelist`, { token, body: { reason: 'Guest' } });
  };
  const ended = { status: 'need-payment', endedAt: '2026-11-21T11:00:00.000Z' } as const;

  it('is nothing for a visit that has ended, whose amount stays due: no permit for later stays comes of it', async () => {
    const visit = await api.visit({ plate: 'ABX12', ...ended });
    const answer = await call(visit.id, { maxPermits: 5 }, {});
    expect([answer.status, answer.body['codes']]).toMatchObject([400, [{ code: 'visit-has-ended' }]]);
    const free = await call(visit.id, { 'free-parking-time': 60 }, {});
    expect(free.body['codes']).toMatchObject([{ code: 'visit-has-ended' }]);
    const operators = await api.call('POST', `/visit/${visit.id}/whitelist`, { body: { reason: 'Guest' } });
    expect(operators.body['codes']).toMatchObject([{ code: 'visit-has-ended' }]);
    expect(await api.plates(PATH)).toEqual([]);
  });

  it.each(['daily', 'monthly'] as const)(
    'is nothing where it is billed %s, unless its options decide so',
    async (billingMethod) => {
      const visit = await api.visit({ plate: 'ABX12' });
      const refused = await call(visit.id, {}, { billingMethod });
      expect([refused.status, refused.body['codes']]).toMatchObject([
        400,
        [{ code: 'no-permits-with-terms' }],
      ]);
      const customerId = await addCustomer(api, { billingMethod });
      const token = await api.account('customer', { customerId });
      const body = { plate: 'MKJ45', reason: 'Guest' };
      const plain = await api.call('POST', PATH, { token, body });
      expect(plain.body['codes']).toMatchObject([{ code: 'no-permits-with-terms' }]);
      expect(await api.plates(PATH)).toEqual([]);
      expect((await call(visit.id, { maxPermits: 1 }, { billingMethod })).status).toBe(303);
    },
  );

  it('is a day from now where nobody bills it', async () => {
    const visit = await api.visit({ plate: 'ABX12' });
    const given = await call(visit.id, {}, {});
    expect(given.body).toMatchObject({ type: 'time', activeFrom: api.now() });
  });
});
