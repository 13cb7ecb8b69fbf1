import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { describe, expect, it } from 'vitest';
import { API_KEY, type Json } from '../../../test/api.ts';
import { EMAIL, NEW, OLD, useLogins } from '../../../test/logins.ts';
import { accountTable, loginTable } from '../../records/accounts/account-table.ts';

const logins = useLogins();
const { register, logIn, tokenOf, loginId, recover, mails, linkToken } = logins;

describe('a forgotten password', () => {
  it('is set again by the link of a mail, once', async () => {
    expect((await recover('ANNA@example.is ')).status).toBe(202);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: EMAIL, kind: 'recover-password', subject: 'New password' });
    const password = await linkToken();
    const token = await tokenOf({ provider: 'lost-password', password });
    const tokenId = await loginId();
    const set = (body: Json) =>
      logins.api.call('POST', `/accounts/${logins.id}/change-password`, { token, body });
    expect((await set({ tokenId, password: NEW })).status).toBe(204);
    expect((await logIn({ password: NEW })).status).toBe(200);
    expect((await set({ tokenId, password: OLD })).status).toBe(401);
    expect((await logIn({ provider: 'lost-password', password })).status).toBe(401);
  });

  it('gives a token for that login only, for 15 minutes', async () => {
    logins.api.wait(1);
    await logins.api.call('POST', `/accounts/${logins.id}/logins`, {
      body: { email: 'b@example.is', password: OLD },
    });
    await recover('b@example.is');
    const token = await tokenOf({
      provider: 'lost-password',
      id: 'b@example.is',
      password: await linkToken(),
    });
    const body = { tokenId: await loginId(), password: NEW };
    const path = `/accounts/${logins.id}/change-password`;
    expect((await logins.api.call('POST', path, { token, body })).status).toBe(404);
    for (const [method, at] of [
      ['GET', '/accounts'],
      ['PUT', `/accounts/${logins.id}`],
      ['GET', '/visits'],
      ['DELETE', `/accounts/${logins.id}/tokens/x`],
    ] as const) {
      expect((await logins.api.call(method, at, { token })).status, `${method} ${at}`).toBe(403);
    }
    logins.api.wait(15 * MINUTE_MS);
    expect((await logins.api.call('POST', path, { token, body })).status).toBe(401);
  });

  it('lies in the queue without its secret, which is made when it is sent', async () => {
    await recover();
    const [before] = await mails();
    expect(before?.text).toContain('/recover?token={secret}');
    logins.api.wait(60 * MINUTE_MS);
    const password = await linkToken();
    expect(password).toHaveLength(43);
    const { id } = (await mails())[0] ?? { id: '' };
    expect(JSON.stringify([await mails(), (await logins.api.call('GET', `/mail/${id}`)).body])).not.toContain(
      password,
    );
    expect((await logIn({ provider: 'lost-password', password })).status).toBe(200);
  });

  it('is set again on the page to which the link leads, once, and by no common word', async () => {
    await recover();
    const token = await linkToken();
    const { api } = logins;
    const page = async (path: string) => {
      const response = await api.app.request(path);
      return { status: response.status, text: await response.text() };
    };
    const form = await page(`/recover?token=${token}&lang=en`);
    expect([form.status, form.text]).toEqual([
      200,
      expect.stringContaining('<form method="post" action="recover">'),
    ]);
    expect((await page('/recover?token=nonsense')).status).toBe(410);
    expect((await page(`/recover?token=${encodeURIComponent('"><script>')}`)).text).not.toContain('<script>');
    const send = async (password: string) => {
      const body = new URLSearchParams({ token, password, lang: 'en' });
      const response = await api.app.request('/recover', { method: 'POST', body });
      return [response.status, await response.text()] as const;
    };
    const old = await tokenOf();
    expect(await send('password1')).toEqual([400, expect.stringContaining('role="alert"')]);
    expect(await send(NEW)).toEqual([200, expect.stringContaining('The password is saved.')]);
    expect(await send(OLD)).toEqual([410, expect.stringContaining('no longer valid')]);
    expect([(await logIn({ password: NEW })).status, (await logIn()).status]).toEqual([200, 401]);
    expect(await logins.works(old)).toBe(false);
  });

  it('is asked for on the login page, in its language, and from no page of another', async () => {
    const { api } = logins;
    const body = { email: EMAIL, language: 'is' };
    const ask = (site: string) =>
      api.call('POST', '/session/forgotten-password', {
        token: null,
        headers: { 'sec-fetch-site': site },
        body,
      });
    expect((await ask('cross-site')).status).toBe(403);
    expect(await mails()).toEqual([]);
    expect((await ask('same-origin')).status).toBe(202);
    expect(await mails()).toMatchObject([{ to: EMAIL, kind: 'recover-password', subject: 'Nýtt lykilorð' }]);
  });

  it('is chosen first by a person invited, by a link that is good for a week and once', async () => {
    const { api } = logins;
    const account = { role: 'operator', status: 'active', name: 'Karl' } as const;
    const invited = { email: 'karl@example.is', invite: 'en' };
    const made = await api.call('POST', '/accounts', { body: { account, authentication: invited } });
    expect(made.status).toBe(303);
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: 'karl@example.is', kind: 'invitation', subject: 'Your access to Hlið' });
    const { body: shown } = await api.call('GET', `/mail/${mail?.id}`);
    expect(shown['text']).toBeNull();
    const token = await linkToken();
    api.wait(6 * 24 * 60 * MINUTE_MS);
    const body = new URLSearchParams({ token, password: NEW, lang: 'en' });
    const send = async () => (await api.app.request('/recover', { method: 'POST', body })).status;
    expect([await send(), await send()]).toEqual([200, 410]);
    expect((await logIn({ id: 'karl@example.is', password: NEW })).status).toBe(200);
  });

  it.each([
    { invite: 'en' },
    { email: 'karl@example.is', invite: 'en', password: 'þrjár gular kýr' },
    { email: 'karl@example.is', invite: 'fi' },
  ])('is no invitation: %j', async (authentication) => {
    const account = { role: 'operator', status: 'active', name: 'Karl' };
    const { status } = await logins.api.call('POST', '/accounts', { body: { account, authentication } });
    expect([status, await mails()]).toEqual([400, []]);
  });

  it('is not set again once the account is deactivated or the login has run out', async () => {
    await recover();
    const password = await linkToken();
    const status = async () => (await logIn({ provider: 'lost-password', password })).status;
    const { db } = logins.api;
    await db.write(({ q }) => Promise.resolve(q.update(accountTable).set({ status: 'inactive' })));
    expect(await status()).toBe(401);
    await db.write(async ({ q }) => {
      await q.update(accountTable).set({ status: 'active' });
      await q.update(loginTable).set({ expiresAt: logins.api.now() });
    });
    expect(await status()).toBe(401);
    await db.write(({ q }) => Promise.resolve(q.update(loginTable).set({ expiresAt: null })));
    expect(await status()).toBe(200);
  });

  it('takes the link within 15 minutes, of the address that it was sent to', async () => {
    await register('bo@example.is');
    await recover();
    const password = await linkToken();
    expect((await logIn({ provider: 'lost-password', id: 'bo@example.is', password })).status).toBe(401);
    logins.api.wait(15 * MINUTE_MS);
    expect((await logIn({ provider: 'lost-password', password })).status).toBe(401);
  });

  it('is answered the same for an address that belongs to no account, and no mail goes out', async () => {
    const [known, unknown] = [await recover(), await recover('nobody@example.is')];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await mails()).toHaveLength(1);
    for (let n = 0; n < 2; n++) await Promise.all([recover(), recover('nobody@example.is')]);
    expect([(await recover()).status, (await recover('nobody@example.is')).status]).toEqual([429, 429]);
    expect(await mails()).toHaveLength(3);
  });

  it('of a login that is no address sends nothing', async () => {
    await logins.api.db.write(async ({ q }) => void (await q.update(loginTable).set({ name: 'operator' })));
    expect((await recover('operator')).status).toBe(202);
    expect(await mails()).toEqual([]);
  });

  it('by one link twice at the same time is set again once', async () => {
    await recover();
    const password = await linkToken();
    const tries = await Promise.all(
      ['d1', 'd2', 'd3'].map((device_uuid) => logIn({ provider: 'lost-password', password, device_uuid })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('of an account that is not active, or a login that has run out, sends nothing', async () => {
    await logins.api.db.write(
      async ({ q }) => void (await q.update(accountTable).set({ status: 'inactive' })),
    );
    expect((await recover()).status).toBe(202);
    await logins.api.db.write(async ({ q }) => {
      await q.update(accountTable).set({ status: 'active' });
      await q.update(loginTable).set({ expiresAt: logins.api.now() });
    });
    expect((await recover()).status).toBe(202);
    expect(await mails()).toEqual([]);
  });

  it('is written about in Icelandic where no customer says otherwise; no secret is kept in the audit log', async () => {
    await register('boss@example.is', { role: 'operator' }, null);
    await recover('boss@example.is');
    expect(await mails()).toMatchObject([{ subject: 'Nýtt lykilorð' }]);
    expect(JSON.stringify(await logins.api.audited())).not.toContain(await linkToken());
  });

  it('is recovered with an API key and an address', async () => {
    const without = { token: null, body: { email: EMAIL } };
    expect((await logins.api.call('POST', '/accounts/recover-password', without)).status).toBe(401);
    const headers = { 'x-api-key': API_KEY };
    const body = { mail: EMAIL };
    expect((await logins.api.call('POST', '/accounts/recover-password', { headers, body })).status).toBe(400);
  });
});
