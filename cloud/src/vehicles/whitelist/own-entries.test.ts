import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PATH = '/visit/whitelist';
const STAFF = { plate: 'ab-x 12', reason: 'Staff' };

describe('entries of others', () => {
  it('are not there for a customer, a partner, or a whitelist user', async () => {
    const holders: Record<string, string> = {
      one: await api.account('customer', { customerId: 'c1' }),
      two: await api.account('partner', { customerId: 'c2' }),
      three: await api.account('whitelist'),
      four: await api.account('whitelist'),
      five: await api.roleToken('whitelist'),
    };
    const own: Record<string, string> = {};
    for (const [name, token] of Object.entries(holders)) {
      own[name] = (await api.made(PATH, { plate: `OF${name}`, reason: name }, { token })).id;
    }
    for (const [name, token] of Object.entries(holders)) {
      expect(await api.plates(PATH, { token }), name).toEqual([`OF${name.toUpperCase()}`]);
      for (const [other, id] of Object.entries(own)) {
        const expected = other === name ? [200, 303, 204] : [404, 404, 404];
        const got = await api.call('GET', `${PATH}/${id}`, { token });
        const put = await api.call('PUT', `${PATH}/${id}`, { token, body: { reason: `${name} was here` } });
        const gone = other === name ? { status: 204 } : await api.call('DELETE', `${PATH}/${id}`, { token });
        expect([got.status, put.status, gone.status], `${name} at ${other}`).toEqual(expected);
      }
    }
    expect(await api.plates(PATH)).toHaveLength(5);
  });

  it('say nothing of themselves: the same plate may be listed by each, once', async () => {
    const one = await api.account('customer', { customerId: 'c1' });
    const two = await api.account('customer', { customerId: 'c2' });
    const alone = await api.account('whitelist');
    for (const token of [one, two, api.operator, alone]) {
      const first = await api.call('POST', PATH, { token, body: STAFF });
      expect(first.status).toBe(303);
      const again = await api.call('POST', PATH, { token, body: STAFF });
      expect([again.status, again.body['id']]).toEqual([422, first.body['id']]);
    }
    const assigned = await api.account('whitelist', { customerId: 'c1', id: 'anna' });
    expect((await api.call('POST', PATH, { token: assigned, body: STAFF })).status).toBe(422);
  });

  it('are shared by the accounts of a customer', async () => {
    const [one, two] = [
      await api.account('customer', { customerId: 'c1' }),
      await api.account('whitelist', { customerId: 'c1' }),
    ];
    await api.made(PATH, STAFF, { token: one });
    expect(await api.plates(PATH, { token: two })).toEqual(['ABX12']);
  });

  it('stay with the customer when who made them acts for it no more', async () => {
    const { id: customerId } = await api.made('/customers', { customer: { language: 'is' } });
    const token = await api.account('customer', { customerId, id: 'anna' });
    const { id } = await api.made(PATH, STAFF, { token });
    const detached = await api.call('PUT', '/accounts/anna', { body: { customerId: 'remove' } });
    expect(detached.status).toBe(303);
    const after = await api.renewed('anna');
    expect(await api.plates(PATH, { token: after })).toEqual([]);
    expect((await api.call('GET', `${PATH}/${id}`, { token: after })).status).toBe(404);
    const own = await api.made(PATH, { ...STAFF, reason: 'Her own' }, { token: after });
    expect(own['reason']).toBe('Her own');
  });

  it('may be assigned by an operator, and by no other; only operators block', async () => {
    const token = await api.account('customer', { customerId: 'c1', id: 'anna' });
    const entry = await api.made(PATH, { ...STAFF, authorId: 'anna' });
    expect(entry).toMatchObject({ authorId: 'anna', author: { id: 'anna', name: 'customer' } });
    expect(await api.plates(PATH, { token })).toEqual(['ABX12']);
    const refused = await api.call('POST', PATH, {
      token,
      body: { ...STAFF, authorId: 'the-operator', objectType: 'block' },
    });
    expect(refused.body['messages']).toEqual(['authorId: only operators may set it']);
    const block = await api.call('POST', PATH, { token, body: { ...STAFF, objectType: 'block' } });
    expect(block.body['messages']).toEqual(['objectType: only operators may block a plate']);
    const blocked = await api.made(PATH, {
      plate: 'BAD66',
      reason: 'x',
      objectType: 'block',
      authorId: 'anna',
    });
    expect((await api.call('DELETE', `${PATH}/${blocked.id}`, { token })).status).toBe(400);
  });

  it('of an account, which an operator makes, expire as it has it, and without limits', async () => {
    await api.account('whitelist', { id: 'anna', options: { expireTime: 90 } });
    const until = (minutes: number) => new Date(Date.parse(api.now()) + minutes * MINUTE_MS).toISOString();
    const assigned = { ...STAFF, authorId: 'anna' };
    expect(await api.made(PATH, assigned)).toMatchObject({ activeFrom: null, expireOn: until(90) });
    const forEver = { plate: 'MKJ45', reason: 'x', expireOn: null, authorId: 'anna' };
    expect(await api.made(PATH, forEver)).toMatchObject({ expireOn: null });
  });
});
