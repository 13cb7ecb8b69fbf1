import { MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailTable } from '../mail/mail-table.ts';
import { API_KEY, createTestApi, type Json, type TestApi } from '../test-api.ts';
import { accountTable, loginTable } from './account-table.ts';

const OLD = 'þrjár gular kýr';
const NEW = 'ein blá hæna';
const EMAIL = 'anna@example.is';

let api: TestApi;
let id: string;
beforeEach(async () => {
  api = await createTestApi();
  id = await register(EMAIL);
});
afterEach(() => api.close());

async function register(email: string, fields: Json = {}, customer: Json | null = { language: 'en' }) {
  const made = await api.made('/accounts', {
    account: { role: 'customer', status: 'active', name: 'Anna', ...fields },
    ...(customer === null ? {} : { customer }),
    authentication: { email, password: OLD, ssn: '120160-3389' },
  });
  return made.id;
}

function logIn(fields: Json = {}) {
  const body = { device_uuid: 'd1', provider: 'password', id: EMAIL, password: OLD, ...fields };
  return api.call('POST', '/auth/login', { token: null, body, headers: { 'x-api-key': API_KEY } });
}

async function tokenOf(fields: Json = {}): Promise<string> {
  return z.string().parse((await logIn(fields)).body['access_token']);
}

async function loginId(account = id): Promise<string> {
  const { body } = await api.call('GET', `/accounts/${account}/logins`);
  const [login] = z.array(z.looseObject({ tokenId: z.string() })).parse(body['data']);
  return login?.tokenId ?? '';
}

function recover(email = EMAIL) {
  const headers = { 'x-api-key': API_KEY };
  return api.call('POST', '/accounts/recover-password', { token: null, headers, body: { email } });
}

const mails = () => api.db.read(async (q) => await q.select().from(mailTable));
const works = async (token: string) => (await api.call('GET', '/ping/token', { token })).status === 200;

describe('logins', () => {
  it('are listed, added, and the new one works until it expires', async () => {
    const path = `/accounts/${id}/logins`;
    api.wait(1);
    const expire = utcTime(millis(api.now()) + 60 * MINUTE_MS);
    const body = { email: 'Anna2@example.is', password: NEW, expire, ssn: '530575-0209' };
    const made = await api.call('POST', path, { body });
    expect([made.status, made.location]).toEqual([303, path]);
    const listed = await api.call('GET', path);
    expect(listed.body).toMatchObject({ total: 2, data: [{ email: EMAIL }, { email: 'anna2@example.is' }] });
    expect(JSON.stringify(listed.body)).not.toMatch(/password|argon/);
    const token = await tokenOf({ id: 'anna2@example.is', password: NEW });
    api.wait(60 * MINUTE_MS);
    expect(await works(token)).toBe(false);
    expect((await logIn({ id: 'anna2@example.is', password: NEW })).status).toBe(401);
    expect((await logIn()).status).toBe(200);
  });

  it('of a taken address are answered with what is there', async () => {
    const tokenId = await loginId();
    const body = { email: EMAIL, password: NEW };
    const answer = await api.call('POST', '/accounts/the-operator/logins', { body });
    expect(answer).toMatchObject({ status: 422, body: { id: tokenId } });
  });

  it.each([
    ['nothing', {}, 2],
    ['a common password', { email: 'b@example.is', password: 'Lykilorð123' }, 1],
    ['unknown fields', { email: 'b@example.is', password: NEW, admin: true }, 1],
  ])('of %s are refused', async (_what, body, mistakes) => {
    const answer = await api.call('POST', `/accounts/${id}/logins`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toHaveLength(mistakes);
  });

  it('of an account that is not there are 404', async () => {
    const body = { email: 'b@example.is', password: NEW };
    expect((await api.call('POST', '/accounts/none/logins', { body })).status).toBe(404);
    expect((await api.call('GET', '/accounts/none/logins')).status).toBe(404);
    expect((await api.call('DELETE', '/accounts/none/logins?email=x')).status).toBe(404);
  });

  it('are seen by their holder; a colleague’s are denied, a stranger’s are not there', async () => {
    const { body } = await api.call('GET', `/accounts/${id}`);
    const customerId = (body['customer'] as Json)['id'];
    const colleague = await register('bo@example.is', { customerId }, null);
    const stranger = await register('cal@example.is');
    const token = await tokenOf();
    const status = async (of: string) => (await api.call('GET', `/accounts/${of}/logins`, { token })).status;
    expect([await status(id), await status(colleague), await status(stranger)]).toEqual([200, 403, 404]);
  });

  it('are moved to another account; what was logged in by them is logged out', async () => {
    const other = await register('bo@example.is');
    const [token, others] = [await tokenOf(), await tokenOf({ id: 'bo@example.is' })];
    const body = { email: EMAIL, newAccountId: other };
    const moved = await api.call('PUT', `/accounts/${id}/logins`, { body });
    expect(moved).toMatchObject({ status: 303, location: `/accounts/${other}/logins` });
    expect(moved.body).toMatchObject({ accountId: other, email: EMAIL });
    expect([await works(token), await works(others)]).toEqual([false, true]);
    expect((await logIn()).body['account']).toMatchObject({ id: other });
    expect((await api.call('PUT', `/accounts/${id}/logins`, { body })).status).toBe(404);
    // By now it has two of that national id.
    const bySsn = { ssn: '1201603389', newAccountId: id };
    const unclear = await api.call('PUT', `/accounts/${other}/logins`, { body: bySsn });
    expect(unclear.body['messages']).toEqual([expect.stringContaining('several')]);
  });

  it.each([
    ['to nobody', { email: EMAIL, newAccountId: 'none' }],
    ['without a name', { newAccountId: 'the-operator' }],
    ['by two names', { email: EMAIL, ssn: '1201603389', newAccountId: 'the-operator' }],
  ])('are not moved %s', async (_what, body) => {
    expect((await api.call('PUT', `/accounts/${id}/logins`, { body })).status).toBe(400);
  });

  it.each(['email=ANNA%40example.is', 'ssn=120160-3389'])('are deleted by %s', async (query) => {
    const token = await tokenOf();
    expect((await api.call('DELETE', `/accounts/${id}/logins?${query}`)).status).toBe(204);
    expect(await works(token)).toBe(false);
    expect((await logIn()).status).toBe(401);
    expect((await api.call('DELETE', `/accounts/${id}/logins?${query}`)).status).toBe(404);
    expect((await api.call('DELETE', `/accounts/${id}/logins`)).status).toBe(400);
    expect((await api.audited()).map(({ action }) => action)).toContain('login.delete');
  });
});

describe('a change of password', () => {
  const change = async (body: Json, token = api.operator, of = id) =>
    await api.call('POST', `/accounts/${of}/change-password`, {
      token,
      body: { tokenId: await loginId(), password: NEW, ...body },
    });

  it('by its holder takes the one before, and logs out everywhere', async () => {
    const [here, there] = [await tokenOf(), await tokenOf({ device_uuid: 'd2' })];
    api.wait(16 * 60_000);
    expect((await change({}, here)).body['messages']).toEqual([expect.stringContaining('currentPassword')]);
    const wrong = await change({ currentPassword: 'guess' }, here);
    expect(wrong).toMatchObject({ status: 400, body: { messages: ['currentPassword: is not right'] } });
    expect(await works(here)).toBe(true);
    expect((await change({ currentPassword: OLD }, here)).status).toBe(204);
    expect([await works(here), await works(there)]).toEqual([false, false]);
    expect([(await logIn()).status, (await logIn({ password: NEW })).status]).toEqual([401, 200]);
    const audited = (await api.audited()).find(({ action }) => action === 'password.change');
    expect(audited).toMatchObject({ by: `account:${id}`, subjectId: id, after: { email: EMAIL } });
  });

  it('takes none right after a login, as the specification has it, but checks the one that is given', async () => {
    const token = await tokenOf();
    expect((await change({ currentPassword: 'guess' }, token)).status).toBe(400);
    expect((await change({}, token)).status).toBe(204);
    expect((await logIn({ password: NEW })).status).toBe(200);
  });

  it('cannot be guessed at with a stolen token', async () => {
    const token = await tokenOf();
    for (let n = 0; n < 10; n++) await change({ currentPassword: `guess ${n}` }, token);
    const answer = await change({ currentPassword: OLD }, token);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '900']);
  });

  it('by an operator takes none for somebody else, but for their own', async () => {
    expect((await change({})).status).toBe(204);
    expect((await logIn({ password: NEW })).status).toBe(200);
    const boss = await register('boss@example.is', { role: 'operator' }, null);
    const token = await tokenOf({ id: 'boss@example.is' });
    api.wait(16 * 60_000);
    expect((await change({ tokenId: await loginId(boss) }, token, boss)).status).toBe(400);
  });

  it('of somebody else’s account or login is refused', async () => {
    const { body } = await api.call('GET', `/accounts/${id}`);
    const customerId = (body['customer'] as Json)['id'];
    const colleague = await register('bo@example.is', { customerId }, null);
    const stranger = await register('cal@example.is');
    const token = await tokenOf();
    const of = async (account: string) =>
      (await change({ tokenId: await loginId(account), currentPassword: OLD }, token, account)).status;
    expect([await of(colleague), await of(stranger)]).toEqual([403, 404]);
    const crossed = await change({ tokenId: await loginId(stranger), currentPassword: OLD }, token);
    expect(crossed.status).toBe(404);
  });

  it.each([
    ['short', 'stutt'],
    ['common', 'Reykjavik1234'],
    ['one character', 'aaaaaaaaaaaa'],
  ])('to one that is %s is refused', async (_what, password) => {
    expect((await change({ password })).status).toBe(400);
  });

  it('by change-password takes the old one at login, which is good for nothing else', async () => {
    const session = await tokenOf({ device_uuid: 'd2' });
    const token = await tokenOf({ provider: 'change-password' });
    expect(await works(token)).toBe(false);
    expect((await api.call('GET', `/accounts/${id}`, { token })).status).toBe(403);
    expect((await change({}, token)).status).toBe(204);
    expect([await works(session), (await logIn({ password: NEW })).status]).toEqual([false, 200]);
    expect((await logIn({ provider: 'change-password' })).status).toBe(401);
  });
});

describe('a forgotten password', () => {
  async function linkToken(): Promise<string> {
    const link = /https:\/\/hlid\.example\/console\/recover\?token=([\w-]+)/.exec(
      (await mails()).at(-1)?.text ?? '',
    );
    return link?.[1] ?? '';
  }

  it('is set anew by the link of a mail, once', async () => {
    expect((await recover('ANNA@example.is ')).status).toBe(202);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: EMAIL, kind: 'recover-password', subject: 'New password' });
    const password = await linkToken();
    const token = await tokenOf({ provider: 'lost-password', password });
    const tokenId = await loginId();
    const set = (body: Json) => api.call('POST', `/accounts/${id}/change-password`, { token, body });
    expect((await set({ tokenId, password: NEW })).status).toBe(204);
    expect((await logIn({ password: NEW })).status).toBe(200);
    expect((await set({ tokenId, password: OLD })).status).toBe(401);
    expect((await logIn({ provider: 'lost-password', password })).status).toBe(401);
  });

  it('gives a token for that login only, for 15 minutes', async () => {
    api.wait(1);
    await api.call('POST', `/accounts/${id}/logins`, { body: { email: 'b@example.is', password: OLD } });
    await recover('b@example.is');
    const token = await tokenOf({
      provider: 'lost-password',
      id: 'b@example.is',
      password: await linkToken(),
    });
    const body = { tokenId: await loginId(), password: NEW };
    const path = `/accounts/${id}/change-password`;
    expect((await api.call('POST', path, { token, body })).status).toBe(404);
    for (const [method, at] of [
      ['GET', '/accounts'],
      ['PUT', `/accounts/${id}`],
      ['GET', '/visits'],
      ['DELETE', `/accounts/${id}/tokens/x`],
    ] as const) {
      expect((await api.call(method, at, { token })).status, `${method} ${at}`).toBe(403);
    }
    api.wait(15 * MINUTE_MS);
    expect((await api.call('POST', path, { token, body })).status).toBe(401);
  });

  it('takes the link within 15 minutes, of the address that it was sent to', async () => {
    await register('bo@example.is');
    await recover();
    const password = await linkToken();
    expect((await logIn({ provider: 'lost-password', id: 'bo@example.is', password })).status).toBe(401);
    api.wait(15 * MINUTE_MS);
    expect((await logIn({ provider: 'lost-password', password })).status).toBe(401);
  });

  it('is answered the same for an address that nobody has, and no mail goes out', async () => {
    const [known, unknown] = [await recover(), await recover('nobody@example.is')];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await mails()).toHaveLength(1);
    for (let n = 0; n < 2; n++) await Promise.all([recover(), recover('nobody@example.is')]);
    expect([(await recover()).status, (await recover('nobody@example.is')).status]).toEqual([429, 429]);
    expect(await mails()).toHaveLength(3);
  });

  it('of a login that is no address sends nothing', async () => {
    await api.db.write(async ({ q }) => void (await q.update(loginTable).set({ name: 'operator' })));
    expect((await recover('operator')).status).toBe(202);
    expect(await mails()).toEqual([]);
  });

  it('by one link twice at the same time is set anew once', async () => {
    await recover();
    const password = await linkToken();
    const tries = await Promise.all(
      ['d1', 'd2', 'd3'].map((device_uuid) => logIn({ provider: 'lost-password', password, device_uuid })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('of an account that is not active, or a login that has run out, sends nothing', async () => {
    await api.db.write(async ({ q }) => void (await q.update(accountTable).set({ status: 'inactive' })));
    expect((await recover()).status).toBe(202);
    await api.db.write(async ({ q }) => {
      await q.update(accountTable).set({ status: 'active' });
      await q.update(loginTable).set({ expiresAt: api.now() });
    });
    expect((await recover()).status).toBe(202);
    expect(await mails()).toEqual([]);
  });

  it('is written about in Icelandic where no customer says otherwise; no secret is kept in the audit log', async () => {
    await register('boss@example.is', { role: 'operator' }, null);
    await recover('boss@example.is');
    expect(await mails()).toMatchObject([{ subject: 'Nýtt lykilorð' }]);
    expect(JSON.stringify(await api.audited())).not.toContain(await linkToken());
  });

  it('is recovered with an API key and an address', async () => {
    const without = { token: null, body: { email: EMAIL } };
    expect((await api.call('POST', '/accounts/recover-password', without)).status).toBe(401);
    const headers = { 'x-api-key': API_KEY };
    const body = { mail: EMAIL };
    expect((await api.call('POST', '/accounts/recover-password', { headers, body })).status).toBe(400);
  });
});
