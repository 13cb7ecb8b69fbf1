import { readFileSync } from 'node:fs';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@hlid/protocol/base/durations';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_KEY, createTestApi, type TestApi } from '../../../test/api.ts';
import {
  ACCEPTED,
  ElectronicIdClient,
  PENDING,
  PHONE,
  ScriptedElectronicId,
  SSN,
} from '../../../test/electronic-id.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { eq } from '../../platform/db/sql.ts';
import type { FailureReason } from '../../platform/electronic-id/electronic-id.ts';
import { createApp } from '../../program/app.ts';
import { accountTable, loginTable } from '../../records/accounts/account-table.ts';
import { insertLogin } from '../../records/accounts/login-store.ts';
import { electronicIdSessionTable } from '../../records/electronic-id/electronic-id-session-table.ts';
import { sessionCleanupJob } from './check-identification.ts';

let api: TestApi;
let provider: ScriptedElectronicId;
let client: ElectronicIdClient;

beforeEach(async () => {
  provider = new ScriptedElectronicId();
  api = await createTestApi({ electronicId: provider });
  client = new ElectronicIdClient(api);
  await api.account('customer', { id: 'anna', customerId: 'c1' });
  const login = { id: 'l1', accountId: 'anna', name: null, ssn: SSN, passwordHash: null };
  await api.db.write(({ q }) => insertLogin(q, { ...login, expiresAt: null, createdAt: api.now() }));
});
afterEach(() => api.close());

const works = async (token: unknown) =>
  (await api.call('GET', '/ping/token', { token: String(token) })).status === 200;
const sessions = () => api.db.read((q) => q.select().from(electronicIdSessionTable));
const tokenIn = (body: Record<string, unknown>) => (body['data'] as { bearerToken: string }).bearerToken;

/** Polls until the phone rings, and waits as long as it has to. */
async function ring(fields = {}) {
  const started = await client.start(fields);
  const first = await client.status(started.poll);
  api.wait(Number(first.body['wait']) * SECOND_MS);
  return { ...started, first };
}

describe('a login by electronic identity', () => {
  it('describes its inputs, in every language', async () => {
    const { status, body } = await client.call('init');
    expect(status).toBe(200);
    const phone = { name: 'phone', type: 'tel', label: expect.objectContaining({ is: 'Símanúmer' }) };
    const kennitala = { name: 'kennitala', label: expect.objectContaining({ is: 'Kennitala' }) };
    expect(body['methods']).toEqual([
      { id: 'sim', label: expect.anything(), inputs: [expect.objectContaining(phone)] },
      { id: 'app', label: expect.anything(), inputs: [expect.objectContaining(kennitala)] },
    ]);
    // 256 random bits.
    expect(Buffer.from(String(body['session']), 'base64url')).toHaveLength(32);
  });

  it.each([
    ['sim', 'phone', ['6123456', '612 3456', '+354 612-3456', '00354 6123456']],
    ['app', 'kennitala', ['1201603389', '120160-3389']],
  ])('by %s accepts what its pattern accepts', async (method, input, texts) => {
    const { body } = await client.call('init');
    const methods = body['methods'] as { id: string; inputs: { pattern: string }[] }[];
    const pattern = new RegExp(`^(?:${methods.find(({ id }) => id === method)?.inputs[0]?.pattern})$`, 'v');
    for (const text of texts) {
      expect(text).toMatch(pattern);
      expect((await client.start({ method, [input]: text })).status, text).toBe(200);
      api.wait(HOUR_MS);
    }
  });

  it('shows the code before the phone rings, and logs in once it is accepted', async () => {
    const { body, poll } = await client.start({ message: 'Innskráning' });
    expect(body).toEqual({
      code: expect.stringMatching(/^\d{4}$/),
      statusPath: '/auth/login/stefna/status',
      bearerToken: expect.any(String),
    });
    expect(provider.rang).toEqual([]);
    const first = await client.status(poll);
    expect(first.body).toEqual({
      status: 'pending',
      message: expect.stringContaining('öryggistalan'),
      wait: 2,
    });
    const text = `Innskráning Öryggistala: ${body['code']}`;
    expect(provider.rang).toEqual([{ method: 'sim', user: PHONE, text, hash: null }]);
    api.wait(2 * SECOND_MS);
    const done = await client.status(poll);
    expect(done.body).toMatchObject({
      status: 'success',
      message: 'Innskráning tókst.',
      wait: 0,
      data: { account: { id: 'anna', role: 'customer' }, endedSessions: 0 },
    });
    expect(await works(tokenIn(done.body))).toBe(true);
  });

  it('by the app names a person, and has a hash for the code', async () => {
    const { body } = await ring({ method: 'app', kennitala: '120160-3389', message: 'Innskráning' });
    const [rang] = provider.rang;
    expect(rang).toMatchObject({ method: 'app', user: SSN, text: 'Innskráning' });
    expect(rang?.hash).toMatch(/^[\w+/]{86}==$/);
    expect(body['code']).toMatch(/^\d{4}$/);
  });

  it('is written into the audit log without the phone, and keeps nothing of it', async () => {
    const { poll } = await ring();
    await client.status(poll);
    const [line] = await api.audited();
    expect(line).toMatchObject({ action: 'login.electronic-id', by: 'account:anna', subjectId: 'anna' });
    expect(line?.after).toEqual({ tokenId: 'l1', method: 'sim', provider: 'scripted' });
    expect(await sessions()).toEqual([]);
    for (const file of [api.file, `${api.file}-wal`]) {
      expect(readFileSync(file).includes(PHONE)).toBe(false);
    }
  });

  it('ends the session of the same device, as one by password does', async () => {
    const login = async (device_uuid: string) => {
      const { poll } = await ring({ device_uuid });
      return tokenIn((await client.status(poll)).body);
    };
    const [first, elsewhere, second] = [await login('d1'), await login('d2'), await login('d1')];
    expect([await works(first), await works(elsewhere), await works(second)]).toEqual([false, true, true]);
  });

  it.each<[string, FailureReason]>([
    ['timeout', 'timeout'],
    ['cancelled', 'cancelled'],
    ['account-not-found', 'no-identity'],
    ['error', 'error'],
    ['unknown', 'unknown'],
  ])('may end as %s, and is gone then', async (status, reason) => {
    provider.answers = { kind: 'failed', reason, code: 'mssp_x' };
    const { poll } = await ring();
    const ended = await client.status(poll);
    expect(ended.body).toEqual({ status, message: expect.any(String), wait: 0 });
    expect((await client.status(poll)).status).toBe(404);
    // The person may start again at once.
    expect((await client.start()).status).toBe(200);
  });

  it.each([
    ['no login has the national id', () => api.db.write(({ q }) => q.delete(loginTable))],
    [
      'the account is inactive',
      () =>
        api.db.write(({ q }) =>
          q.update(accountTable).set({ status: 'inactive' }).where(eq(accountTable.id, 'anna')),
        ),
    ],
    [
      'the login has run out',
      () => api.db.write(({ q }) => q.update(loginTable).set({ expiresAt: api.now() })),
    ],
  ])('finds no account where %s, and makes none', async (_what, change) => {
    await change();
    const before = await api.db.read((q) => q.select({ id: accountTable.id }).from(accountTable));
    const { poll } = await ring();
    expect((await client.status(poll)).body).toMatchObject({ status: 'account-not-found', wait: 0 });
    expect(await api.db.read((q) => q.select({ id: accountTable.id }).from(accountTable))).toEqual(before);
  });

  it('of another person than was named is an error', async () => {
    provider.answers = { kind: 'identified', ssn: SSN, name: 'Anna' };
    const { poll } = await ring({ method: 'app', kennitala: '120174-3399' });
    expect((await client.status(poll)).body['status']).toBe('error');
  });

  it('speaks the language of the body, of the browser, or of the start', async () => {
    const { poll } = await client.start({ language: 'pl' });
    const message = async (fields: object, headers = {}) => {
      const answer = await new ElectronicIdClient(api, headers).status({ ...poll, ...fields });
      api.wait(Number(answer.body['wait']) * SECOND_MS);
      return String(answer.body['message']);
    };
    provider.answers = PENDING;
    expect(await message({})).toContain('telefonie');
    expect(await message({}, { 'accept-language': 'sv, da-DK;q=0.8, en;q=0.9' })).toContain('Approve');
    expect(await message({ language: 'is' }, { 'accept-language': 'en' })).toContain('öryggistalan');
    expect(provider.rang[0]?.text).toContain('Kod: ');
  });
});

describe('a login by electronic identity is guarded', () => {
  it('polls that come too fast are refused and reach no provider', async () => {
    const { poll } = await client.start();
    await client.status(poll);
    const flood = await Promise.all(Array.from({ length: 20 }, () => client.status(poll)));
    expect(flood.map(({ status }) => status)).toEqual(Array(20).fill(429));
    expect(flood[0]?.headers.get('retry-after')).toBe('2');
    expect(provider.checks).toBe(0);
    api.wait(2 * SECOND_MS);
    expect((await client.status(poll)).body['status']).toBe('success');
  });

  it('a slow person is polled less often', async () => {
    provider.answers = PENDING;
    const { poll } = await client.start();
    const waits = new Set<unknown>();
    for (let n = 0; n < 25; n++) {
      const { body } = await client.status(poll);
      waits.add(body['wait']);
      api.wait(Number(body['wait']) * SECOND_MS);
    }
    expect([...waits]).toEqual([2, 3, 4, 5]);
  });

  it('polls at the same time are one, and so is their success', async () => {
    const { poll } = await ring();
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.status(poll)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(provider.checks).toBe(1);
    expect(await api.audited()).toHaveLength(1 + 1);
  });

  it('success is returned once: a replay sees nothing', async () => {
    const { poll } = await ring();
    const done = await client.status(poll);
    api.wait(10 * SECOND_MS);
    const replayed = await client.status(poll);
    expect([done.body['status'], replayed.status]).toEqual(['success', 404]);
    expect(JSON.stringify(replayed.body)).not.toContain('bearerToken');
  });

  it('nor is it kept under an Idempotency-Key', async () => {
    const { poll } = await ring();
    const repeated = new ElectronicIdClient(api, { 'idempotency-key': 'k1' });
    const done = await repeated.status(poll);
    expect([done.body['status'], (await repeated.status(poll)).status]).toEqual(['success', 404]);
  });

  it('a stolen poll token is good for nothing but its own session', async () => {
    const mine = await client.start();
    const other = await client.start({ phone: '7123456' });
    const stolen = String(mine.poll['bearerToken']);
    // The token is tried as an access token, as an API key, with another session, and as its own session.
    expect(await works(stolen)).toBe(false);
    const headers = { 'x-api-key': stolen };
    expect((await api.call('POST', '/auth/login', { token: null, headers, body: {} })).status).toBe(401);
    expect((await api.call('GET', DRIVER_PATHS.me, { token: stolen })).status).toBe(401);
    for (const session of [other.poll['session'], stolen, 'x']) {
      expect((await client.status({ session, bearerToken: stolen })).status).toBe(404);
    }
    // The session alone does not allow polling without its token.
    const { session } = mine.poll;
    expect((await client.status({ session, bearerToken: session })).status).toBe(404);
    expect(provider.rang).toEqual([]);
  });

  it('a session runs out after five minutes', async () => {
    const session = await client.session();
    api.wait(5 * MINUTE_MS);
    const late = await client.call('authenticate', { session, method: 'sim', phone: PHONE });
    expect(late.status).toBe(404);
    const { poll } = await client.start();
    api.wait(5 * MINUTE_MS);
    expect((await client.status(poll)).body).toMatchObject({ status: 'timeout', wait: 0 });
    expect((await client.status(poll)).status).toBe(404);
    expect(provider.rang).toEqual([]);
  });

  it('a session names one person, once', async () => {
    const { poll } = await client.start();
    const again = { session: poll['session'], method: 'sim', phone: '7123456' };
    expect((await client.call('authenticate', again)).status).toBe(400);
  });

  it('a person has one open session; one that no client polls is replaced', async () => {
    const first = await client.start();
    const refused = await client.start();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await client.start({ phone: '7123456' })).status).toBe(200);
    api.wait(30 * SECOND_MS);
    const second = await client.start();
    expect(second.status).toBe(200);
    expect((await client.status(first.poll)).status).toBe(404);
    expect((await client.status(second.poll)).body['status']).toBe('pending');
  });

  it('a result for a session that was replaced meanwhile logs no person in', async () => {
    const { poll } = await ring();
    let answer: (progress: typeof ACCEPTED) => void = () => undefined;
    provider.answers = new Promise((resolve) => {
      answer = resolve;
    });
    const polled = client.status(poll);
    await expect.poll(() => provider.checks).toBe(1);
    api.wait(MINUTE_MS);
    expect((await client.start()).status).toBe(200);
    answer(ACCEPTED);
    expect((await polled).status).toBe(404);
  });

  it('limits requests to a phone to five an hour from all callers', async () => {
    const start = async () => {
      api.wait(9 * MINUTE_MS);
      return (await client.start()).status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push(await start());
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await client.start({ phone: '7123456' })).status).toBe(200);
    api.wait(HOUR_MS);
    expect(await start()).toBe(200);
  });

  it('strangers who use up the starts of a phone do not lock out a device on which its holder logged in', async () => {
    const mine = { device_uuid: 'a secret of the telephone' };
    const { poll } = await ring(mine);
    expect((await client.status(poll)).body['status']).toBe('success');
    for (let n = 0; n < 4; n++) {
      expect((await client.start({ device_uuid: `stranger ${n}` })).status).toBe(200);
      api.wait(MINUTE_MS);
    }
    expect((await client.start()).status).toBe(429);
    for (let n = 0; n < 5; n++) expect((await client.start(mine)).status).toBe(200);
    // Its own starts have an end too, and so has what is stored of the device.
    expect((await client.start(mine)).status).toBe(429);
    api.wait(HOUR_MS);
    expect((await client.start({ phone: '7123456', ...mine })).status).toBe(200);
    api.wait(90 * DAY_MS);
    for (let n = 0; n < 5; n++) expect((await client.start(mine)).status).toBe(200);
    api.wait(MINUTE_MS);
    expect((await client.start({ device_uuid: 'another' })).status).toBe(429);
  });

  it('a device on which a person logged in comes before a stranger, who then logs no person in', async () => {
    const mine = { device_uuid: 'a secret of the telephone' };
    const { poll } = await ring(mine);
    await client.status(poll);
    const stranger = await ring();
    expect((await client.start({ device_uuid: 'unknown' })).status).toBe(429);
    const own = await client.start(mine);
    expect(own.status).toBe(200);
    expect((await client.start()).status).toBe(429);
    expect((await client.status(stranger.poll)).status).toBe(404);
    expect((await client.status(own.poll)).body['status']).toBe('pending');
  });

  it('the same device begins again at once, and its first session is gone', async () => {
    const device = { device_uuid: 'a secret of the telephone' };
    const first = await client.start(device);
    const second = await client.start(device);
    expect([second.status, (await client.status(first.poll)).status]).toEqual([200, 404]);
  });

  it('a phone whose holder cancels rings twice in an hour for strangers', async () => {
    const cancelled = { kind: 'failed', reason: 'cancelled', code: null } as const;
    for (const status of [200, 200, 429, 429]) {
      provider.answers = cancelled;
      const started = await client.start();
      expect(started.status).toBe(status);
      await client.status(started.poll);
      api.wait(2 * SECOND_MS);
      await client.status(started.poll);
    }
    expect(provider.rang).toHaveLength(2);
    api.wait(HOUR_MS);
    expect((await client.start()).status).toBe(200);
  });

  it('counts who rings strangers, and never refuses a crowd behind his address', async () => {
    // No person agrees to these.
    for (let n = 10; n < 45; n++) expect((await client.start({ phone: `61234${n}` })).status).toBe(200);
    // The address has used up its starts: each person still has one from there.
    api.wait(5 * MINUTE_MS);
    const again = async (phone: string) => (await client.start({ phone })).status;
    expect([await again('6123410'), await again('6199999')]).toEqual([200, 200]);
    api.wait(5 * MINUTE_MS);
    expect([await again('6123410'), await again('6199999'), await again('6188888')]).toEqual([429, 429, 200]);
  });

  it('takes the logins of a crowd behind one address off its count', async () => {
    for (let n = 10; n < 45; n++) {
      const { poll } = await ring({ phone: `61555${n}` });
      expect((await client.status(poll)).body['status']).toBe('success');
    }
    // Agreed starts are not counted, so the first one without consent is the first that counts.
    for (let n = 10; n < 40; n++) {
      expect((await client.start({ phone: `61234${n}` })).status).toBe(200);
    }
    api.wait(5 * MINUTE_MS);
    expect((await client.start({ phone: '6123410' })).status).toBe(200);
    for (let n = 0; n < 70; n++) expect((await client.call('init')).status).toBe(200);
  });

  it('a phone whose cloud is gone does not ring twice', async () => {
    const { poll } = await client.start();
    let answer: (progress: typeof PENDING) => void = () => undefined;
    provider.starts = new Promise((resolve) => {
      answer = resolve;
    });
    const lost = client.status(poll);
    await expect.poll(() => provider.rang).toHaveLength(1);
    expect((await client.status(poll)).status).toBe(429);
    api.wait(20 * SECOND_MS);
    expect((await client.status(poll)).body).toMatchObject({ status: 'unknown', wait: 0 });
    answer(PENDING);
    expect((await lost).status).toBe(404);
    expect(provider.rang).toHaveLength(1);
  });

  it('another cloud on the same database continues', async () => {
    const { poll } = await client.start();
    const db = await openDb(api.dbPath);
    try {
      const app = createApp({ ...api.context, db });
      const there = async () => {
        const response = await app.request('/auth/login/stefna/status', {
          method: 'POST',
          headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
          body: JSON.stringify(poll),
        });
        return (await response.json()) as Record<string, unknown>;
      };
      expect((await there())['status']).toBe('pending');
      api.wait(2 * SECOND_MS);
      expect((await client.status(poll)).body['status']).toBe('success');
      expect(await there()).toMatchObject({ exception: { message: 'Not found' } });
      expect(provider.rang).toHaveLength(1);
    } finally {
      await db.close();
    }
  });

  it('what is stored of it names no person, and goes when it has run out', async () => {
    await ring();
    const [row] = await sessions();
    expect(row?.step).toBe('pending');
    expect(JSON.stringify(row)).not.toContain(PHONE);
    api.wait(5 * MINUTE_MS);
    await sessionCleanupJob(api.db).work({ now: api.now(), signal: new AbortController().signal });
    expect(await sessions()).toEqual([]);
  });

  it.each([
    ['a method that there is not', { method: 'card' }, 'method'],
    ['no phone', { phone: undefined }, 'phone'],
    ['the number of a landline', { phone: '5123456' }, 'phone'],
    ['a phone abroad', { phone: '+45 61234567' }, 'phone'],
    ['the app without a kennitala', { method: 'app' }, 'kennitala'],
    ['the kennitala of a company', { method: 'app', kennitala: '530575-0209' }, 'kennitala'],
    ['the kennitala of nobody', { method: 'app', kennitala: '010130-2989' }, 'kennitala'],
    ['a message of two lines', { message: 'a\nb' }, 'message'],
    ['a message without room for the code', { message: 'x'.repeat(45) }, 'message'],
  ])('%s is refused', async (_what, fields, place) => {
    const { status, body } = await client.start(fields);
    expect([status, body['messages']]).toEqual([400, [expect.stringContaining(`${place}:`)]]);
  });
});

describe('a login with a national id, changed by an operator', () => {
  const bo = { kind: 'identified', ssn: '1201743399', name: 'Bo' } as const;
  const logins = (id: string) => `/accounts/${id}/logins`;
  const accountIn = ({ body }: { body: Record<string, unknown> }) =>
    (body['data'] as { account: { id: string } } | undefined)?.account.id ?? body['status'];
  const identify = async () => await client.status((await ring()).poll);

  it('is added: its holder logs in from then on', async () => {
    provider.answers = bo;
    expect(accountIn(await identify())).toBe('account-not-found');
    await api.call('POST', logins('anna'), { body: { ssn: '120174-3399' } });
    expect(accountIn(await identify())).toBe('anna');
  });

  it('is moved: its holder logs in to the other account, and is logged out of the first one', async () => {
    await api.account('customer', { id: 'firm', customerId: 'c2' });
    const before = await identify();
    await api.call('PUT', logins('anna'), { body: { ssn: SSN, newAccountId: 'firm' } });
    expect(await works(tokenIn(before.body))).toBe(false);
    expect(accountIn(await identify())).toBe('firm');
  });

  it('is removed: its holder is logged out, and logs in no more', async () => {
    const before = await identify();
    expect((await api.call('DELETE', `${logins('anna')}?ssn=${SSN}`)).status).toBe(204);
    expect(await works(tokenIn(before.body))).toBe(false);
    expect(accountIn(await identify())).toBe('account-not-found');
  });
});

it('people who do not exist log in only where tests are allowed', async () => {
  const test = await createTestApi({ electronicId: provider, testElectronicId: true });
  const { status } = await new ElectronicIdClient(test).start({ method: 'app', kennitala: '010130-2989' });
  expect(status).toBe(200);
  await test.close();
});

it('without a provider there is no method', async () => {
  const plain = await createTestApi();
  const without = new ElectronicIdClient(plain);
  expect((await without.call('init')).body['methods']).toEqual([]);
  expect((await without.start()).body['messages']).toEqual(['method: is not offered here']);
  await plain.close();
});
