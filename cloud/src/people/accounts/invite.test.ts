import { describe, expect, it } from 'vitest';
import type { Json } from '../../../test/api.ts';
import { EMAIL, NEW, useLogins } from '../../../test/logins.ts';

const logins = useLogins();
const { mails, linkToken } = logins;

const NEW_EMAIL = 'nyr@example.is';
const invite = (email: string, fields: Json = {}) =>
  logins.api.call('POST', `/accounts/${logins.id}/invite`, { body: { email, language: 'en', ...fields } });
const choose = async (token: string) => {
  const form = new URLSearchParams({ token, password: NEW, lang: 'en' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await logins.api.app.request('/recover', { method: 'POST', body: form.toString(), headers }))
    .status;
};

describe('an invitation', () => {
  it('makes the login where there is none, and says that it has no password', async () => {
    expect((await invite(NEW_EMAIL)).status).toBe(303);
    expect(await mails()).toMatchObject([
      { to: NEW_EMAIL, kind: 'invitation', subject: 'Your access to Hlið' },
    ]);
    const { body } = await logins.api.call('GET', `/accounts/${logins.id}/logins`);
    expect(body['data']).toMatchObject([
      { email: EMAIL, hasPassword: true },
      { email: NEW_EMAIL, hasPassword: false },
    ]);
  });

  it('again has a new link, and the earlier one is good no longer', async () => {
    await invite(NEW_EMAIL);
    const first = await linkToken();
    await invite(NEW_EMAIL, { language: 'is' });
    const second = await linkToken();
    expect([await choose(first), await choose(second)]).toEqual([410, 200]);
    expect((await logins.logIn({ id: NEW_EMAIL, password: NEW })).status).toBe(200);
    const audited = (await logins.api.audited()).map(({ action }) => action);
    expect(audited.filter((action) => action.startsWith('login.'))).toEqual(
      expect.arrayContaining(['login.create', 'login.invite']),
    );
  });

  it('is refused for a person with a password, another account’s login, and an account that is not active', async () => {
    expect(await invite(EMAIL)).toMatchObject({ status: 400 });
    await logins.register('b@example.is');
    expect((await invite('b@example.is')).status).toBe(422);
    await invite(NEW_EMAIL);
    await logins.api.call('PUT', `/accounts/${logins.id}`, { body: { status: 'inactive' } });
    expect((await invite(NEW_EMAIL)).status).toBe(400);
    expect((await invite('third@example.is')).status).toBe(400);
    expect((await mails()).filter(({ to }) => to === 'third@example.is')).toEqual([]);
  });
});
