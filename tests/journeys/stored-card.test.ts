import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSmtpServer } from '@hlid/cloud/test/smtp-server';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { aheadClock } from '../harness/ahead-clock.ts';
import { buildPayPage } from '../harness/build-pages.ts';
import { listOf } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { readMail } from '../harness/read-mail.ts';
import { waitFor } from '../harness/wait.ts';
import { CHROMIUM_IS_HERE, startChromium } from '../screens/chromium.ts';
import { VerifoneSimulator } from '../sim/verifone-gateway.ts';
import { VERIFONE_CARDS } from '../sim/verifone-gateway-books.ts';

/** The site's clock is slow by more than the age at which a report is late, and nothing is late all the same. */
const SLOW_MS = 16 * MINUTE_MS;
const PHONE = { width: 390, height: 844 };

const InvoicesSchema = listOf(z.looseObject({ status: z.string(), visitId: z.string().nullable() }));

describe.skipIf(!CHROMIUM_IS_HERE)('a driver with a stored card', () => {
  let folder: string;
  let verifone: VerifoneSimulator;
  let mailServer: Awaited<ReturnType<typeof startSmtpServer>>;
  let network: Network;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const plate = 'STC20';
  const pageErrors: string[] = [];

  beforeAll(async () => {
    await buildPayPage(() => undefined);
    folder = mkdtempSync(join(tmpdir(), 'hlid-stored-card-'));
    verifone = new VerifoneSimulator();
    await verifone.start();
    mailServer = await startSmtpServer();
    const file = join(folder, 'cloud.yaml');
    writeFileSync(file, stringify({ cardGateways: [verifone.settings()], cardGateway: 'verifone' }));
    const clock = aheadClock(join(folder, 'clock-ahead'));
    clock.set(-SLOW_MS);
    network = await startNetwork({
      // The same car drives out and in again faster than a real one can.
      settings: { entryGraceMinutes: 0, sameCarMs: 0 },
      edgeEnv: clock.env,
      cloudEnv: {
        HLID_CLOUD_CONFIG: file,
        HLID_SMTP_URL: mailServer.url,
        HLID_MAIL_FROM: 'Hlið <hlid@example.is>',
      },
    });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await Promise.all([verifone?.stop(), mailServer?.stop()]);
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
  });
  afterEach(() => context.close());

  const { good, mastercard, 'no-funds': withoutFunds } = VERIFONE_CARDS;
  const books = () => verifone.service.books;
  const press = (name: string | RegExp) => page.getByRole('button', { name }).tap();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();

  async function isOut(lane: string, before: number): Promise<void> {
    await network.lane(lane).opensAfter(before, 10_000);
    await network.settled();
  }
  async function drivesIn(lane: string): Promise<void> {
    expect(await network.lane(lane).passes(plate)).toMatchObject({ open: true });
    await network.settled();
  }
  async function standsAtExit(lane: string): Promise<void> {
    const passage = await network.lane(lane).passes(plate);
    expect(passage).toMatchObject({ open: false, reason: 'need-payment' });
  }
  async function finds(): Promise<void> {
    await page.goto(`${network.cloud.httpUrl()}/pay/${network.site.siteId}`);
    await page.getByLabel('Bílnúmer').fill(plate);
    await press('Finna bílinn');
  }
  async function pays(number: string, more: () => Promise<void> = async () => {}): Promise<void> {
    await press(/^Greiða 500\skr\./);
    await page.getByLabel('Kortanúmer').fill(number);
    await page.getByLabel('Gildir til').fill('1230');
    await page.getByLabel('Öryggisnúmer').fill('123');
    await more();
    await press(/^Greiða /);
    await heading('Greitt. Takk fyrir!');
  }
  /** The text of the next mail with a subject that begins like this. */
  async function mailed(subject: string): Promise<string> {
    const found = () =>
      mailServer.received.map(({ raw }) => readMail(raw)).find((one) => one.subject.startsWith(subject));
    await waitFor(() => found() !== undefined, {
      what: `a mail whose subject begins with ${subject}`,
      detail: () => mailServer.received.map(({ raw }) => readMail(raw).subject).join(', '),
    });
    const mail = found();
    mailServer.received.length = 0;
    return mail?.text ?? '';
  }

  async function paysAndStoresTheCard(): Promise<void> {
    await drivesIn('in-1');
    await finds();
    await pays(good, async () => {
      await page.getByLabel('Geyma kortið og greiða sjálfkrafa við útakstur').check();
      await page.getByLabel('Netfang').fill('jon@example.is');
    });
    await press('Senda mér hlekkinn');
    const [link = ''] = /http\S+\/pay\/driver#\S+/.exec(await mailed('Innskráning')) ?? [];
    await page.goto(link);
    await press('Skrá mig inn');
    await page.getByText('Kortið greiðir við útakstur').waitFor();
    await page.getByText('Visa •••• 1000').waitFor();
    await page.getByRole('button', { name: `Fjarlægja ${plate}` }).waitFor();
    expect(books().tokens).toHaveLength(1);
    await network.settled();
    const before = network.lane('out-1').openings();
    expect(await network.lane('out-1').passes(plate)).toMatchObject({ open: true, reason: 'paid' });
    await isOut('out-1', before);
  }

  async function isChargedAtTheExit(): Promise<void> {
    const taken = books().taken();
    await drivesIn('in-2');
    const before = network.lane('out-2').openings();
    await network.lane('out-2').sees(plate);
    await isOut('out-2', before);
    expect(books().taken() - taken).toBe(500);
    expect(await mailed('Kvittun')).toContain(plate);
    await network.settled();
    const [visit] = await network.operator.visits({ plate });
    expect(visit).toMatchObject({ status: 'completed', paymentStatus: 'kiosk', flags: [] });
    expect(Date.now() - Date.parse(visit?.startedOn ?? '')).toBeGreaterThanOrEqual(SLOW_MS);
  }

  async function isDeclinedAndPaysByHand(): Promise<void> {
    const taken = books().taken();
    // The bank declines that card from now on.
    for (const token of books().tokens) token.number = withoutFunds;
    await drivesIn('in-1');
    const before = network.lane('out-1').openings();
    await standsAtExit('out-1');
    const [payLink = ''] = /http\S+\/pay\?lang=\w+#\S+/.exec(await mailed('Kortinu var hafnað')) ?? [];
    expect(network.lane('out-1').openings()).toBe(before);
    await page.goto(payLink);
    await pays(mastercard);
    await isOut('out-1', before);
    expect(books().taken() - taken).toBe(500);
    await page.goto(`${network.cloud.httpUrl()}/pay/driver`);
    await page.getByText('Bankinn hafnaði kortinu').waitFor();
    // A paused card is not tried again.
    await network.settled();
    await drivesIn('in-2');
    const { length } = books().transactions;
    await standsAtExit('out-2');
    await network.settled();
    expect(books().transactions).toHaveLength(length);
  }

  async function deletesTheCard(): Promise<void> {
    await press('Eyða kortinu');
    await heading('Eyða kortinu?');
    await press('Eyða kortinu');
    await page.getByText('Ekkert kort er geymt.').waitFor();
    await waitFor(() => books().tokens.length === 0, { what: 'the provider to delete the card' });
  }

  it('is charged at the exit, pays by hand after a decline, and deletes the card', async () => {
    await paysAndStoresTheCard();
    await isChargedAtTheExit();
    await isDeclinedAndPaysByHand();
    await deletesTheCard();
    const visits = await network.operator.visits({ plate });
    const { data } = await network.operator.call(InvoicesSchema, 'GET', '/invoices');
    const invoices = data.filter(({ visitId }) => visits.some(({ id }) => id === visitId));
    expect(invoices.map(({ status }) => status).toSorted()).toEqual(['failed', 'paid', 'paid', 'paid']);
    expect([pageErrors, verifone.service.complaints]).toEqual([[], []]);
  });
});
