import { describe, expect, it } from 'vitest';
import type { Json } from '../../../test/api.ts';
import { EMAIL, NEW, OLD, useLogins } from '../../../test/logins.ts';

const logins = useLogins();
const { register, logIn, tokenOf, loginId, works } = logins;

describe('a change of password', () => {
  const change = async (body: Json, token = logins.api.operator, of = logins.id) =>
    await logins.api.call('POST', `/accounts/${of}/change-password`, {
      token,
      body: { tokenId: await loginId(), password: NEW, ...body },
    });

  it('by its holder takes the one before, and logs out everywhere', async () => {
    const [here, there] = [await tokenOf(), await tokenOf({ device_uuid: 'd2' })];
    logins.api.wait(16 * 60_000);
    expect((await change({}, here)).body['messages']).toEqual([expect.stringContaining('currentPassword')]);
    const wrong = await change({ currentPassword: 'guess' }, here);
    expect(wrong).toMatchObject({ status: 400, body: { messages: ['currentPassword: is not right'] } });
    expect(await works(here)).toBe(true);
    expect((await change({ currentPassword: OLD }, here)).status).toBe(204);
    expect([await works(here), await works(there)]).toEqual([false, false]);
    expect([(await logIn()).status, (await logIn({ password: NEW })).status]).toEqual([401, 200]);
    const audited = (await logins.api.audited()).find(({ action }) => action === 'password.change');
    expect(audited).toMatchObject({
      by: `account:${logins.id}`,
      subjectId: logins.id,
      after: { email: EMAIL },
    });
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

  it('by an operator takes none for another person, but for their own', async () => {
    expect((await change({})).status).toBe(204);
    expect((await logIn({ password: NEW })).status).toBe(200);
    const boss = await register('boss@example.is', { role: 'operator' }, null);
    const token = await tokenOf({ id: 'boss@example.is' });
    logins.api.wait(16 * 60_000);
    expect((await change({ tokenId: await loginId(boss) }, token, boss)).status).toBe(400);
  });

  it('of another person’s account or login is refused', async () => {
    const { body } = await logins.api.call('GET', `/accounts/${logins.id}`);
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
    expect((await logins.api.call('GET', `/accounts/${logins.id}`, { token })).status).toBe(403);
    expect((await change({}, token)).status).toBe(204);
    expect([await works(session), (await logIn({ password: NEW })).status]).toEqual([false, 200]);
    expect((await logIn({ provider: 'change-password' })).status).toBe(401);
  });
});
