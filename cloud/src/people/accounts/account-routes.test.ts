import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { account, idsIn, logIn, PASSWORD, register } from '../../../test/accounts.ts';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';

const CUSTOMER = { name: 'Bílaleigan ehf.', ssn: '530575-0209', language: 'is' };

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const works = async (token: string) => (await api.call('GET', '/ping/token', { token })).status === 200;

describe('a new account', () => {
  it('has a new customer and a first login, which works', async () => {
    const answer = await api.call('POST', '/accounts', {
      body: {
        account: account({ comment: 'pays late', options: { expireTime: 60 } }),
        customer: CUSTOMER,
        authentication: { email: 'Anna@Example.is', password: PASSWORD, ssn: '120160-3389' },
      },
    });
    expect(answer.status).toBe(303);
    const id = String(answer.body['id']);
    expect(answer.location).toBe(`/accounts/${id}`);
    const got = await api.call('GET', `${answer.location}?include=customer,logins`);
    expect(got.body).toEqual({
      id,
      role: 'customer',
      status: 'active',
      name: 'Anna',
      comment: 'pays late',
      createdOn: api.now(),
      options: { expireTime: 60 },
      customer: expect.objectContaining({ name: 'Bílaleigan ehf.', ssn: '5305750209' }),
      logins: [
        {
          tokenId: expect.any(String),
          accountId: id,
          email: 'anna@example.is',
          ssn: '1201603389',
          expire: null,
          hasPassword: true,
          createdOn: api.now(),
        },
      ],
      actions: [
        'rename',
        'edit',
        'deactivate',
        'leave',
        'delete',
        'invite',
        'add-login',
        'move-login',
        'delete-login',
        'set-password',
        'end-session',
      ],
    });
    expect(await works(await logIn(api, 'anna@example.is'))).toBe(true);
  });

  it('needs but a role and a status, and may act for a customer that is there', async () => {
    const { customer } = await register(api, 'one@example.is');
    const body = { account: { role: 'partner', status: 'active', customerId: (customer as Json)['id'] } };
    expect(await api.made('/accounts', body)).toMatchObject({ role: 'partner', name: 'partner', customer });
  });

  it('has what its holder did last, for operators and for its holder', async () => {
    const { id } = await register(api, 'anna@example.is');
    const path = `/accounts/${id}?include=activity`;
    expect((await api.call('GET', path)).body).toMatchObject({ activity: { seenOn: null, last: null } });
    const token = await logIn(api, 'anna@example.is');
    await api.call('PUT', `/accounts/${id}`, { token, body: { name: 'Anna Jóns' } });
    const activity = { seenOn: api.now(), last: { action: 'account.update', on: api.now() } };
    expect((await api.call('GET', path)).body).toMatchObject({ activity });
    expect((await api.call('GET', path, { token })).body).toMatchObject({ activity });
    const customerId = ((await api.call('GET', path)).body['customer'] as Json)['id'];
    const other = { role: 'customer', customerId };
    await register(api, 'other@example.is', other, null);
    const { body } = await api.call('GET', path, { token: await logIn(api, 'other@example.is') });
    expect(body).not.toHaveProperty('activity');
  });

  it('is audited without its password', async () => {
    await register(api, 'anna@example.is');
    const audited = await api.audited();
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.create', 'login.create', 'customer.create']),
    );
    expect(JSON.stringify(audited)).not.toMatch(/argon2|kýr/);
  });

  it('by an email address that is taken is answered with the account of it, and nothing is made', async () => {
    const { id } = await register(api, 'anna@example.is');
    const body = {
      account: account(),
      customer: CUSTOMER,
      authentication: { email: 'ANNA@example.is', password: PASSWORD },
    };
    expect(await api.call('POST', '/accounts', { body })).toMatchObject({ status: 422, body: { id } });
    expect((await api.call('GET', '/customers')).body['total']).toBe(1);
    expect(await idsIn(api, '/accounts')).toHaveLength(2);
  });

  it('is not made where its customer is there already', async () => {
    const first = await register(api, 'one@example.is', {}, CUSTOMER);
    const body = { account: account(), customer: CUSTOMER };
    const answer = await api.call('POST', '/accounts', { body });
    expect(answer).toMatchObject({ status: 422, body: { id: (first['customer'] as Json)['id'] } });
    expect(await idsIn(api, '/accounts')).toHaveLength(2);
  });

  it('names everything that is wrong', async () => {
    const body = {
      account: { role: 'chief', status: 'active', tall: true },
      authentication: { email: 'nobody', password: 'short', ssn: '12' },
      more: 1,
    };
    const answer = await api.call('POST', '/accounts', { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual([
      expect.stringContaining('account.role'),
      expect.stringContaining('account: there is no field “tall”'),
      expect.stringContaining('authentication.email'),
      'authentication.password: must have at least 12 characters',
      'authentication.ssn: is not a national id',
      'There is no field “more”.',
    ]);
  });

  it.each([
    ['a customer that is not there', { account: account({ customerId: 'none' }) }, 'customerId: there is no'],
    [
      'two customers',
      { account: account({ customerId: 'none' }), customer: { language: 'is' } },
      'account.customerId: not beside',
    ],
  ])('of %s is refused', async (_what, body, message) => {
    const answer = await api.call('POST', '/accounts', { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual([expect.stringContaining(message)]);
  });

  it('is made by operators only', async () => {
    const token = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('POST', '/accounts', { token, body: { account: account() } })).status).toBe(403);
  });
});

describe('a change', () => {
  it('by an operator: all fields, audited; customerId is shown as customer, and taken off by remove', async () => {
    const { id, customer } = await register(api, 'anna@example.is');
    expect(customer).toMatchObject({ id: expect.any(String) });
    const body = { name: 'Anna J.', status: 'inactive', options: { 'free-parking-time': 30 }, comment: 'x' };
    const changed = await api.call('PUT', `/accounts/${id}`, { body: { ...body, customerId: 'remove' } });
    expect([changed.status, changed.location]).toEqual([303, `/accounts/${id}`]);
    expect(changed.body).toMatchObject({ ...body, customer: null });
    const [audited] = (await api.audited()).filter(({ action }) => action === 'account.update');
    expect(audited).toMatchObject({ before: { name: 'Anna', customer }, after: { ...body, customer: null } });
  });

  it.each([
    ['status', { status: 'inactive' }],
    ['role', { role: 'partner' }],
    ['customer', { customerId: 'remove' }],
  ])('of its %s ends its tokens, of its name not', async (_what, body) => {
    const { id } = await register(api, 'anna@example.is');
    const token = await logIn(api, 'anna@example.is');
    await api.call('PUT', `/accounts/${id}`, { body: { name: 'Anna J.' } });
    expect(await works(token)).toBe(true);
    await api.call('PUT', `/accounts/${id}`, { body });
    expect(await works(token)).toBe(false);
    await api.call('PUT', `/accounts/${id}`, { body: { status: 'active' } });
    expect(await works(token)).toBe(false);
  });

  it('by others: their own name and nothing else', async () => {
    const { id } = await register(api, 'anna@example.is');
    const token = await logIn(api, 'anna@example.is');
    const path = `/accounts/${id}`;
    const renamed = await api.call('PUT', path, { token, body: { name: 'Anna J.' } });
    expect(renamed).toMatchObject({ status: 303, body: { name: 'Anna J.' } });
    const refused = await api.call('PUT', path, {
      token,
      body: { role: 'operator', comment: 'x', name: 'B' },
    });
    expect(refused.status).toBe(400);
    expect(refused.body['messages']).toEqual([
      'role: only operators may change it',
      'comment: only operators may change it',
    ]);
    expect((await api.call('GET', path)).body).toMatchObject({ role: 'customer', name: 'Anna J.' });
  });

  it('of a colleague is denied, of another customer’s account there is nothing to change', async () => {
    const anna = await register(api, 'anna@example.is');
    const customerId = (anna['customer'] as Json)['id'];
    const colleague = await register(api, 'bo@example.is', { customerId }, null);
    const stranger = await register(api, 'cal@example.is');
    const token = await logIn(api, 'anna@example.is');
    const change = (id: string) => api.call('PUT', `/accounts/${id}`, { token, body: { name: 'x' } });
    expect((await change(colleague.id)).status).toBe(403);
    expect((await change(stranger.id)).status).toBe(404);
    expect((await change('none')).status).toBe(404);
  });

  it('of unknown fields is refused', async () => {
    const { id } = await register(api, 'anna@example.is');
    const { status, body } = await api.call('PUT', `/accounts/${id}`, {
      body: { nome: 'x', status: 'gone' },
    });
    expect(status).toBe(400);
    expect(body['messages']).toHaveLength(2);
  });
});

describe('the last active operator', () => {
  const path = '/accounts/the-operator';

  it.each([
    ['inactive', () => api.call('PUT', path, { body: { status: 'inactive' } })],
    ['another role', () => api.call('PUT', path, { body: { role: 'customer' } })],
    ['gone', () => api.call('DELETE', path)],
  ])('cannot be made %s', async (_what, change) => {
    await api.made('/accounts', { account: account({ role: 'operator', status: 'inactive' }) });
    const answer = await change();
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual([expect.stringContaining('last active operator')]);
    expect(await works(api.operator)).toBe(true);
    await api.made('/accounts', { account: account({ role: 'operator' }) });
    expect((await change()).status).toBeLessThan(400);
  });
});

it('two operators who take each other away at the same time: one stays', async () => {
  const other = await api.account('operator', { id: 'other-operator' });
  const answers = await Promise.all([
    api.call('DELETE', '/accounts/other-operator'),
    api.call('DELETE', '/accounts/the-operator', { token: other }),
  ]);
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
});

it('one email address for two accounts at the same time: one is made', async () => {
  const body = { account: account(), authentication: { email: 'anna@example.is', password: PASSWORD } };
  const answers = await Promise.all([1, 2].map(() => api.call('POST', '/accounts', { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
});

describe('a deleted account', () => {
  it('is gone with its logins and tokens; the audit log keeps it', async () => {
    const { id } = await register(api, 'anna@example.is');
    const token = await logIn(api, 'anna@example.is');
    expect((await api.call('DELETE', `/accounts/${id}`)).status).toBe(204);
    expect(await works(token)).toBe(false);
    expect((await api.call('GET', `/accounts/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `/accounts/${id}`)).status).toBe(404);
    expect(await api.audited()).toContainEqual(
      expect.objectContaining({ action: 'account.delete', subjectId: id, after: null }),
    );
    await register(api, 'anna@example.is');
  });

  it('was deleted by an operator', async () => {
    const token = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('DELETE', '/accounts/the-operator', { token })).status).toBe(403);
  });
});
