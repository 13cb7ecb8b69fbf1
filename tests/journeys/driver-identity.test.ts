import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSmtpServer } from '@hlid/cloud/test/smtp-server';
import { DRIVER_PATHS, ELECTRONIC_ID_PATHS } from '@hlid/protocol/pages/driver-paths';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { buildPayPage } from '../harness/build-pages.ts';
import { type OperatedCloud, startOperatedCloud } from '../harness/cloud-program.ts';
import { readMail } from '../harness/read-mail.ts';
import { waitFor } from '../harness/wait.ts';
import { CHROMIUM_IS_HERE, startChromium } from '../screens/chromium.ts';
import { AUDKENNI_CLIENT, type AudkenniPerson } from '../sim/audkenni-realm.ts';
import { AudkenniRestServer } from '../sim/audkenni-rest-server.ts';

const PHONE = { width: 390, height: 844 };
/** Each is called in one test, once: calls are limited for an hour. */
const ANNA = { phone: '6123456', ssn: '1201603389', name: 'Anna Jónsdóttir', plate: 'ABX12' };
const BO = { phone: '7123456', ssn: '0101307789', name: 'Bo Jónsson' };
const RING_MS = 120_000;
/** The time before a phone gives up at which a slow person answers. */
const LATE_MS = 20_000;

const PollSchema = z.object({ session: z.string(), bearerToken: z.string() });

describe.skipIf(!CHROMIUM_IS_HERE)('a driver with an electronic identity', () => {
  let folder: string;
  let audkenni: AudkenniRestServer;
  let mailServer: Awaited<ReturnType<typeof startSmtpServer>>;
  let operated: OperatedCloud;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let polls: z.infer<typeof PollSchema>[];
  const pageErrors: string[] = [];

  beforeAll(async () => {
    await buildPayPage(() => undefined);
    folder = mkdtempSync(join(tmpdir(), 'hlid-identity-'));
    audkenni = new AudkenniRestServer();
    await audkenni.start();
    audkenni.realm.startClock();
    mailServer = await startSmtpServer();
    const owned = { regno: ANNA.plate, owner: { ssn: ANNA.ssn, name: ANNA.name } };
    writeFileSync(join(folder, 'vehicles.json'), JSON.stringify([owned, { regno: 'KTM77' }]));
    const config = {
      testElectronicId: true,
      electronicId: { kind: 'audkenni-rest', url: audkenni.realm.url, ...AUDKENNI_CLIENT },
      vehicleRegistry: { file: 'vehicles.json' },
    };
    writeFileSync(join(folder, 'cloud.yaml'), stringify(config));
    operated = await startOperatedCloud({
      folder: join(folder, 'cloud'),
      env: { HLID_CLOUD_CONFIG: join(folder, 'cloud.yaml'), HLID_SMTP_URL: mailServer.url },
    });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await operated?.cloud.stop();
    await Promise.all([audkenni?.realm.stop(), mailServer?.stop()]);
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    context = await browser.newContext({
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      locale: 'is-IS',
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    page.setDefaultTimeout(deadline(15_000));
    page.on('pageerror', (error) => pageErrors.push(error.message));
    polls = [];
    page.on('request', (request) => {
      const isPoll = request.url().endsWith(ELECTRONIC_ID_PATHS.status);
      if (isPoll) polls.push(PollSchema.parse(request.postDataJSON()));
    });
  });
  afterEach(async () => {
    await context.close();
    expect([pageErrors, audkenni.realm.violations]).toEqual([[], []]);
  });

  const press = (name: string) => page.getByRole('button', { name, exact: true }).tap();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const open = () => page.goto(`${operated.cloud.httpUrl()}${DRIVER_PATHS.page}`);
  const rang = () => audkenni.realm.rang;
  const newest = () => rang().at(-1);

  function behaves({ phone, ssn, name }: typeof BO, does: AudkenniPerson['does'], afterMs = 1500): void {
    const { people } = audkenni.realm;
    people.splice(0, people.length, { phone, ssn, name, does, afterMs });
  }
  /** The code on the page, from which the phone's must not differ. */
  const codeShown = async () => await page.locator('.login-code strong').textContent();

  async function startsLogin(phone: string): Promise<void> {
    await page.getByRole('button', { name: 'Innskráning með rafrænum skilríkjum' }).tap();
    await page.getByLabel('Símanúmer').fill(phone);
    await press('Áfram');
  }
  /** Waits until the phone rings. The code was on the page before, and is the same. */
  async function rings(before: number): Promise<void> {
    await heading('Staðfestu í símanum');
    const code = await codeShown();
    await waitFor(() => rang().length > before, { what: 'the phone to ring' });
    expect(newest()?.code).toBe(code);
  }
  async function ends(words: string): Promise<void> {
    await heading('Ekki staðfest');
    await page.getByText(words).waitFor();
  }
  async function mailedLink(): Promise<string> {
    await waitFor(() => mailServer.received.length > 0, { what: 'a mail' });
    const [{ raw } = { raw: '' }] = mailServer.received.splice(0);
    return /http\S+\/pay\/driver#\S+/.exec(readMail(raw).text)?.[0] ?? '';
  }
  async function call(path: string, body: object, headers: Record<string, string> = {}): Promise<number> {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${operated.cloud.httpUrl()}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return response.status;
  }

  /** Tries what a thief can do with a poll token. */
  async function stealsThePollToken(): Promise<z.infer<typeof PollSchema>> {
    await waitFor(() => polls.length > 1, { what: 'a second poll' });
    const poll = polls.at(-1) ?? { session: '', bearerToken: '' };
    const { bearerToken } = poll;
    const authorization = `Bearer ${bearerToken}`;
    expect(await call(DRIVER_PATHS.logout, {}, { authorization })).toBe(401);
    expect(await call(DRIVER_PATHS.connectElectronicId, {}, { authorization })).toBe(401);
    expect(await call('/auth/login', {}, { 'x-api-key': bearerToken })).toBe(401);
    for (const session of [bearerToken, 'another']) {
      expect(await call(ELECTRONIC_ID_PATHS.status, { session, bearerToken })).toBe(404);
    }
    return poll;
  }

  it('has no account by itself, connects it after a login by mail, logs in by it, and adds a car', async () => {
    const email = 'anna@example.is';
    const before = rang().length;
    behaves(ANNA, 'accept');
    await open();
    await startsLogin(ANNA.phone);
    await rings(before);
    await ends('Enginn aðgangur fannst.');
    await press('Innskráning með tölvupósti');
    await page.getByLabel('Netfang').fill(email);
    await press('Senda mér hlekkinn');
    await heading('Skoðaðu tölvupóstinn');
    await page.goto(await mailedLink());
    await page.getByRole('button', { name: 'Skrá mig inn' }).click();
    await heading('Sjálfvirk greiðsla');
    await press('Tengja rafræn skilríki');
    await page.getByLabel('Auðkennisappið').check();
    await page.getByLabel('Kennitala').fill(ANNA.ssn.replace(/^\d{6}/, '$&-'));
    await press('Áfram');
    await rings(before + 1);
    expect(newest()).toMatchObject({ method: 'app', text: 'Tengja við aðgang hjá bílastæði' });
    await page.getByText('Tengd. Þú getur skráð þig inn með þeim.').waitFor();
    await press('Skrá út');
    behaves(ANNA, 'accept', RING_MS - LATE_MS);
    polls = [];
    await startsLogin(ANNA.phone);
    await rings(before + 2);
    // The page was loaded again meanwhile, as by a telephone that had too much to do.
    const code = await codeShown();
    await page.reload();
    expect(await codeShown()).toBe(code);
    const poll = await stealsThePollToken();
    audkenni.realm.now += RING_MS - LATE_MS;
    await page.getByText(email).waitFor();
    expect(await call(ELECTRONIC_ID_PATHS.status, poll)).toBe(404);
    expect(rang()).toHaveLength(before + 3);
    await page.getByLabel('Bílnúmer').fill('KTM77');
    await press('Bæta við');
    await page.getByText('Bíllinn er ekki skráður á þig í ökutækjaskrá.').waitFor();
    await page.getByLabel('Bílnúmer').fill(ANNA.plate.toLowerCase());
    await press('Bæta við');
    await page.getByRole('button', { name: `Fjarlægja ${ANNA.plate}` }).waitFor();
    expect(page.url()).toBe(`${operated.cloud.httpUrl()}${DRIVER_PATHS.page}`);
  });

  it('sees the result after refusing, not answering or cancelling on the page, and may try again', async () => {
    behaves(BO, 'mssp_401');
    await open();
    const before = rang().length;
    await startsLogin(BO.phone);
    await rings(before);
    await ends('Hætt var við innskráningu í símanum.');
    behaves(BO, 'ignore');
    await press('Reyna aftur');
    await press('Áfram');
    await rings(before + 1);
    audkenni.realm.now += RING_MS;
    await ends('Ekkert svar barst frá símanum í tæka tíð.');
    await press('Reyna aftur');
    await press('Áfram');
    await rings(before + 2);
    await press('Hætta við');
    await heading('Innskráning');
    // A poll may be under way while it is cancelled.
    const cancelled = polls.length;
    await page.reload();
    // One refusal counts as three starts: no further login can make this phone ring from here.
    await startsLogin(BO.phone);
    await page.getByText(/^Of margar tilraunir\. Reyndu aftur eftir \d+ mín\.$/).waitFor();
    expect([rang().length - before, polls.length - cancelled]).toEqual([3, 0]);
  });
});
