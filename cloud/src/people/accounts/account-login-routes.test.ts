import { HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../test/api.ts';
import { EMAIL, NEW, useLogins } from '../../../test/logins.ts';

const logins = useLogins();
const { register, logIn, tokenOf, loginId, works } = logins;

describe('logins', () => {
  it('are listed, added, and the new one works until it expires', async () => {
    const path = `/accounts/${logins.id}/logins`;
    logins.api.wait(1);
    const expire = utcTime(millis(logins.api.now()) + HOUR_MS);
    const body = { email: 'Anna2@example.is', password: NEW, expire, ssn: '530575-0209' };
    const made = await logins.api.call('POST', path, { body });
    expect([made.status, made.location]).toEqual([303, path]);
    const listed = await logins.api.call('GET', path);
    expect(listed.body).toMatchObject({ total: 2, data: [{ email: EMAIL }, { email: 'anna2@example.is' }] });
    expect(JSON.stringify(listed.body)).not.toMatch(/password|argon/);
    const token = await tokenOf({ id: 'anna2@example.is', password: NEW });
    logins.api.wait(HOUR_MS);
    expect(await works(token)).toBe(false);
    expect((await logIn({ id: 'anna2@example.is', password: NEW })).status).toBe(401);
    expect((await logIn()).status).toBe(200);
  });

  it('of a taken address are answered with what is there', async () => {
    const tokenId = await loginId();
    const body = { email: EMAIL, password: NEW };
    const answer = await logins.api.call('POST', '/accounts/the-operator/logins', { body });
    expect(answer).toMatchObject({ status: 422, body: { id: tokenId } });
  });

  it.each([
    ['nothing', {}, 2],
    ['a password alone', { password: NEW }, 1],
    ['a national id and an address without a password', { email: 'b@example.is', ssn: '120174-3399' }, 1],
    ['a common password', { email: 'b@example.is', password: 'Lykilorð12345' }, 1],
    ['unknown fields', { email: 'b@example.is', password: NEW, admin: true }, 1],
  ])('of %s are refused', async (_what, body, mistakes) => {
    const answer = await logins.api.call('POST', `/accounts/${logins.id}/logins`, { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toHaveLength(mistakes);
  });

  it('of an account that is not there are 404', async () => {
    const body = { email: 'b@example.is', password: NEW };
    expect((await logins.api.call('POST', '/accounts/none/logins', { body })).status).toBe(404);
    expect((await logins.api.call('GET', '/accounts/none/logins')).status).toBe(404);
    expect((await logins.api.call('DELETE', '/accounts/none/logins?email=x')).status).toBe(404);
  });

  it('are seen by their holder; a colleague’s are denied, a stranger’s are not there', async () => {
    const { body } = await logins.api.call('GET', `/accounts/${logins.id}`);
    const customerId = (body['customer'] as Json)['id'];
    const colleague = await register('bo@example.is', { customerId }, null);
    const stranger = await register('cal@example.is');
    const token = await tokenOf();
    const status = async (of: string) =>
      (await logins.api.call('GET', `/accounts/${of}/logins`, { token })).status;
    expect([await status(logins.id), await status(colleague), await status(stranger)]).toEqual([
      200, 403, 404,
    ]);
  });

  it('are moved to another account; what was logged in by them is logged out', async () => {
    const other = await register('bo@example.is');
    const [token, others] = [await tokenOf(), await tokenOf({ id: 'bo@example.is' })];
    const body = { email: EMAIL, newAccountId: other };
    const moved = await logins.api.call('PUT', `/accounts/${logins.id}/logins`, { body });
    expect(moved).toMatchObject({ status: 303, location: `/accounts/${other}/logins` });
    expect(moved.body).toMatchObject({ accountId: other, email: EMAIL });
    expect([await works(token), await works(others)]).toEqual([false, true]);
    expect((await logIn()).body['account']).toMatchObject({ id: other });
    expect((await logins.api.call('PUT', `/accounts/${logins.id}/logins`, { body })).status).toBe(404);
    const bySsn = { ssn: '120160-3389', newAccountId: logins.id };
    const back = await logins.api.call('PUT', `/accounts/${other}/logins`, { body: bySsn });
    expect(back.body).toMatchObject({ accountId: logins.id, ssn: '1201603389' });
  });

  it('by electronic identity only have a national id, and nothing else', async () => {
    const path = `/accounts/${logins.id}/logins`;
    const made = await logins.api.call('POST', path, { body: { ssn: '120174-3399' } });
    expect(made).toMatchObject({ status: 303, body: { email: null, ssn: '1201743399' } });
    expect((await logIn({ id: '1201743399', password: 'null' })).status).toBe(401);
    expect((await logins.recover('1201743399')).status).toBe(202);
    expect(await logins.mails()).toEqual([]);
    expect((await logins.api.call('DELETE', `${path}?ssn=1201743399`)).status).toBe(204);
  });

  it('of a national id that another login has are answered with that one, whosever it is', async () => {
    const tokenId = await loginId();
    for (const account of [logins.id, 'the-operator']) {
      const body = { ssn: '1201603389' };
      const answer = await logins.api.call('POST', `/accounts/${account}/logins`, { body });
      expect(answer).toMatchObject({ status: 422, body: { id: tokenId } });
    }
    const account = { role: 'customer', status: 'active' };
    const body = { account, authentication: { ssn: '120160-3389' } };
    const answer = await logins.api.call('POST', '/accounts', { body });
    expect(answer).toMatchObject({ status: 422, body: { id: logins.id } });
  });

  it.each([
    ['to nobody', { email: EMAIL, newAccountId: 'none' }],
    ['without a name', { newAccountId: 'the-operator' }],
    ['by two names', { email: EMAIL, ssn: '1201603389', newAccountId: 'the-operator' }],
  ])('are not moved %s', async (_what, body) => {
    expect((await logins.api.call('PUT', `/accounts/${logins.id}/logins`, { body })).status).toBe(400);
  });

  it.each(['email=ANNA%40example.is', 'ssn=120160-3389'])('are deleted by %s', async (query) => {
    const token = await tokenOf();
    expect((await logins.api.call('DELETE', `/accounts/${logins.id}/logins?${query}`)).status).toBe(204);
    expect(await works(token)).toBe(false);
    expect((await logIn()).status).toBe(401);
    expect((await logins.api.call('DELETE', `/accounts/${logins.id}/logins?${query}`)).status).toBe(404);
    expect((await logins.api.call('DELETE', `/accounts/${logins.id}/logins`)).status).toBe(400);
    expect((await logins.api.audited()).map(({ action }) => action)).toContain('login.delete');
  });
});
