import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { idsIn } from '../../../test/accounts.ts';
import type { Json } from '../../../test/api.ts';
import { NEW, useLogins } from '../../../test/logins.ts';
import type { AccountOptions } from '../../records/accounts/account-table.ts';

const logins = useLogins();
const LIMITS = { maxPermits: 3, expireTime: 600 };
const MANAGER = { ...LIMITS, managesStaff: true };
const ActionsSchema = z.looseObject({ actions: z.array(z.string()) });

/** A person of a partner who manages its people. */
async function newManager(customerId: string, options: AccountOptions = MANAGER) {
  const id = randomUUID();
  return { id, token: await logins.api.account('partner', { id, customerId, options }) };
}

const newCustomer = async (name: string) =>
  (await logins.api.made('/customers', { customer: { name, language: 'is' } })).id;

async function newAccount(fields: Json): Promise<string> {
  return (await logins.api.made('/accounts', { account: { status: 'active', name: 'Birna', ...fields } })).id;
}

function invite(token: string, email: string, fields: Json = {}) {
  return logins.api.call('POST', '/staff', {
    token,
    body: { name: 'Jón', email, language: 'is', ...fields },
  });
}

/** @returns the id of the account */
async function invited(token: string, email: string): Promise<string> {
  const answer = await invite(token, email);
  expect(answer.status).toBe(303);
  return z.object({ id: z.string() }).loose().parse(answer.body).id;
}

async function accept(email: string): Promise<string> {
  const form = new URLSearchParams({ token: await logins.linkToken(), password: NEW, lang: 'is' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await logins.api.app.request('/recover', { method: 'POST', body: form.toString(), headers });
  return await logins.tokenOf({ id: email, password: NEW });
}

const leave = (token: string, id: string, body: Json = {}) =>
  logins.api.call('POST', `/accounts/${id}/leave`, { token, body });
const statusOf = async (id: string) => (await logins.api.call('GET', `/accounts/${id}`)).body['status'];
const actionsOf = async (token: string, id: string) =>
  ActionsSchema.parse((await logins.api.call('GET', `/accounts/${id}`, { token })).body).actions;

it('invites a person, who works within the limits of the manager until the manager lets them leave', async () => {
  const customerId = await newCustomer('Hótelið ehf.');
  const { id: managerId, token } = await newManager(customerId);
  const id = await invited(token, 'jon@example.is');
  const { body } = await logins.api.call('GET', `/accounts/${id}`);
  expect(body).toMatchObject({ role: 'partner', status: 'active', customer: { id: customerId } });
  expect(body['options']).toEqual(LIMITS);
  expect(await actionsOf(token, id)).toEqual(['leave', 'invite']);
  const person = await accept('jon@example.is');
  expect(await logins.works(person)).toBe(true);
  expect(await actionsOf(token, id)).toEqual(['leave']);
  const permit = { plate: 'ABX12', reason: 'Guest' };
  expect((await logins.api.call('POST', '/visit/whitelist', { token: person, body: permit })).status).toBe(
    303,
  );
  const leaving = { tokens: 1, permits: 1, outcome: 'end' };
  expect((await logins.api.call('GET', `/accounts/${id}/leave`, { token })).body).toEqual(leaving);
  expect(await leave(token, id)).toMatchObject({ status: 200, body: leaving });
  expect(await logins.works(person)).toBe(false);
  const audited = (await logins.api.audited()).filter(({ subjectId }) => subjectId === id);
  expect(audited.map(({ action, by }) => [action, by])).toEqual(
    expect.arrayContaining([
      ['account.create', `account:${managerId}`],
      ['login.create', `account:${managerId}`],
      ['account.update', `account:${managerId}`],
    ]),
  );
});

it('sends the link again, by the address that was invited only', async () => {
  const { token } = await newManager(await newCustomer('Hótelið ehf.'));
  const id = await invited(token, 'jon@example.is');
  const again = (email: string) =>
    logins.api.call('POST', `/accounts/${id}/invite`, { token, body: { email, language: 'is' } });
  expect((await again('another@example.is')).status).toBe(400);
  expect((await again('jon@example.is')).status).toBe(303);
  expect((await logins.mails()).map(({ to, kind }) => [to, kind])).toEqual([
    ['jon@example.is', 'invitation'],
    ['jon@example.is', 'invitation'],
  ]);
  await accept('jon@example.is');
  expect((await again('jon@example.is')).status).toBe(403);
});

it('is refused to everybody who was not given the right, and ends with it', async () => {
  const customerId = await newCustomer('Hótelið ehf.');
  const others = [
    await logins.api.account('partner', { customerId, options: LIMITS }),
    await logins.api.account('whitelist', { customerId, options: MANAGER }),
    await logins.api.account('partner', { options: MANAGER }),
    logins.api.operator,
  ];
  for (const token of others) expect((await invite(token, 'jon@example.is')).status).toBe(403);
  const { id, token } = await newManager(customerId);
  const person = await invited(token, 'jon@example.is');
  await logins.api.call('PUT', `/accounts/${id}`, { body: { options: { managesStaff: null } } });
  expect((await invite(token, 'anna2@example.is')).status).toBe(403);
  expect((await leave(token, person)).status).toBe(403);
});

it('does not reach accounts of others, of another role, or with larger limits', async () => {
  const [customerId, other] = [await newCustomer('Hótelið ehf.'), await newCustomer('Bílaverkstæðið ehf.')];
  const { token } = await newManager(customerId);
  const operator = await newAccount({ role: 'operator' });
  const theirs = await newAccount({ role: 'partner', customerId: other, options: LIMITS });
  const strangers = [operator, theirs];
  const colleagues = [
    await newAccount({ role: 'customer', customerId, options: LIMITS }),
    await newAccount({ role: 'whitelist', customerId, options: LIMITS }),
    await newAccount({ role: 'partner', customerId, options: { ...LIMITS, maxPermits: 4 } }),
    await newAccount({ role: 'partner', customerId }),
  ];
  const body = { email: 'x@example.is', language: 'is' };
  for (const [ids, status] of [
    [strangers, 404],
    [colleagues, 403],
  ] as const) {
    for (const id of ids) {
      expect((await leave(token, id)).status).toBe(status);
      expect((await logins.api.call('GET', `/accounts/${id}/leave`, { token })).status).toBe(status);
      expect((await logins.api.call('POST', `/accounts/${id}/invite`, { token, body })).status).toBe(status);
      expect(await statusOf(id)).toBe('active');
    }
  }
  const seen = await idsIn(logins.api, '/accounts', token);
  expect(seen).toEqual(expect.arrayContaining(colleagues));
  expect(seen.filter((id) => strangers.includes(id))).toEqual([]);
  const own = await newAccount({ role: 'partner', customerId, options: LIMITS });
  expect((await leave(token, own, { permitsTo: operator })).status).toBe(403);
  expect((await leave(token, own, { permitsTo: theirs })).status).toBe(403);
  expect(await statusOf(own)).toBe('active');
});

it('gives neither more than the own limits nor the right itself', async () => {
  const customerId = await newCustomer('Hótelið ehf.');
  const { id: managerId, token } = await newManager(customerId);
  for (const fields of [
    { options: { maxPermits: 100 } },
    { options: { managesStaff: true } },
    { role: 'operator' },
    { customerId: await newCustomer('Bílaverkstæðið ehf.') },
    { password: NEW },
  ]) {
    expect((await invite(token, 'jon@example.is', fields)).status).toBe(400);
  }
  const id = await invited(token, 'jon@example.is');
  const person = await accept('jon@example.is');
  expect((await invite(person, 'third@example.is')).status).toBe(403);
  for (const account of [id, managerId]) {
    const edit = { body: { options: { maxPermits: 100 } }, token };
    expect([400, 403]).toContain((await logins.api.call('PUT', `/accounts/${account}`, edit)).status);
  }
  const login = { email: 'second@example.is', password: NEW };
  const calls = [
    ['POST', '/accounts', { account: { role: 'partner', status: 'active', customerId } }],
    ['DELETE', `/accounts/${id}`, undefined],
    ['POST', `/accounts/${id}/logins`, login],
    ['GET', `/accounts/${id}/logins`, undefined],
    ['GET', `/accounts/${id}/tokens`, undefined],
    ['POST', `/accounts/${id}/change-password`, { tokenId: await logins.loginId(id), password: NEW }],
  ] as const;
  for (const [method, path, body] of calls) {
    const { status } = await logins.api.call(method, path, body === undefined ? { token } : { token, body });
    expect(status, `${method} ${path}`).toBe(403);
  }
});

it('does not say whose an address is that logs in already', async () => {
  const { token } = await newManager(await newCustomer('Hótelið ehf.'));
  await logins.register('b@example.is');
  const { status, body } = await invite(token, 'b@example.is');
  expect([status, body['codes']]).toEqual([400, [{ code: 'address-taken', path: ['email'], params: {} }]]);
});

it('keeps the last manager of a customer’s people, whom an operator can let leave', async () => {
  const customerId = await newCustomer('Hótelið ehf.');
  const [first, second] = [await newManager(customerId), await newManager(customerId)];
  expect((await leave(first.token, second.id)).status).toBe(200);
  const refused = await leave(first.token, first.id);
  expect(refused).toMatchObject({ status: 400, body: { codes: [{ code: 'last-manager' }] } });
  expect(await statusOf(first.id)).toBe('active');
  expect((await leave(logins.api.operator, first.id)).status).toBe(200);
  expect(await logins.works(first.token)).toBe(false);
});

it('is given by operators who have the people and the permits of its sites', async () => {
  const customerId = await newCustomer('Hótelið ehf.');
  const account = { role: 'partner', status: 'active', customerId, options: MANAGER };
  const give = async (permissions: ('people' | 'visits')[], siteIds: string[] | null = null) => {
    const token = await logins.api.account('operator', { permissions, siteIds });
    return (await logins.api.call('POST', '/accounts', { token, body: { account } })).status;
  };
  expect(await give(['people'])).toBe(400);
  expect(await give(['people', 'visits'])).toBe(303);
});

it('is not a limit of permits: people of a customer that is billed still give none', async () => {
  const { id: customerId } = await logins.api.made('/customers', {
    customer: { name: 'Hótelið ehf.', language: 'is', options: { billingMethod: 'monthly' } },
  });
  const { token } = await newManager(customerId, { managesStaff: true });
  await invited(token, 'jon@example.is');
  const person = await accept('jon@example.is');
  for (const author of [token, person]) {
    const body = { plate: 'ABX12', reason: 'Guest' };
    expect((await logins.api.call('POST', '/visit/whitelist', { token: author, body })).status).toBe(400);
  }
});
