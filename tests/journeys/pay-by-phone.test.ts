import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedCard } from '@hlid/cloud/test/scripted-card';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { buildKioskPage, buildPayPage } from '../harness/build-pages.ts';
import { startOperatedCloud } from '../harness/cloud-program.ts';
import { IdViewSchema, listOf } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { addDefaultProducts, createSite } from '../harness/provision.ts';
import { CHROMIUM_IS_HERE, startChromium } from '../screens/chromium.ts';
import { readQr } from '../screens/read-qr.ts';
import { STRIPE_CARDS } from '../sim/stripe-books.ts';
import { StripeSimulator } from '../sim/stripe-gateway.ts';
import { ValitorGatewaySimulator } from '../sim/valitor-gateway.ts';
import { VALITOR_CARDS } from '../sim/valitor-gateway-books.ts';
import { VerifoneSimulator } from '../sim/verifone-gateway.ts';
import { VERIFONE_CARDS } from '../sim/verifone-gateway-books.ts';

const PHONE = { width: 390, height: 844 };
const VALITOR_KEY = 'Test.c2ltdWxhdG9yLWtleQ==';
const SECURITY_CODE = '123';
/** The gate opens within a second of the approval; where other tests run too it may be later, but never before it. */
const MAX_OPEN_MS = deadline(5000);
const HUNDREDTHS = 100;
const APPLE_ASSOCIATION = '7B227073704964223A22';

const InvoicesSchema = listOf(
  z.looseObject({
    status: z.string(),
    visitId: z.string().nullable(),
    price: z.looseObject({ amount: z.int() }),
  }),
);

const LinkSchema = z.looseObject({ url: z.url() });

describe.skipIf(!CHROMIUM_IS_HERE)('a driver pays by phone', () => {
  let folder: string;
  let valitor: ValitorGatewaySimulator;
  let verifone: VerifoneSimulator;
  let stripe: StripeSimulator;
  let network: Network;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let pageErrors: string[];

  beforeAll(async () => {
    await buildPayPage(() => undefined);
    await buildKioskPage(() => undefined);
    folder = mkdtempSync(join(tmpdir(), 'hlid-phone-'));
    valitor = new ValitorGatewaySimulator({ apiKey: VALITOR_KEY });
    verifone = new VerifoneSimulator();
    stripe = new StripeSimulator();
    await Promise.all([valitor.start(), verifone.start(), stripe.start()]);
    const association = join(folder, 'apple-association');
    writeFileSync(association, APPLE_ASSOCIATION);
    const cloudConfig = {
      cardGateways: [
        { kind: 'valitor-pay', url: valitor.origin, lateMs: 0 },
        verifone.settings(),
        { ...stripe.settings(), appleDomainAssociation: association },
      ],
      cardGateway: 'valitor-pay',
    };
    const file = join(folder, 'cloud.yaml');
    writeFileSync(file, stringify(cloudConfig));
    network = await startNetwork({
      settings: { entryGraceMinutes: 0 },
      cloudEnv: { HLID_CLOUD_CONFIG: file, HLID_VALITOR_PAY_API_KEY: VALITOR_KEY },
    });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await Promise.all([valitor?.stop(), verifone?.stop(), stripe?.stop()]);
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
    pageErrors = [];
    page.on('pageerror', (error) => pageErrors.push(error.message));
  });
  afterEach(async () => {
    await context.close();
    expect(pageErrors).toEqual([]);
    const complaints = [valitor.complaints, verifone.service.complaints, stripe.service.complaints];
    expect(complaints.flat()).toEqual([]);
  });

  const payUrl = () => `${network.cloud.httpUrl()}/pay/${network.site.siteId}`;
  const press = (name: string | RegExp) => page.getByRole('button', { name }).tap();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  const paid = () => heading('Greitt. Takk fyrir!');
  /** The amount that Valitor has taken, in krónur. */
  const taken = () => valitor.books.taken() / HUNDREDTHS;

  async function drivesIn(plate: string): Promise<void> {
    expect(await network.lane('in-1').passes(plate)).toMatchObject({ open: true });
    await network.settled();
  }
  async function finds(plate: string): Promise<void> {
    await page.goto(payUrl());
    await page.getByLabel('Bílnúmer').fill(plate);
    await press('Finna bílinn');
  }
  async function toCard(plate: string): Promise<void> {
    await finds(plate);
    await press(/^Greiða 500\skr\./);
    await heading('Greiða með korti');
  }
  async function payWith(number: string): Promise<void> {
    await page.getByLabel('Kortanúmer').fill(number);
    await page.getByLabel('Gildir til').fill('1230');
    await page.getByLabel('Öryggisnúmer').fill(SECURITY_CODE);
    await press(/^Greiða /);
  }
  /** The driver’s own phone, with the link to the stay that was sent to them. */
  async function driversPhone(plate: string) {
    const [visit] = await network.operator.visits({ plate });
    const path = `/visit/${visit?.id}/pay-link`;
    const { url } = await network.operator.call(LinkSchema, 'POST', path, { language: 'is' });
    const own = await browser.newContext({
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      locale: 'is-IS',
    });
    const phone = await own.newPage();
    phone.setDefaultTimeout(deadline(15_000));
    await phone.goto(url);
    /** Goes from the price to the bank. */
    const onPhone = async (number: string) => {
      await phone.getByRole('button', { name: /^Greiða 500\skr\./ }).tap();
      await phone.getByLabel('Kortanúmer').fill(number);
      await phone.getByLabel('Gildir til').fill('1230');
      await phone.getByLabel('Öryggisnúmer').fill(SECURITY_CODE);
      await phone.getByRole('button', { name: /^Greiða / }).tap();
    };
    return { phone, onPhone };
  }
  async function drivesOut(plate: string): Promise<void> {
    const before = network.lane('out-1').openings();
    expect(await network.lane('out-1').passes(plate)).toMatchObject({ open: true, reason: 'paid' });
    await network.lane('out-1').opensAfter(before);
  }
  async function setGateway(cardGateway: string): Promise<void> {
    const body = { settings: { cardGateway } };
    await network.operator.call(IdViewSchema, 'PUT', `/sites/${network.site.siteId}`, body);
  }
  /** The visit of a plate in the cloud, once it has every event. */
  async function inCloud(plate: string) {
    await network.settled();
    const visits = await network.operator.visits({ plate });
    const { data } = await network.operator.call(InvoicesSchema, 'GET', '/invoices');
    const invoices = data
      .filter(({ visitId }) => visits.some(({ id }) => id === visitId))
      .map(({ status, price }) => `${status} ${price.amount}`)
      .toSorted();
    return { visits, invoices };
  }

  it('inside, has a receipt, and drives out', async () => {
    await drivesIn('KLM45');
    await toCard('KLM45');
    await payWith(VALITOR_CARDS.frictionless);
    await paid();
    await page.getByText('Þú getur ekið út').waitFor();
    const popup = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Sýna kvittunina' }).tap();
    const receipt = await popup;
    await receipt.getByText('KLM45').first().waitFor();
    await receipt.getByText(/6699/).first().waitFor();
    await network.settled();
    await drivesOut('KLM45');
    expect(taken()).toBe(500);
    expect(await inCloud('KLM45')).toMatchObject({
      visits: [{ status: 'completed', paymentStatus: 'kiosk', flags: [] }],
      invoices: ['paid 500'],
    });
  });

  it('pays at the closed exit, and its gate opens at the approval', async () => {
    await drivesIn('EXT12');
    expect(await network.lane('out-1').passes('EXT12')).toMatchObject({
      open: false,
      reason: 'need-payment',
    });
    await network.settled();
    await finds('EXT12');
    await page.getByText('Þú ert við útkeyrsluna.').waitFor();
    await press(/^Greiða 500\skr\./);
    const { output } = network.lane('out-1').plan;
    let openedAt = 0;
    const stopListening = network.relay.onOpening((opened) => {
      if (opened === output) openedAt = Date.now();
    });
    const before = network.lane('out-1').openings();
    await payWith(VALITOR_CARDS.frictionless);
    await page.getByText('Hliðið opnast núna.').waitFor();
    await network.lane('out-1').opensAfter(before);
    stopListening();
    const approvedAt = valitor.books.payments.at(-1)?.at.getTime() ?? Number.NaN;
    console.info(`The gate opened ${openedAt - approvedAt} ms after the provider's approval`);
    expect(openedAt).toBeGreaterThanOrEqual(approvedAt);
    expect(openedAt - approvedAt).toBeLessThan(MAX_OPEN_MS);
    expect(network.lane('out-1').openings()).toBe(before + 1);
    expect(await inCloud('EXT12')).toMatchObject({ invoices: ['paid 500'] });
  });

  it('pays by the code that a kiosk without a terminal shows, and the kiosk goes on by itself', async () => {
    const settings = { payOnline: payUrl() };
    await network.operator.call(IdViewSchema, 'PUT', `/sites/${network.site.siteId}`, { settings });
    await drivesIn('QRC21');
    const kiosk = await browser.newPage({ viewport: { width: 1080, height: 1920 }, hasTouch: true });
    kiosk.setDefaultTimeout(deadline(15_000));
    await kiosk.goto(`${network.edge.localUrl()}/kiosk/`);
    const touch = (name: string | RegExp) => kiosk.getByRole('button', { name }).first().tap();
    const code = kiosk.getByRole('img', { name: 'Skannaðu með símanum' });
    expect(await readQr(code)).toBe(payUrl());
    await touch('Greiða fyrir stæði');
    for (const character of 'QRC') await kiosk.keyboard.press(character);
    await touch(/QRC/);
    await touch('Greiða með símanum');
    await kiosk.getByText('Skjárinn breytist sjálfkrafa').waitFor();
    const link = await readQr(code);
    expect(link).toMatch(/\/pay#[\w-]{51}$/);
    await page.goto(link);
    // No more of the plate than was typed at the kiosk, and nothing of it in the address, from which the link is gone.
    await page.getByText('QRC••').first().waitFor();
    expect(page.url()).toBe(`${network.cloud.httpUrl()}/pay`);
    await press(/^Greiða 500\skr\./);
    await payWith(VALITOR_CARDS.frictionless);
    await paid();
    await kiosk.getByRole('heading', { name: 'Greitt. Takk fyrir!' }).waitFor();
    await kiosk.close();
    await drivesOut('QRC21');
    expect(await inCloud('QRC21')).toMatchObject({
      visits: [{ status: 'completed', paymentStatus: 'kiosk', flags: [] }],
      invoices: ['paid 500'],
    });
  });

  it('pays after leaving through a gate that an operator held open', async () => {
    await drivesIn('LFT33');
    const hold = { reasonCode: 'device-fault', note: 'The terminal is broken' };
    const lane = `/sites/${network.site.siteId}/lanes/out-2`;
    expect(await network.operator.ask('POST', `${lane}/hold`, hold)).toMatchObject({ status: 200 });
    await network.lane('out-2').passes('LFT33');
    await network.settled();
    expect(await network.operator.ask('POST', `${lane}/release`, hold)).toMatchObject({ status: 200 });
    const [visit] = await network.operator.visits({ plate: 'LFT33' });
    expect(visit).toMatchObject({ endedOn: expect.any(String), due: { amount: 500 } });
    await finds('LFT33');
    await page.getByText(/^Hér má greiða til .+ og ekkert bætist við\./).waitFor();
    await press(/^Greiða 500\skr\./);
    await payWith(VALITOR_CARDS.frictionless);
    await page.getByText('Ekkert er eftir að greiða.').waitFor();
    expect(await inCloud('LFT33')).toMatchObject({
      visits: [{ status: 'completed', paymentStatus: 'kiosk' }],
      invoices: ['paid 500'],
    });
  });

  it('pays with 3-D Secure in the bank’s form, refused once and then passed', async () => {
    await drivesIn('FRM44');
    const before = taken();
    await toCard('FRM44');
    const bank = page.frameLocator('iframe');
    await payWith(VALITOR_CARDS.challenged);
    await heading('Staðfestu hjá bankanum');
    await bank.getByRole('button', { name: 'Hafna' }).tap();
    await page.getByText('Bankinn gat ekki staðfest að þetta værir þú.').waitFor();
    expect(taken()).toBe(before);
    await payWith(VALITOR_CARDS.challenged);
    await bank.getByRole('button', { name: 'Staðfesta' }).tap();
    await paid();
    expect(taken() - before).toBe(500);
    expect(await inCloud('FRM44')).toMatchObject({ invoices: ['failed 500', 'paid 500'] });
  });

  it('pays by their own link at once, although a stranger’s order without a proof is open, which then charges nothing', async () => {
    await drivesIn('STR11');
    const before = taken();
    await toCard('STR11');
    await payWith(VALITOR_CARDS.challenged);
    await heading('Staðfestu hjá bankanum');
    const { phone, onPhone } = await driversPhone('STR11');
    await onPhone(VALITOR_CARDS.frictionless);
    await phone.getByRole('heading', { name: 'Greitt. Takk fyrir!' }).waitFor();
    expect(taken() - before).toBe(500);
    // The stranger’s page is up to date: there is nothing left to agree to.
    await page.locator('iframe').waitFor({ state: 'detached' });
    await phone.context().close();
    expect(await inCloud('STR11')).toMatchObject({
      visits: [{ paymentStatus: 'kiosk', flags: [] }],
      invoices: ['failed 500', 'paid 500'],
    });
    await drivesOut('STR11');
    expect(taken() - before).toBe(500);
  });

  it('pays by their own link, and no stranger’s order takes its place meanwhile', async () => {
    await drivesIn('STR22');
    const before = taken();
    const { phone, onPhone } = await driversPhone('STR22');
    await onPhone(VALITOR_CARDS.challenged);
    await phone.getByRole('heading', { name: 'Staðfestu hjá bankanum' }).waitFor();
    await toCard('STR22');
    await payWith(VALITOR_CARDS.frictionless);
    await page.getByText('Greiðsla fyrir þessa dvöl stendur yfir. Ekki greiða aftur.').first().waitFor();
    expect(taken()).toBe(before);
    await phone.frameLocator('iframe').getByRole('button', { name: 'Staðfesta' }).tap();
    await phone.getByRole('heading', { name: 'Greitt. Takk fyrir!' }).waitFor();
    await phone.context().close();
    expect(await inCloud('STR22')).toMatchObject({ invoices: ['paid 500'] });
    expect(taken() - before).toBe(500);
  });

  it('declined, then paid with another card', async () => {
    await drivesIn('DEC66');
    const before = taken();
    await toCard('DEC66');
    await payWith(VALITOR_CARDS.noFunds);
    await page.getByText('Ekki er næg innistæða á kortinu. Ekkert var gjaldfært.').waitFor();
    await payWith(VALITOR_CARDS.stolen);
    await page.getByText('Bankinn hafnaði kortinu. Ekkert var gjaldfært. Prófaðu annað kort.').waitFor();
    await payWith(VALITOR_CARDS.frictionless);
    await paid();
    expect(taken() - before).toBe(500);
    expect(await inCloud('DEC66')).toMatchObject({ invoices: ['failed 500', 'failed 500', 'paid 500'] });
  });

  it('loses the line after the card was sent: the same payment after a reload, charged once', async () => {
    await drivesIn('LST77');
    const charges = valitor.books.payments.length;
    let sent = 0;
    await page.route(`**${PAY_PATHS.finish}`, async (route) => {
      sent += 1;
      await route.fetch();
      await context.setOffline(true);
      await route.abort();
    });
    await toCard('LST77');
    await payWith(VALITOR_CARDS.frictionless);
    await page.getByText('Netsamband liggur niðri. Ekki greiða aftur.').waitFor();
    expect(sent).toBe(1);
    await page.unroute(`**${PAY_PATHS.finish}`);
    await context.setOffline(false);
    await page.reload();
    await paid();
    expect(valitor.books.payments.length).toBe(charges + 1);
    expect(await inCloud('LST77')).toMatchObject({ invoices: ['paid 500'] });
  });

  it('three days in advance, and drives out', async () => {
    await drivesIn('DAY88');
    const before = taken();
    await finds('DAY88');
    await press('Vera lengur: kaupa daga');
    await heading('Hversu marga daga?');
    await press('Bæta við einum degi');
    await press('Bæta við einum degi');
    await press(/^Áfram: 1\.500/);
    await payWith(VALITOR_CARDS.frictionless);
    await page.getByText('Dvölin er greidd').waitFor();
    expect(taken() - before).toBe(1500);
    expect(await inCloud('DAY88')).toMatchObject({ invoices: ['paid 1500'] });
    await drivesOut('DAY88');
  });

  it('does not pay if the plate is wrong, or nothing is due', async () => {
    await drivesIn('RGT99');
    await network.operator.addPermit('PRM11');
    await network.settled();
    await drivesIn('PRM11');
    await finds('WRG99');
    await heading('Við finnum ekki WRG99');
    await press('Breyta númerinu');
    await page.getByLabel('Bílnúmer').fill('PRM11');
    await press('Finna bílinn');
    await heading('Bíllinn er með leyfi hér');
    await toCard('RGT99');
    await payWith(VALITOR_CARDS.frictionless);
    await paid();
    await finds('RGT99');
    await heading('Dvölin er þegar greidd');
    expect(await page.getByRole('button', { name: /^Greiða \d/ }).count()).toBe(0);
  });

  it('pays with 3-D Secure by the provider’s script, which also encrypts the card', async () => {
    await setGateway('verifone');
    await drivesIn('SCR55');
    const cards: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(network.cloud.httpUrl())) cards.push(request.postData() ?? '');
    });
    await toCard('SCR55');
    await payWith(VERIFONE_CARDS.challenged);
    await page.frameLocator('#Cardinal-CCA-IFrame').getByRole('button', { name: 'Approve' }).tap();
    await paid();
    expect(verifone.service.books.taken()).toBe(500);
    expect(cards.join('\n')).not.toContain(VERIFONE_CARDS.challenged);
    expect(await inCloud('SCR55')).toMatchObject({ invoices: ['paid 500'] });
  });

  it('is charged once if the provider’s answer is lost: the payment is checked, over a reload', async () => {
    await setGateway('verifone');
    await drivesIn('CHK22');
    const before = verifone.service.books.taken();
    verifone.fail(['pay'], { kind: 'reset', acts: true });
    // The provider does not answer the first question either, so that the page is there to see.
    verifone.fail(['list'], { kind: 'status', acts: false, status: 503 });
    await toCard('CHK22');
    await payWith(VERIFONE_CARDS.good);
    await page.getByRole('heading', { name: /^Við erum að athuga greiðsluna/ }).waitFor();
    await page.reload();
    await paid();
    expect(verifone.service.books.taken() - before).toBe(500);
    expect(await inCloud('CHK22')).toMatchObject({ invoices: ['paid 500'] });
  });

  describe('where the provider has a card field of its own', () => {
    const field = () => page.frameLocator('[name=stripe-field]');
    async function typeCard(number: string): Promise<void> {
      await field().getByLabel('Card number').fill(number);
      await field().getByLabel('Expiration date').fill('1230');
      await field().getByLabel('Security code').fill(SECURITY_CODE);
    }
    const stripeTaken = () => stripe.service.books.taken() / HUNDREDTHS;

    beforeEach(() => setGateway('stripe'));

    it('there, after a mistake, a refusal, and a challenge; no other has the number', async () => {
      await drivesIn('FLD21');
      const before = stripeTaken();
      const sent: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(stripe.origin)) sent.push(request.url(), request.postData() ?? '');
      });
      await toCard('FLD21');
      await typeCard('4242');
      await press(/^Greiða /);
      await heading('Greiða með korti');
      expect(await page.locator('input[name=number]').count()).toBe(0);
      await typeCard(STRIPE_CARDS['no-funds']);
      await press(/^Greiða /);
      await page.getByText('Ekki er næg innistæða á kortinu. Ekkert var gjaldfært.').waitFor();
      await typeCard(STRIPE_CARDS.challenged);
      await press(/^Greiða /);
      const bank = page.frameLocator('[name=stripe-challenge]');
      await bank.getByRole('button', { name: 'Refuse' }).tap();
      await page.getByText('Bankinn gat ekki staðfest að þetta værir þú.').waitFor();
      await typeCard(STRIPE_CARDS.challenged);
      await press(/^Greiða /);
      await bank.getByRole('button', { name: 'Approve' }).tap();
      await paid();
      expect(stripeTaken() - before).toBe(500);
      for (const number of [STRIPE_CARDS['no-funds'], STRIPE_CARDS.challenged])
        expect(sent.join('\n')).not.toContain(number);
      await network.settled();
      await drivesOut('FLD21');
      expect(await inCloud('FLD21')).toMatchObject({
        invoices: ['failed 500', 'failed 500', 'paid 500'],
      });
    });

    it('serves Apple’s domain file, and no other file', async () => {
      const file = (name: string) => fetch(`${network.cloud.httpUrl()}/.well-known/${name}`);
      const served = await file('apple-developer-merchantid-domain-association');
      expect([served.status, await served.text()]).toEqual([200, APPLE_ASSOCIATION]);
      for (const name of ['apple-association', 'constructor', '..%2Fcloud.yaml'])
        expect((await file(name)).status).toBe(404);
    });

    it('pays with the wallet of the telephone, which is offered if the browser has one', async () => {
      await drivesIn('WLT31');
      const before = stripeTaken();
      await toCard('WLT31');
      await field().getByLabel('Card number').waitFor();
      expect(await field().getByLabel('Apple Pay').count()).toBe(0);
      await page.addInitScript(() => Object.assign(window, { ApplePaySession: class {} }));
      await toCard('WLT31');
      await field().getByLabel('Apple Pay').check();
      await press(/^Greiða /);
      await paid();
      expect(stripeTaken() - before).toBe(500);
      expect([...stripe.service.books.methods.values()].at(-1)).toMatchObject({ wallet: 'apple_pay' });
    });
  });
});

it.skipIf(!CHROMIUM_IS_HERE)('a driver pays by phone where only gateways for tests are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-pay-'));
  writeFileSync(
    join(folder, 'cloud.yaml'),
    stringify({ testGateways: true, cardGateways: [{ kind: 'testing2' }] }),
  );
  const { cloud, operator } = await startOperatedCloud({ folder });
  const browser = await startChromium();
  try {
    const plan = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
    const { siteId } = await createSite(operator, plan);
    await addDefaultProducts(operator);
    const startedOn = new Date(Date.now() - HOUR_MS).toISOString();
    expect((await operator.ask('POST', '/visits', { plate: 'MKJ45', startedOn, siteId })).status).toBe(303);
    const page = await browser.newPage({ viewport: PHONE, hasTouch: true, isMobile: true, locale: 'en-GB' });
    const press = (name: RegExp | string) => page.getByRole('button', { name }).tap();
    const payBy = async (number: string) => {
      await page.getByLabel('Card number').fill(number);
      await page.getByLabel('Valid until').fill('1235');
      await page.getByLabel('Security code').fill('123');
      await press(/^Pay /);
    };
    await page.goto(`${cloud.httpUrl()}/pay/${siteId}`);
    await page.getByLabel('Number plate').fill('MKJ45');
    await press('Find my car');
    await press(/^Pay /);
    await payBy(scriptedCard('security'));
    await page.getByText('The bank declined the card. Nothing was charged.').waitFor();
    // The challenge of this gateway is answered by itself, in its frame.
    await payBy(scriptedCard('form-challenge'));
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    const receipt = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Show the receipt' }).tap();
    await (await receipt).getByText('0036').first().waitFor();
  } finally {
    await browser.close();
    await cloud.stop();
    rmSync(folder, { recursive: true });
  }
});
