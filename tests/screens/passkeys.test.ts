import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OperatedCloud, startOperatedCloud } from '../harness/cloud-program.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';

const AnswerSchema = z.object({ status: z.number(), body: z.record(z.string(), z.unknown()) });
type Answer = z.infer<typeof AnswerSchema>;

/**
 * The script of a page of the console: asks for options, lets the browser show a passkey, sends the result.
 */
const PAGE_SCRIPT = `
  globalThis.call = async (method, path, body) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  globalThis.make = async (account, changes = {}) => {
    const { body } = await call('POST', '/accounts/' + account + '/passkeys/options');
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({ ...body, ...changes });
    return (await navigator.credentials.create({ publicKey })).toJSON();
  };
  globalThis.show = async (path) => {
    const { body } = await call('POST', path);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  };
`;

describe.skipIf(!CHROMIUM_IS_HERE)('a passkey', () => {
  let browser: Browser;
  let operated: OperatedCloud;
  let folder: string;
  let address: string;
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId: string;
  let account: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-passkeys-'));
    operated = await startOperatedCloud({ folder });
    // Browsers make no passkeys at an address without a name.
    address = `http://localhost:${new URL(operated.cloud.httpUrl()).port}`;
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await operated?.cloud.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
    devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
    const verified = { hasUserVerification: true, isUserVerified: true };
    const added = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, ...verified },
    });
    authenticatorId = added.authenticatorId;
    // A page of the cloud, as its browser sees it; the console is to be there.
    await page.route(`${address}/page`, (route) => route.fulfill({ body: '', contentType: 'text/html' }));
    await page.goto(`${address}/page`);
    await page.evaluate(PAGE_SCRIPT);
    const opened = await call('POST', '/session', operated.operatorLogin);
    account = z.looseObject({ id: z.string() }).parse(opened.body['account']).id;
  });

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? '' : `, ${JSON.stringify(body)}`;
    return AnswerSchema.parse(await page.evaluate(`call('${method}', '${path}'${sent})`));
  }

  const made = () => page.evaluate(`make('${account}')`);
  const shown = (path: string) => page.evaluate(`show('${path}')`);
  const cookies = async () =>
    (await page.context().cookies(address)).map(({ name, value }) => ({ name, value }));

  it('is made, logs in without a password, steps up, and opens nothing once it is removed', async () => {
    const response = await made();
    const added = await call('POST', `/accounts/${account}/passkeys`, { name: 'Fartölva', response });
    expect(added.status, JSON.stringify(added.body)).toBe(200);
    expect(z.array(z.string()).parse(added.body['recoveryCodes'])).toHaveLength(10);
    // A passkey's answer is valid for one question.
    expect((await call('POST', `/accounts/${account}/passkeys`, { name: 'x', response })).status).toBe(400);

    // The password alone does no more.
    expect((await call('POST', '/session', operated.operatorLogin)).body).toMatchObject({
      status: 'second-factor',
    });
    const before = await cookies();
    const proof = await shown('/session/passkey/options');
    expect((await call('POST', '/session/passkey/verify', proof)).body).toMatchObject({
      status: 'open',
      method: 'passkey',
      factors: { passkeys: 1 },
    });
    expect(await cookies()).not.toEqual(before);
    // A page sees nothing of it.
    expect(await page.evaluate('document.cookie')).toBe('');
    // An eavesdropper gets nothing by the answer.
    expect((await call('POST', '/session/passkey/verify', proof)).status).toBe(401);
    expect((await call('GET', '/session')).status).toBe(200);

    // An answer to one question is none to another.
    const toStepUp = await shown('/session/step-up/options');
    expect((await call('POST', '/session/passkey/verify', toStepUp)).status).toBe(401);
    const fresh = await shown('/session/step-up/options');
    expect((await call('POST', '/session/step-up', { passkey: fresh })).status).toBe(200);

    const { body } = await call('GET', `/accounts/${account}/passkeys`);
    const [row] = z.array(z.looseObject({ id: z.string(), name: z.string() })).parse(body['data']);
    expect(row).toMatchObject({ name: 'Fartölva', usedOn: expect.any(String) });
    const path = `/accounts/${account}/passkeys/${row?.id}`;
    expect((await call('PUT', path, { name: 'Vinnutölva' })).body).toMatchObject({ name: 'Vinnutölva' });

    // A copy of the passkey falls behind with its counter.
    const [credential] = (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    if (credential === undefined) throw new Error('the browser has no passkey');
    await devtools.send('WebAuthn.removeCredential', {
      authenticatorId,
      credentialId: credential.credentialId,
    });
    await devtools.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    const copied = await shown('/session/passkey/options');
    const refused = await call('POST', '/session/passkey/verify', copied);
    expect([refused.status, refused.body['codes']]).toEqual([
      401,
      [expect.objectContaining({ code: 'passkey-counter' })],
    ]);

    expect((await call('DELETE', path)).status).toBe(204);
    const gone = await shown('/session/passkey/options');
    expect((await call('POST', '/session/passkey/verify', gone)).status).toBe(401);
    expect((await call('POST', '/session', operated.operatorLogin)).body).toMatchObject({ status: 'open' });
  });

  it('is refused if its device does not verify the holder, whatever the page requests', async () => {
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'usb', hasUserVerification: false },
    });
    await expect(made()).rejects.toThrow('NotAllowedError');
    const lax = { userVerification: 'discouraged', residentKey: 'discouraged', requireResidentKey: false };
    const changes = JSON.stringify({ authenticatorSelection: lax });
    const response = await page.evaluate(`make('${account}', ${changes})`);
    expect((await call('POST', `/accounts/${account}/passkeys`, { name: 'x', response })).status).toBe(400);
  });

  it('is of no use, nor is the session, to a page of another origin', async () => {
    const [{ name = '', value = '' } = {}] = await cookies();
    expect(name).toBe('__Host-hlid');
    const product = JSON.stringify({ name: 'x', role: 'webhook' });
    const stolen = await fetch(`${address}/admin/create-role-bearer-token`, {
      method: 'POST',
      headers: { cookie: `${name}=${value}`, 'content-type': 'application/json' },
      body: product,
    });
    expect(stolen.status).toBe(403);
    // Another port is another origin, and the same site: the browser sends the cookie along.
    const elsewhere = await page.context().newPage();
    await elsewhere.route('http://localhost:1/', (route) => {
      const body = `<form method="post" action="${address}/session"><button>Win</button></form>`;
      return route.fulfill({ body, contentType: 'text/html' });
    });
    await elsewhere.goto('http://localhost:1/');
    const [sent] = await Promise.all([
      elsewhere.waitForResponse(`${address}/session`),
      elsewhere.getByRole('button').click(),
    ]);
    expect((await sent.request().allHeaders())['cookie']).toContain(value);
    expect(sent.status()).toBe(403);
    expect((await call('GET', '/session')).status).toBe(200);
  });
});
