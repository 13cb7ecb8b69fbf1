import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_KEY, createTestApi, type TestApi } from '../../../test/api.ts';
import { eq } from '../../platform/db/sql.ts';
import { insertAccount } from '../../records/accounts/account-store.ts';
import { accountTable, loginTable } from '../../records/accounts/account-table.ts';
import { insertLogin } from '../../records/accounts/login-store.ts';
import { tokenTable } from '../../records/auth/token-table.ts';
import { hashPassword } from '../auth/password-hash.ts';
import { findToken, revokeToken } from '../auth/tokens.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  const passwordHash = await hashPassword('right');
  const createdAt = api.now();
  await api.db.write(async ({ q }) => {
    const dates = { createdAt, modifiedAt: createdAt };
    const account = { id: 'anna', role: 'customer', name: 'Anna', status: 'active', options: {} } as const;
    await insertAccount(q, { ...account, customerId: 'c1', ...dates });
    const login = { id: 'l1', accountId: 'anna', name: 'Anna@Example.is', ssn: null, passwordHash };
    await insertLogin(q, { ...login, expiresAt: null, createdAt });
  });
});
afterEach(() => api.close());

function logIn(
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = { 'x-api-key': API_KEY },
) {
  const body = {
    device_uuid: 'd1',
    provider: 'password',
    id: 'anna@example.is',
    password: 'right',
    ...fields,
  };
  return api.call('POST', '/auth/login', { token: null, body, headers });
}

describe('login by password', () => {
  it('gives a token and the account, and the token works', async () => {
    const answer = await logIn({ id: '  ANNA@example.is' });
    expect(answer.status).toBe(200);
    expect(answer.body['account']).toEqual({
      id: 'anna',
      role: 'customer',
      name: 'Anna',
      status: 'active',
      createdOn: api.now(),
      options: {},
      customer: { id: 'c1' },
    });
    const token = String(answer.body['access_token']);
    expect((await api.call('GET', '/ping/token', { token })).status).toBe(200);
    const stored = await api.db.read(async (q) => await q.select().from(tokenTable));
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('takes the national id of the holder in place of the address', async () => {
    const ssn = '1201603389';
    await api.db.write(({ q }) => Promise.resolve(q.update(loginTable).set({ ssn })));
    for (const id of ['120160-3389', '1201603389']) expect((await logIn({ id })).status).toBe(200);
    expect((await logIn({ id: '120160-3389', password: 'wrong' })).status).toBe(401);
    expect((await logIn({ id: '120160-3379' })).status).toBe(401);
  });

  it('says what has ended by it: the session of the same device', async () => {
    const ended = async (device: string) => (await logIn({ device_uuid: device })).body['endedSessions'];
    expect([await ended('d1'), await ended('d2'), await ended('d1'), await ended('d1')]).toEqual([
      0, 0, 1, 1,
    ]);
  });

  it('says the same whatever is wrong', async () => {
    const wrong = [await logIn({ password: 'wrong' }), await logIn({ id: 'nobody' })];
    await api.db.write(({ q }) => Promise.resolve(q.update(accountTable).set({ status: 'inactive' })));
    wrong.push(await logIn());
    await api.db.write(async ({ q }) => {
      await q.update(accountTable).set({ status: 'active' });
      await q.update(loginTable).set({ expiresAt: api.now() });
    });
    wrong.push(await logIn());
    for (const { status, body } of wrong) {
      expect(status).toBe(401);
      expect(body).toEqual({
        exception: { message: 'Must authenticate' },
        messages: ['Wrong id or password.'],
        codes: [{ code: 'wrong-login', path: [], params: {} }],
      });
    }
  });

  it.each([
    ['no API key', {}],
    ['a wrong API key', { 'x-api-key': 'wrong' }],
  ])('is refused with %s', async (_what, headers) => {
    expect((await logIn({}, headers)).status).toBe(401);
  });

  it('names everything that is wrong with the body', async () => {
    const answer = await api.call('POST', '/auth/login', {
      token: null,
      headers: { 'x-api-key': API_KEY },
      body: { provider: 'card', password: '', extra: 1 },
    });
    expect(answer.status).toBe(400);
    expect(answer.body['exception']).toEqual({ message: 'Input error' });
    expect(answer.body['messages']).toEqual([
      'device_uuid: is required',
      expect.stringContaining('provider:'),
      'id: is required',
      expect.stringContaining('password:'),
      'There is no field “extra”.',
    ]);
  });

  it('on a device ends the one before there, and no other', async () => {
    const works = async (token: string) => (await api.call('GET', '/ping/token', { token })).status === 200;
    const take = async (device: string) =>
      String((await logIn({ device_uuid: device })).body['access_token']);
    const [first, elsewhere, second] = [await take('d1'), await take('d2'), await take('d1')];
    expect([await works(first), await works(elsewhere), await works(second)]).toEqual([false, true, true]);
  });

  it('ends with the login, where that runs out before the token would', async () => {
    const end = utcTime(millis(api.now()) + DAY_MS);
    await api.db.write(({ q }) => Promise.resolve(q.update(loginTable).set({ expiresAt: end })));
    expect((await logIn()).body['expiresOn']).toBe(end);
  });

  it.each([
    ['password', 30 * DAY_MS],
    ['change-password', 15 * MINUTE_MS],
  ])('by %s ends with the token, where the login lasts longer', async (provider, lifeMs) => {
    const until = (ms: number) => utcTime(millis(api.now()) + ms);
    const expiresAt = until(31 * DAY_MS);
    await api.db.write(({ q }) => Promise.resolve(q.update(loginTable).set({ expiresAt })));
    expect((await logIn({ provider })).body['expiresOn']).toBe(until(lifeMs));
  });
});

describe('login by a token', () => {
  it('takes its place, by the id of the account or of the token', async () => {
    const first = String((await logIn()).body['access_token']);
    const answer = await logIn({ provider: 'token', id: 'anna', password: first, device_uuid: 'd9' });
    expect(answer).toMatchObject({ status: 200, body: { account: { id: 'anna' } } });
    expect((await api.call('GET', '/ping/token', { token: first })).status).toBe(401);
    const second = String(answer.body['access_token']);
    const tokens = await api.call('GET', '/accounts/anna/tokens', { token: second });
    const [{ id }] = z.array(z.looseObject({ id: z.string() })).parse(tokens.body['data']) as [
      { id: string },
    ];
    expect(tokens.body).toMatchObject({
      total: 1,
      data: [{ deviceUuid: 'd9', current: true, tokenId: 'l1' }],
    });
    expect((await logIn({ provider: 'token', id, password: second })).status).toBe(200);
  });

  it('had without a login gives another such', async () => {
    const token = await api.account('customer', { id: 'berg' });
    const answer = await logIn({ provider: 'token', id: 'berg', password: token });
    expect(answer).toMatchObject({ status: 200, body: { account: { id: 'berg' } } });
    const next = String(answer.body['access_token']);
    expect((await api.call('GET', '/accounts/berg/tokens', { token: next })).body).toMatchObject({
      total: 1,
      data: [{ tokenId: null }],
    });
  });

  it('whose login is gone is refused', async () => {
    const token = String((await logIn()).body['access_token']);
    await api.db.write(({ q }) => Promise.resolve(q.delete(loginTable)));
    expect((await logIn({ provider: 'token', id: 'anna', password: token })).status).toBe(401);
  });

  it.each([
    ['of somebody else', async () => ({ id: 'the-operator', password: await api.account('customer') })],
    ['of a machine', async () => ({ id: 'anna', password: await api.roleToken('kiosk') })],
    ['that is none', async () => ({ id: 'anna', password: 'nonsense' })],
    [
      'that is good for a new password only',
      async () => {
        const { body } = await logIn({ provider: 'change-password' });
        return { id: 'anna', password: body['access_token'] };
      },
    ],
  ])('%s is refused', async (_what, fields) => {
    expect((await logIn({ provider: 'token', ...(await fields()) })).status).toBe(401);
  });
});

describe('logging out', () => {
  it('ends the token', async () => {
    const token = String((await logIn()).body['access_token']);
    expect((await api.call('POST', '/auth/logout', { token })).status).toBe(204);
    expect((await api.call('POST', '/auth/logout', { token })).status).toBe(401);
  });

  it('is for accounts', async () => {
    expect((await api.call('POST', '/auth/logout', { token: await api.roleToken('kiosk') })).status).toBe(
      403,
    );
  });
});

describe('too many attempts', () => {
  async function fail(times: number, id = 'anna@example.is') {
    for (let attempt = 0; attempt < times; attempt++) await logIn({ id, password: 'wrong' });
  }

  it('are refused for a while, the right password too', async () => {
    await fail(10);
    const answer = await logIn();
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('900');
    expect(answer.body['messages']).toEqual(['Too many attempts. Try again in 15 minutes.']);
    api.wait(15 * MINUTE_MS + 1);
    expect((await logIn()).status).toBe(200);
  });

  it('of one login do not lock out another', async () => {
    await fail(10, 'someone-else');
    expect((await logIn()).status).toBe(200);
  });

  it('are forgotten after the right password', async () => {
    await fail(9);
    expect((await logIn()).status).toBe(200);
    await fail(9);
    expect((await logIn()).status).toBe(200);
  });

  it('by strangers do not lock out a device on which the login was used', async () => {
    expect((await logIn()).status).toBe(200);
    for (let attempt = 0; attempt < 10; attempt++) await logIn({ password: 'wrong', device_uuid: 'theirs' });
    expect((await logIn({ device_uuid: 'theirs' })).status).toBe(429);
    expect((await logIn()).status).toBe(200);
    expect((await logIn({ device_uuid: 'theirs', password: 'wrong' })).status).toBe(401);
  });

  it('of a known device are limited too, and then count as those of any other', async () => {
    expect((await logIn()).status).toBe(200);
    await fail(20);
    expect((await logIn()).status).toBe(429);
  });

  it('by the right password of a known device do not give back what others have used up', async () => {
    expect((await logIn()).status).toBe(200);
    for (let other = 0; other < 60; other++) await logIn({ id: `other-${other}`, device_uuid: 'd2' });
    expect((await logIn({ id: 'other-60', device_uuid: 'd2' })).status).toBe(429);
    expect((await logIn()).status).toBe(200);
    expect((await logIn({ id: 'other-60', device_uuid: 'd2' })).status).toBe(429);
  });

  it('count when they come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => logIn({ password: 'wrong' })));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

describe('a token', () => {
  it('ends with its time, and when it is revoked, and with its account', async () => {
    const take = async () => String((await logIn()).body['access_token']);
    const works = async (token: string) => (await api.call('GET', '/ping/token', { token })).status === 200;
    const first = await take();
    expect(await works(first)).toBe(true);
    const known = await api.db.read((q) => findToken(q, first, api.now()));
    await api.db.write((tx) => revokeToken(tx, known?.caller.tokenId ?? '', api.now()));
    expect(await works(first)).toBe(false);

    const second = await take();
    await api.db.write(({ q }) =>
      Promise.resolve(q.update(accountTable).set({ status: 'inactive' }).where(eq(accountTable.id, 'anna'))),
    );
    expect(await works(second)).toBe(false);
    await api.db.write(({ q }) => Promise.resolve(q.update(accountTable).set({ status: 'active' })));
    expect(await works(second)).toBe(true);
    api.wait(30 * DAY_MS);
    expect(await works(second)).toBe(false);
  });
});
