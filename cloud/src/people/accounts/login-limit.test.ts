import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { eq } from '../../platform/db/sql.ts';
import { loginTable } from '../../records/accounts/account-table.ts';
import { type Attempting, countLoginAttempt, countRecovery, forgiveLoginAttempt } from './login-limit.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const after = (ms: number) => utcTime(millis(api.now()) + ms);
const attempt = (who: Attempting, at = api.now()) =>
  api.db.write(async ({ q }) => (await countLoginAttempt(q, who, at)).wait);
const recover = (who: Attempting) => api.db.write(({ q }) => countRecovery(q, who, api.now()));

/** How many of many attempts may go on. */
async function allowed(of: (n: number) => Promise<number | null>, tries: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < tries; n++) if ((await of(n)) === null) count++;
  return count;
}

describe('attempts in a quarter of an hour', () => {
  it.each<[string, (n: number) => Promise<number | null>, number]>([
    ['at one login from one address', () => attempt({ name: 'anna', address: 'a' }), 10],
    [
      'at one login, however it is typed',
      (n) => attempt({ name: n % 2 ? 'ANNA ' : 'anna', address: 'a' }),
      10,
    ],
    ['at many logins from one address', (n) => attempt({ name: `anna${n}`, address: 'a' }), 60],
    ['at many logins from many addresses', (n) => attempt({ name: `anna${n}`, address: `a${n}` }), 110],
    [
      'by a device that nobody knows',
      (n) => attempt({ name: 'anna', address: 'a', deviceUuid: `d${n}` }),
      10,
    ],
    ['to recover one login', (n) => recover({ name: 'anna', address: `a${n}` }), 3],
    ['to recover many logins from one address', (n) => recover({ name: `anna${n}`, address: 'a' }), 20],
  ])('%s are limited', async (_what, of, limit) => {
    expect(await allowed(of, 110)).toBe(limit);
  });

  it('by strangers everywhere never close a login: its owner has a try, and its browser all of its own', async () => {
    for (let n = 0; n < 1100; n++) await attempt({ name: 'anna', address: `a${n}` });
    const tries = () => attempt({ name: 'anna', address: 'home' });
    expect(await allowed(tries, 10)).toBe(1);
    await api.made('/accounts', {
      account: { role: 'operator', status: 'active' },
      authentication: { email: 'anna@example.is', password: 'þrjár gular kýr' },
    });
    const [login] = await api.db.read((q) =>
      q.select().from(loginTable).where(eq(loginTable.name, 'anna@example.is')),
    );
    const browser = { id: 'b', loginIds: [login?.id ?? ''], expires: 0 };
    const named = { name: 'anna@example.is', address: 'office' };
    for (let n = 0; n < 100; n++) await attempt({ ...named, address: `b${n}` });
    await allowed(() => attempt(named), 10);
    expect(await attempt(named)).not.toBeNull();
    expect(await allowed(() => attempt({ ...named, browser }), 20)).toBe(10);
    const stranger = { ...browser, loginIds: ['other'] };
    expect(await attempt({ ...named, browser: stranger })).not.toBeNull();
  });

  it('count from the first on, and say how long to wait', async () => {
    const anna = { name: 'anna', address: 'a' };
    await allowed((n) => attempt(anna, after(n * 1000)), 10);
    expect(await attempt(anna, after(10_000))).toBe(890);
    expect(await attempt(anna, after(10_001))).toBe(890);
    expect(await attempt(anna, after(15 * MINUTE_MS - 1))).toBe(1);
    expect(await attempt(anna, after(15 * MINUTE_MS))).toBe(1);
    expect(await attempt(anna, after(15 * MINUTE_MS + 1))).toBeNull();
  });

  it('that are refused use up no other limit', async () => {
    await allowed(() => attempt({ name: 'anna', address: 'a' }), 100);
    expect(await allowed((n) => attempt({ name: `other${n}`, address: 'a' }), 60)).toBe(50);
  });

  it('that were right are given back, to the address one for one', async () => {
    const anna = { name: 'anna', address: 'a' };
    await allowed((n) => attempt({ name: `other${n}`, address: 'a' }), 50);
    await allowed(() => attempt(anna), 10);
    await api.db.write(({ q }) => forgiveLoginAttempt(q, anna, { wait: null, against: 'address' }));
    expect(await attempt(anna)).toBeNull();
    expect(await attempt({ name: 'next', address: 'a' })).toBe(900);
    await api.db.write(({ q }) => forgiveLoginAttempt(q, anna, { wait: null, against: 'device' }));
    expect(await attempt({ name: 'next', address: 'a' })).toBe(900);
  });
});
