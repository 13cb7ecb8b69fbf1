import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { logIn, PASSWORD, register } from '../../../test/accounts.ts';
import { type Answer, createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { insertLogin } from '../../records/accounts/login-store.ts';
import { hashPassword } from '../auth/password-hash.ts';
import { isTokenLive, TOKEN_ENDED } from '../auth/tokens.ts';

const PAGE = { 'sec-fetch-site': 'same-origin' };
const EMAIL = 'chief@example.is';
const OPERATOR = { role: 'operator', status: 'active' } as const;

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

type Headers = Record<string, string>;

/** A browser at the cloud: it keeps the cookie that it was given last. */
class Browser {
  cookie: string | null = null;
  readonly #headers: Headers;

  constructor(headers: Headers = PAGE) {
    this.#headers = headers;
  }

  async call(method: string, path: string, body?: Json, headers: Headers = {}): Promise<Answer> {
    const all = { ...this.#headers, ...(this.cookie !== null && { cookie: this.cookie }), ...headers };
    const answer = await api.call(method, path, { token: null, headers: all, ...(body && { body }) });
    const given = answer.headers.get('set-cookie');
    if (given !== null) this.cookie = given.split(';')[0] ?? null;
    return answer;
  }

  async logIn(fields: Json = { id: EMAIL, password: PASSWORD }): Promise<Answer> {
    return await this.call('POST', '/session', fields);
  }
}

/** An operator with a password. @returns the id of the account */
async function chief(rights: Json = {}, email = EMAIL): Promise<string> {
  return (await register(api, email, { ...OPERATOR, ...rights }, null)).id;
}

/** The app on a telephone, which has the secret. */
function appOf(answer: Answer): () => string {
  const { secret } = z.looseObject({ secret: z.string() }).parse(answer.body);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return () => totp.generate({ timestamp: Date.parse(api.now()) });
}

/** Sets up codes by time. @returns the app, and the recovery codes */
async function enrol(browser: Browser, id: string) {
  const code = appOf(await browser.call('POST', `/accounts/${id}/totp`));
  const { status, body } = await browser.call('POST', `/accounts/${id}/totp/confirm`, { code: code() });
  expect(status, JSON.stringify(body)).toBe(200);
  return { code, recoveryCodes: z.array(z.string()).parse(body['recoveryCodes']) };
}

const STEP_MS = 30_000;

describe('a session that is over', () => {
  const codesAt = async (browser: Browser) => {
    const { status, body } = await browser.call('GET', '/session');
    expect(status).toBe(401);
    return z.array(z.looseObject({ code: z.string() })).parse(body['codes'])[0]?.code;
  };

  it('says why: it was ended, has lasted as long as one may, or was not used', async () => {
    const id = await chief();
    const [ended, other] = [new Browser(), new Browser()];
    await ended.logIn();
    await other.logIn();
    const sessions = z
      .array(z.looseObject({ id: z.string(), current: z.boolean().optional() }))
      .parse((await other.call('GET', `/accounts/${id}/tokens`)).body['data']);
    const { body: own } = await ended.call('GET', '/session');
    expect(sessions.map((one) => one.id)).toContain(own['id']);
    await other.call('DELETE', `/accounts/${id}/tokens/${String(own['id'])}`);
    expect(await codesAt(ended)).toBe('session-ended');
    api.wait(31 * MINUTE_MS);
    expect(await codesAt(other)).toBe('session-idle');
    api.wait(12 * HOUR_MS);
    expect(await codesAt(other)).toBe('session-expired');
    expect(await codesAt(new Browser())).toBe('not-logged-in');
  });
});

describe('a session', () => {
  it('comes in a cookie that no page reads and no other host gets, and says what its holder may do', async () => {
    await chief({ permissions: ['visits', 'money'], siteIds: [api.site.id] });
    const browser = new Browser();
    const answer = await browser.logIn();
    const [session, known] = answer.headers.getSetCookie();
    expect(known).toMatch(
      /^__Host-hlid-browser=[\w-]+; Max-Age=7776000; .*HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(session).toMatch(
      /^__Host-hlid=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'open',
        email: EMAIL,
        permissions: ['visits', 'money'],
        siteIds: [api.site.id],
        method: 'password',
        idleMinutes: 30,
        steppedUpUntil: '2026-11-21T12:05:00.000Z',
        expiresOn: '2026-11-22T00:00:00.000Z',
        factors: { totp: false, passkeys: 0, recoveryCodes: 0 },
      },
    });
    expect((await browser.call('GET', '/session')).body).toEqual(answer.body);
    expect((await browser.call('GET', '/visits')).status).toBe(200);
    expect((await browser.call('DELETE', '/session')).status).toBe(204);
    expect(browser.cookie).toBe('__Host-hlid=');
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  it('is useless without a page of this cloud, but for reading', async () => {
    await chief();
    const browser = new Browser();
    await browser.logIn();
    const stolen = browser.cookie ?? '';
    const change = async (headers: Headers) => {
      const product = {
        type: 'quota',
        price: 1,
        vehicleCategory: 'light',
        productCode: 'x',
        name: { is: 'x' },
      };
      const options = { token: null, body: product, headers: { cookie: stolen, ...headers } };
      return (await api.call('POST', '/products', options)).status;
    };
    const others: Headers[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://hlid.example' },
      { origin: 'https://evil.example' },
      { origin: 'http://hlid.example' },
      { origin: 'null' },
      { origin: 'https://hlid.example.evil.example' },
    ];
    for (const headers of others) expect([headers, await change(headers)]).toEqual([headers, 403]);
    expect(await change({ origin: 'https://hlid.example' })).toBe(303);
    expect((await api.call('GET', '/products', { token: null, headers: { cookie: stolen } })).status).toBe(
      200,
    );
  });

  it('is not opened from a page of another person either', async () => {
    await chief();
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await new Browser(headers).logIn();
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
    }
  });

  it('is a new one at login: what the browser had before ends, and a planted one is never taken over', async () => {
    const id = await chief();
    const mallory = new Browser();
    await chief({}, 'mallory@example.is');
    await mallory.logIn({ id: 'mallory@example.is', password: PASSWORD });
    const victim = new Browser();
    victim.cookie = mallory.cookie;
    const planted = victim.cookie;
    expect((await victim.logIn()).body).toMatchObject({ account: { id } });
    expect(victim.cookie).not.toBe(planted);
    expect((await mallory.call('GET', '/session')).status).toBe(401);
    victim.cookie = '__Host-hlid=chosen-by-somebody';
    await victim.logIn();
    expect(victim.cookie).not.toContain('chosen');
  });

  it('is no bearer token, and a bearer token is no session', async () => {
    await chief();
    const browser = new Browser();
    await browser.logIn();
    const secret = browser.cookie?.split('=')[1] ?? '';
    expect((await api.call('GET', '/visits', { token: secret })).status).toBe(401);
    expect(
      (await api.call('GET', '/visits', { token: null, headers: { cookie: `__Host-hlid=${api.operator}` } }))
        .status,
    ).toBe(401);
    // The cookie does not count if there is a bearer token.
    const both = { token: 'wrong', headers: { cookie: browser.cookie ?? '' } };
    expect((await api.call('GET', '/visits', both)).status).toBe(401);
    expect((await new Browser().call('POST', '/session', { token: secret })).status).toBe(401);
  });

  it('of who may move money ends after half an hour unused, a control room’s after a shift', async () => {
    await chief();
    await chief({ permissions: ['lanes', 'visits'] }, 'guard@example.is');
    const [money, lanes, busy] = [new Browser(), new Browser(), new Browser()];
    await money.logIn();
    await busy.logIn();
    await lanes.logIn({ id: 'guard@example.is', password: PASSWORD });
    const works = async (browser: Browser) => (await browser.call('GET', '/session')).status === 200;
    api.wait(29 * MINUTE_MS);
    expect(await works(busy)).toBe(true);
    api.wait(MINUTE_MS);
    expect([await works(money), await works(busy), await works(lanes)]).toEqual([false, true, true]);
    for (let hours = 0; hours < 11; hours += 0.25) {
      api.wait(HOUR_MS / 4);
      expect(await works(busy)).toBe(true);
    }
    api.wait(HOUR_MS / 2);
    expect([await works(busy), await works(lanes)]).toEqual([false, false]);
  });

  it('is listed with its place and use, and ends at once when it is revoked, with a word to what streams', async () => {
    const id = await chief();
    const [here, there] = [new Browser(), new Browser({ ...PAGE, 'user-agent': 'Firefox' })];
    await here.logIn();
    await there.logIn();
    api.wait(2 * MINUTE_MS);
    await there.call('GET', '/session');
    const rows = z
      .array(z.looseObject({ id: z.string() }))
      .parse((await here.call('GET', `/accounts/${id}/tokens`)).body['data']);
    expect(rows).toHaveLength(2);
    const other = rows.find((row) => row['current'] === false);
    expect(other).toMatchObject({
      isSession: true,
      method: 'password',
      address: 'unknown',
      agent: 'Firefox',
      lastSeenOn: '2026-11-21T12:02:00.000Z',
    });
    const ended: string[] = [];
    api.db.onAnnounced((names) => void ended.push(...names));
    const isAlive = () => api.db.read((q) => isTokenLive(q, other?.id ?? '', api.now()));
    expect(await isAlive()).toBe(true);
    expect((await here.call('DELETE', `/accounts/${id}/tokens/${other?.id}`)).status).toBe(204);
    expect([await isAlive(), ended]).toEqual([false, [`${TOKEN_ENDED}${other?.id}`]]);
    expect((await there.call('GET', '/visits')).status).toBe(401);
    expect((await here.call('GET', '/visits')).status).toBe(200);
  });

  it.each([
    ['rights', { permissions: ['visits'] }],
    ['sites', { siteIds: [] }],
    ['role', { role: 'whitelist' }],
    ['status', { status: 'inactive' }],
  ])('ends with a change of the %s of its account', async (_what, edit) => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    expect((await api.call('PUT', `/accounts/${id}`, { body: edit })).status).toBe(303);
    expect((await browser.call('GET', '/session')).status).toBe(401);
  });

  it('ends with a change of the password', async () => {
    const id = await chief();
    const [one, other] = [new Browser(), new Browser()];
    await one.logIn();
    await other.logIn();
    const { body } = await one.call('GET', `/accounts/${id}/logins`);
    const [login] = z.array(z.looseObject({ tokenId: z.string() })).parse(body['data']);
    const change = { tokenId: login?.tokenId ?? '', password: 'ein blá hæna' };
    expect((await one.call('POST', `/accounts/${id}/change-password`, change)).status).toBe(204);
    expect((await other.call('GET', '/session')).status).toBe(401);
    expect((await other.logIn({ id: EMAIL, password: 'ein blá hæna' })).status).toBe(200);
  });

  it('is opened by the token of an electronic identity, which ends', async () => {
    await chief();
    const token = await logIn(api, EMAIL);
    const browser = new Browser();
    expect((await browser.logIn({ token })).body).toMatchObject({ status: 'open', email: EMAIL });
    expect((await api.call('GET', '/visits', { token })).status).toBe(401);
    expect((await new Browser().logIn({ token })).status).toBe(401);
  });

  it('is refused for a wrong password as a bearer token is, within the same limits', async () => {
    await chief();
    const browser = new Browser();
    for (let n = 0; n < 10; n++) {
      expect((await browser.logIn({ id: EMAIL, password: 'wrong' })).status).toBe(401);
    }
    const answer = await browser.logIn();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '900']);
  });
});

describe('a second factor by time', () => {
  it('is asked for after the password: until then the session is good for nothing else', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    const { code } = await enrol(browser, id);
    api.wait(STEP_MS);
    const other = new Browser();
    expect((await other.logIn()).body).toMatchObject({ status: 'second-factor', steppedUpUntil: null });
    const half = other.cookie;
    for (const path of ['/visits', `/accounts/${id}`, `/accounts/${id}/totp`]) {
      expect((await other.call('GET', path)).status).toBe(403);
    }
    expect((await other.call('POST', `/accounts/${id}/totp`)).status).toBe(403);
    expect((await other.call('POST', '/session/step-up', { code: code() })).status).toBe(403);
    expect((await other.call('POST', '/session/totp', { code: code() })).body).toMatchObject({
      status: 'open',
      method: 'second-factor',
      steppedUpUntil: expect.any(String),
      expiresOn: '2026-11-22T00:00:30.000Z',
    });
    // The secret of before is good no longer.
    expect(other.cookie).not.toBe(half);
    expect((await api.call('GET', '/session', { token: null, headers: { cookie: half ?? '' } })).status).toBe(
      401,
    );
    expect((await other.call('GET', '/visits')).status).toBe(200);
    // The password alone does not give a bearer token either.
    await expect(logIn(api, EMAIL)).rejects.toThrow();
  });

  it('a session that waits for it ends after minutes', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    const { code } = await enrol(browser, id);
    const other = new Browser();
    await other.logIn();
    api.wait(10 * MINUTE_MS);
    expect((await other.call('POST', '/session/totp', { code: code() })).status).toBe(401);
  });

  it('counts from its first code on, which a wrong clock may be a step off, and each code counts once', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    const code = appOf(await browser.call('POST', `/accounts/${id}/totp`));
    const confirm = (given: string) => browser.call('POST', `/accounts/${id}/totp/confirm`, { code: given });
    expect((await confirm('000000')).status).toBe(400);
    expect((await new Browser().logIn()).body).toMatchObject({ status: 'open' });
    const first = code();
    expect((await confirm(first)).status).toBe(200);
    expect((await confirm(first)).status).toBe(400);
    const show = async (given: string) => {
      const other = new Browser();
      await other.logIn();
      return (await other.call('POST', '/session/totp', { code: given })).status;
    };
    expect(await show(first)).toBe(400);
    api.wait(STEP_MS);
    const second = code();
    api.wait(STEP_MS);
    const third = code();
    expect(await show(third)).toBe(200);
    // Earlier ones do no longer, although their time is not over; later ones do.
    expect([await show(second), await show(third)]).toEqual([400, 400]);
    api.wait(STEP_MS);
    const fourth = code();
    api.wait(-STEP_MS);
    expect(await show(`${fourth.slice(0, 3)} ${fourth.slice(3)}`)).toBe(200);
    api.wait(3 * STEP_MS);
    const late = code();
    api.wait(2 * STEP_MS);
    expect(await show(late)).toBe(400);
  });

  it('is not guessed: five in a quarter of an hour, and thirty a day', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    const { code, recoveryCodes } = await enrol(browser, id);
    let refused = 0;
    for (let quarter = 0; quarter < 8; quarter++) {
      api.wait(15 * MINUTE_MS + 1);
      const other = new Browser();
      await other.logIn();
      for (let n = 0; n < 5; n++) {
        const { status } = await other.call('POST', '/session/totp', { code: '000000' });
        if (status === 400) refused++;
      }
      expect((await other.call('POST', '/session/totp', { code: code() })).status).toBe(429);
      // Recovery codes are not held up.
      if (quarter === 7) {
        const recovered = await other.call('POST', '/session/totp', { code: recoveryCodes[0] ?? '' });
        expect(recovered.status).toBe(200);
      }
    }
    expect(refused).toBe(30);
    api.wait(24 * HOUR_MS);
    const next = new Browser();
    await next.logIn();
    expect((await next.call('POST', '/session/totp', { code: code() })).status).toBe(200);
  });

  it('ends what was logged in by the password alone, and takes a fresh proof to be removed', async () => {
    const id = await chief();
    const [browser, other] = [new Browser(), new Browser()];
    await browser.logIn();
    await other.logIn();
    const token = await logIn(api, EMAIL);
    const { code } = await enrol(browser, id);
    expect((await other.call('GET', '/session')).status).toBe(401);
    expect((await api.call('GET', '/visits', { token })).status).toBe(401);
    api.wait(6 * MINUTE_MS);
    const remove = () => browser.call('DELETE', `/accounts/${id}/totp`);
    expect((await remove()).body).toMatchObject({ exception: { message: 'Step-up needed' } });
    expect((await browser.call('POST', '/session/step-up', { password: PASSWORD })).status).toBe(400);
    expect((await browser.call('POST', '/session/step-up', { code: '000000' })).status).toBe(400);
    const before = browser.cookie;
    const stepped = await browser.call('POST', '/session/step-up', { code: code() });
    expect(stepped).toMatchObject({ status: 200, body: { steppedUpUntil: '2026-11-21T12:11:00.000Z' } });
    expect(browser.cookie).not.toBe(before);
    expect(
      (await api.call('GET', '/session', { token: null, headers: { cookie: before ?? '' } })).status,
    ).toBe(401);
    expect((await remove()).status).toBe(204);
    expect((await browser.call('GET', '/session')).body).toMatchObject({
      factors: { totp: false, recoveryCodes: 0 },
    });
    expect((await api.audited()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['totp.add', 'totp.remove']),
    );
  });

  it('of another account is removed by who manages people, and added by no other', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    await enrol(browser, id);
    const [manager, customer] = [
      await api.session('the-operator'),
      await api.account('customer', { id: 'other', customerId: 'c1' }).then(() => api.session('other')),
    ];
    const by = async (headers: Headers, method: string, path: string) =>
      (await api.call(method, `/accounts/${id}${path}`, { token: null, headers })).status;
    expect(await by(manager, 'POST', '/totp')).toBe(403);
    expect(await by(manager, 'POST', '/passkeys/options')).toBe(403);
    expect(await by(manager, 'POST', '/recovery-codes')).toBe(403);
    for (const [method, path] of [
      ['POST', '/totp'],
      ['DELETE', '/totp'],
      ['GET', '/totp'],
      ['GET', '/passkeys'],
    ] as const) {
      expect(await by(customer, method, path)).toBe(404);
    }
    expect(await by(manager, 'DELETE', '/totp')).toBe(204);
    expect((await new Browser().logIn()).body).toMatchObject({ status: 'open' });
  });

  it('belongs to the login, not to the others of its account', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    await enrol(browser, id);
    const login = { id: 'second', accountId: id, name: 'anna@example.is', ssn: null, expiresAt: null };
    const passwordHash = await hashPassword(PASSWORD);
    await api.db.write(({ q }) => insertLogin(q, { ...login, passwordHash, createdAt: api.now() }));
    const anna = new Browser();
    expect((await anna.logIn({ id: 'anna@example.is', password: PASSWORD })).body).toMatchObject({
      status: 'open',
    });
    expect((await anna.call('DELETE', `/accounts/${id}/totp`)).status).toBe(404);
  });
});

describe('recovery codes', () => {
  it('are ten, come with the first factor, are good once each, and are replaced all at once', async () => {
    const id = await chief();
    const browser = new Browser();
    await browser.logIn();
    const { recoveryCodes } = await enrol(browser, id);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = '', second = ''] = recoveryCodes;
    const show = async (code: string) => {
      const other = new Browser();
      await other.logIn();
      return await other.call('POST', '/session/totp', { code });
    };
    expect((await show(first.toLowerCase().replaceAll('-', ' '))).body).toMatchObject({
      factors: { recoveryCodes: 9 },
    });
    expect((await show(first)).status).toBe(400);
    const renewed = await browser.call('POST', `/accounts/${id}/recovery-codes`);
    const [fresh = ''] = z.array(z.string()).parse(renewed.body['recoveryCodes']);
    expect((await show(second)).status).toBe(400);
    expect((await show(fresh)).status).toBe(200);
    for (let n = 0; n < 10; n++) await show('ABCD-EFGH-JKLM-NPQR');
    expect((await show('ABCD-EFGH-JKLM-NPQR')).status).toBe(429);
    const audited = await api.audited();
    expect(audited.filter(({ action }) => action === 'recovery-code.use')).toHaveLength(2);
    const dump = JSON.stringify(audited);
    for (const code of [...recoveryCodes, fresh]) expect(dump).not.toContain(code);
  });
});

describe('a cloud whose operators need a second factor', () => {
  beforeEach(async () => {
    await api.close();
    api = await createTestApi({ operatorsNeedSecondFactor: true });
  });

  it('leads an operator without one to set it up, and lets in nothing else until then', async () => {
    const id = await chief();
    const browser = new Browser();
    expect((await browser.logIn()).body).toMatchObject({ status: 'enrol' });
    expect((await browser.call('GET', '/visits')).status).toBe(403);
    expect((await browser.call('DELETE', `/accounts/${id}/totp`)).status).toBe(403);
    const before = browser.cookie;
    await enrol(browser, id);
    expect(browser.cookie).not.toBe(before);
    expect((await browser.call('GET', '/session')).body).toMatchObject({
      status: 'open',
      factors: { totp: true },
    });
    expect((await browser.call('GET', '/visits')).status).toBe(200);
  });

  it('asks nothing of others', async () => {
    await register(api, EMAIL, { role: 'customer' });
    expect((await new Browser().logIn()).body).toMatchObject({ status: 'open' });
  });
});

it('a fresh proof is the password where there is no second factor, within the limits of a login', async () => {
  await chief();
  const browser = new Browser();
  await browser.logIn();
  api.wait(6 * MINUTE_MS);
  const token = () => browser.call('POST', '/admin/create-role-bearer-token', { name: 'x', role: 'webhook' });
  expect((await token()).body).toMatchObject({ exception: { message: 'Step-up needed' } });
  expect((await browser.call('POST', '/session/step-up', { password: PASSWORD })).status).toBe(200);
  expect((await token()).status).toBe(200);
  api.wait(5 * MINUTE_MS);
  expect((await token()).status).toBe(403);
  for (let n = 0; n < 10; n++) {
    expect((await browser.call('POST', '/session/step-up', { password: 'wrong' })).status).toBe(400);
  }
  expect((await browser.call('POST', '/session/step-up', { password: PASSWORD })).status).toBe(429);
});
