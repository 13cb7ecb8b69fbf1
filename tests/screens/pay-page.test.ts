import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import type { DriverCharge } from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { PaySiteSchema } from '@hlid/protocol/pages/pay-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPayPage } from '../harness/build-pages.ts';
import { waitFor } from '../harness/wait.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { createDrawing, FOR_PEOPLE } from './draw-screen.ts';
import { takePictures } from './kiosk-pictures.ts';
import { firstLoadOf } from './page-size.ts';
import { PayStandIn, type Stay } from './pay-page-stand-in.ts';
import { readQr } from './read-qr.ts';
import { typefaceFiles } from './typeface-files.ts';

const BUILT = fileURLToPath(new URL('../../cloud/pay-page/dist-page/', import.meta.url));
const MAX_GZIP = 100_000;
/** The entries of the page: payments, stored cards, and disputes. */
const PAGES = ['app', 'driver-app', 'objection-app'];
/** Parts that load after their page is shown. */
const LAZY = [
  'charges-part',
  'identity-screens',
  'due-screen',
  'card-screen',
  'pay-screen',
  'paid-screen',
  'offline-parts',
  'contest-parts',
  'stripe-provider',
  'verifone-provider',
];
const PHONE = { width: 390, height: 844 };
/** Words of any length fit where there is least room, so they fit elsewhere. `large`: with letters of twice the size. */
const SIZES: { size: typeof PHONE; tried: readonly Language[]; large?: true }[] = [
  { size: { width: 1280, height: 800 }, tried: ['en'] },
  { size: { width: 320, height: 568 }, tried: LANGUAGES.toReversed() },
  { size: { width: 360, height: 740 }, tried: LANGUAGES.toReversed(), large: true },
  { size: PHONE, tried: ['is'] },
];
const MIN_TARGET = 44;
/** The longest pause between two questions of the page. */
const NEXT_QUESTION_MS = 5000;
/** The pause between two looks at the site. */
const SITE_EVERY_MS = 60_000;

const CARD = { number: '2223000010246699', expire: '12/35', code: '123' };

function stay(plate: string, due: Stay['due'] = {}, given: Partial<Stay['stay']> = {}): Stay {
  return {
    stay: {
      key: `key-of-${plate}`,
      plate,
      match: 'equal',
      ended: false,
      proved: false,
      startedAt: null,
      endedAt: null,
      hasPicture: false,
      ...given,
    },
    due: {
      amountMinor: 1450,
      lines: [
        { rule: 'free', units: 15, amountMinor: 0 },
        { rule: 'step', units: 3, minutes: 60, unitMinor: 400, amountMinor: 1200 },
        {
          rule: 'step',
          units: 1,
          minutes: 60,
          unitMinor: 250,
          amountMinor: 250,
          label: { is: 'Kvöldgjald eftir klukkan átján', en: 'Evening rate after 18:00' },
        },
      ],
      dayPriceMinor: 3500,
      ...due,
    },
  };
}

/** The scripts without which a page is not shown: its own, and all that they import, but not what they load later. */
function scriptsOf(page: string): Set<string> {
  const names = readdirSync(`${BUILT}assets`).filter((name) => name.endsWith('.js'));
  for (const part of [...PAGES, ...LAZY])
    expect(names.filter((name) => name.startsWith(`${part}-`))).toHaveLength(1);
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(`${BUILT}assets/${name}`, 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) add(other);
  };
  for (const name of names) if (name.startsWith('index-') || name.startsWith(`${page}-`)) add(name);
  return found;
}

/** The part of a page that a file belongs to: its name without folder and digest. */
function chunkOf(name: string): string {
  return name.replace('assets/', '').replace(/-[\w-]{8}\.\w+$/, '');
}

test('each page is under 100 kB gzip before the scripts of a provider, in any language', async () => {
  await buildPayPage(console.warn);
  const html = readFileSync(`${BUILT}index.html`, 'utf8');
  for (const page of PAGES) {
    const scripts = scriptsOf(page);
    for (const part of LAZY) expect([...scripts].filter((name) => name.startsWith(`${part}-`))).toEqual([]);
    const isLanguage = (name: string) => LANGUAGES.some((one) => name.startsWith(`assets/${one}-`));
    const styled = new Set([...scripts].map(chunkOf));
    const isLoaded = (name: string) => {
      // The styles of a part are loaded with it.
      if (name.endsWith('.css')) return html.includes(name) || styled.has(chunkOf(name));
      return !name.endsWith('.js') || isLanguage(name) || scripts.has(name.replace('assets/', ''));
    };
    const { gzipBytes } = firstLoadOf(BUILT, { isLoaded });
    console.info(`${page}: ${gzipBytes} bytes`);
    expect(gzipBytes, page).toBeLessThan(MAX_GZIP);
  }
});

describe.skipIf(!CHROMIUM_IS_HERE)('the payment page on a telephone', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let draw: (name: string) => Promise<void>;
  let cloud: PayStandIn;
  let pictures: Buffer[];
  let complaints: string[];

  beforeAll(async () => {
    browser = await startChromium();
    pictures = await takePictures(browser);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    cloud = new PayStandIn(pictures);
    await cloud.start();
    complaints = [];
    context = await browser.newContext({
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      locale: 'is-IS',
    });
    await context.clock.install();
    await openPage();
  });
  afterEach(async () => {
    await context.close();
    await cloud.stop();
    expect(complaints).toEqual([]);
  });

  async function openPage(): Promise<void> {
    page = await context.newPage();
    draw = await createDrawing(page, 'pay-page');
    page.setDefaultTimeout(deadline(10_000));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A refusal and a lost line are answers that a test orders.
      const isWanted = /Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isWanted) complaints.push(message.text());
    });
  }
  const open = (address = '/pay/hafnartorg') => page.goto(`${cloud.url}${address}`);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
  const prices = () => page.locator('.prices').innerText();
  const askAgain = () => page.clock.fastForward(NEXT_QUESTION_MS);

  async function toDue(plate = 'MKJ45'): Promise<void> {
    await open();
    await page.getByLabel('Bílnúmer').fill(plate.toLowerCase());
    await press('Finna bílinn');
  }
  async function toCard(): Promise<void> {
    await toDue();
    await press(/^Greiða 1\.450/);
    await heading('Greiða með korti');
  }
  async function typeCard(card = CARD): Promise<void> {
    await page.getByLabel('Kortanúmer').pressSequentially(card.number);
    await page.getByLabel('Gildir til').pressSequentially(card.expire.replace('/', ''));
    await page.getByLabel('Öryggisnúmer').pressSequentially(card.code);
  }
  /** The values that a card's form shows again after a try. */
  const cardFields = async () =>
    await Promise.all(
      ['Kortanúmer', 'Gildir til', 'Öryggisnúmer'].map((name) => page.getByLabel(name).inputValue()),
    );
  async function payByCard(): Promise<void> {
    await toCard();
    await typeCard();
    await press(/^Greiða 1\.450/);
  }

  /** Checks all languages at all sizes for misfits, draws them, and runs axe in both schemes. */
  async function look(name: string): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      // Most rules of axe depend on structure; only the colours differ in the dark.
      const rules = colorScheme === 'light' ? 'all' : 'colours';
      expect.soft(await axeFaults(page, rules), `${name} ${colorScheme}`).toEqual([]);
      if (FOR_PEOPLE || colorScheme === 'light') await draw(`${name}-${colorScheme}`);
    }
    for (const { size, tried, large = false } of SIZES) {
      await page.setViewportSize(size);
      const misfits = await page.evaluate(findMisfits, { least: MIN_TARGET, languages: tried, large });
      expect.soft(misfits, `${name} ${size.width}`).toEqual([]);
      if (FOR_PEOPLE && size !== PHONE) await draw(`${name}-${size.width}`);
    }
  }

  test('a page that stays open shows the price that holds now, also after a midnight in a pocket', async () => {
    await open();
    await page.getByLabel('Bílnúmer').fill('mk');
    await expect.poll(prices).toContain('500 kr.');
    const costs = (is: string) => ({ ...cloud.site, prices: { ...cloud.site.prices, is: [is] } });
    cloud.site = PaySiteSchema.parse(costs('700 kr. fyrir hvern byrjaðan sólarhring'));
    await page.clock.fastForward(SITE_EVERY_MS);
    await expect.poll(prices).toContain('700 kr.');
    cloud.site = PaySiteSchema.parse(costs('900 kr. fyrir hvern byrjaðan sólarhring'));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect.poll(prices).toContain('900 kr.');
    // The typed text stays.
    await expect.poll(() => page.getByLabel('Bílnúmer').inputValue()).toBe('MK');
  });

  test('leads from the plate to the receipt', async () => {
    cloud.stays = [stay('MKJ45')];
    await open();
    await heading('Hvert er bílnúmerið?');
    await press('Finna bílinn');
    await page.getByText('Sláðu inn allt bílnúmerið.').waitFor();
    await look('plate');
    await page.getByLabel('Bílnúmer').fill('mkj 45');
    await press('Finna bílinn');
    await heading('Til greiðslu');
    // The focus is on the heading, where a reader of the screen goes on.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Til greiðslu');
    expect(await page.getByRole('img').count()).toBe(0);
    await look('due');
    await press('Sýna mynd og tíma');
    await heading('Hvenær komstu inn?');
    await page.getByLabel('Klukkan').fill('08:30');
    await look('proof');
    await press('Sýna');
    await page.getByRole('img', { name: /Mynd af bílnum/ }).waitFor();
    await look('due-proved');
    await press(/^Greiða 1\.450/);
    await heading('Greiða með korti');
    await press(/^Greiða 1\.450/);
    await page.getByText('Sláðu inn allt kortanúmerið.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('number');
    await typeCard();
    await expect.poll(() => page.getByLabel('Kortanúmer').inputValue()).toBe('2223 0000 1024 6699');
    await page.getByText('Mastercard').waitFor();
    await look('card');
    cloud.ends = { ...cloud.ends, paidUntil: new Date(Date.now() + 900_000).toISOString() };
    await press(/^Greiða 1\.450/);
    await heading('Greitt. Takk fyrir!');
    await look('paid');
    await page.getByLabel('Kvittun í tölvupósti').fill('jon@example');
    await press('Senda');
    await page.getByText('Netfangið er ekki gilt.').waitFor();
    await page.getByLabel('Kvittun í tölvupósti').fill('jon@example.is');
    await press('Senda');
    await page.getByText('Kvittunin er á leiðinni.').waitFor();
    expect(cloud.mails).toMatchObject([{ email: 'jon@example.is', language: 'is' }]);
    expect(cloud.orders).toMatchObject([{ amountMinor: 1450, card: { number: CARD.number } }]);
    expect(cloud.finished).toMatchObject([{ card: { number: CARD.number, ccv: CARD.code } }]);
    // No personal data is in an address, and no card in the browser's storage.
    expect(cloud.addresses.join(' ')).not.toMatch(/mkj|2223|key-of/i);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(
      /2223|MKJ/,
    );
  });

  test('the receipt once more: after a reload, in another tab, by mail again, and not for the next person', async () => {
    cloud.stays = [stay('MKJ45')];
    await payByCard();
    const receipt = () => page.getByRole('link', { name: 'Sýna kvittunina' }).waitFor();
    await receipt();
    await page.reload();
    await heading('Greitt. Takk fyrir!');
    await receipt();
    const mail = async () => {
      await page.getByLabel('Kvittun í tölvupósti').fill('jon@example.is');
      await press('Senda');
      await page.getByText('Kvittunin er á leiðinni.').waitFor();
    };
    await mail();
    await press('Senda aftur');
    await mail();
    await press('Senda aftur');
    cloud.refusals.set(PAY_PATHS.mail, { code: 'too-many-requests' });
    await page.getByLabel('Kvittun í tölvupósti').fill('jon@example.is');
    await press('Senda');
    await page.getByText('Of margar tilraunir.').waitFor();
    expect(cloud.mails).toHaveLength(2);
    // A driver who comes back some time later usually pays.
    await page.close();
    await openPage();
    await open();
    await heading('Hvert er bílnúmerið?');
    await look('plate-again');
    await press('Kvittun síðustu greiðslu');
    await receipt();
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toMatch(/MKJ|2223|jon/);
    await press('Greiða fyrir annan bíl');
    await page.reload();
    await heading('Hvert er bílnúmerið?');
    expect(await page.getByRole('button', { name: 'Kvittun síðustu greiðslu' }).count()).toBe(0);
    expect([cloud.orders.length, cloud.finished.length]).toEqual([1, 1]);
  });

  test('shows the bank’s challenge in a frame, given up once', async () => {
    cloud.stays = [stay('MKJ45', { atExit: true })];
    cloud.begins = { next: cloud.bankForm() };
    await payByCard();
    await heading('Staðfestu hjá bankanum');
    const bank = page.frameLocator('iframe');
    await bank.getByText('POST: Samþykkja greiðslu?').waitFor();
    await look('bank');
    await press('Hætta við');
    await page.getByText('Ekkert var gjaldfært. Þú getur reynt aftur.').waitFor();
    await look('card-again');
    expect(await cardFields()).toEqual(['2223 0000 1024 6699', '12/35', '']);
    await page.getByLabel('Öryggisnúmer').pressSequentially(CARD.code);
    cloud.ends = { ...cloud.ends, exitOpens: true };
    await press(/^Greiða 1\.450/);
    await bank.getByRole('button', { name: 'Samþykkja' }).click();
    await page.getByText('Hliðið opnast núna.').waitFor();
    await look('gate-opens');
    expect(cloud.finished).toHaveLength(1);
    expect(new Set(cloud.orders.map(({ payment }) => payment)).size).toBe(2);
  });

  test('declined, then paid; suspicions are not explained', async () => {
    cloud.stays = [stay('MKJ45')];
    cloud.ends = { state: 'declined', reason: 'security' };
    await payByCard();
    await page.getByText('Bankinn hafnaði kortinu. Ekkert var gjaldfært. Prófaðu annað kort.').waitFor();
    await look('declined');
    // The number and the date are kept, and the security code is typed for each try.
    expect(await cardFields()).toEqual(['2223 0000 1024 6699', '12/35', '']);
    cloud.refusals.set(PAY_PATHS.order, { code: 'card', fields: ['brand'] });
    await page.getByLabel('Öryggisnúmer').pressSequentially(CARD.code);
    await press(/^Greiða 1\.450/);
    await page.getByText('Ekki er tekið við svona korti hér.').waitFor();
    expect(await cardFields()).toEqual(['2223 0000 1024 6699', '12/35', '']);
    cloud.refusals.set(PAY_PATHS.order, { code: 'amount-changed' });
    await page.getByLabel('Öryggisnúmer').pressSequentially(CARD.code);
    await press(/^Greiða 1\.450/);
    await page.getByText('Verðið breyttist á meðan.').waitFor();
    await press(/^Greiða 1\.450/);
    expect(await cardFields()).toEqual(['2223 0000 1024 6699', '12/35', '']);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain('2223');
    // No other driver finds the card in the form of another car.
    await page.goBack();
    await page.goBack();
    await press('Finna bílinn');
    await press(/^Greiða 1\.450/);
    expect(await cardFields()).toEqual(['', '', '']);
    await typeCard();
    cloud.ends = { state: 'settled', receipt: '/receipt/x' };
    await press(/^Greiða 1\.450/);
    await heading('Greitt. Takk fyrir!');
  });

  test('an unknown outcome is followed over a reload, and nothing is paid twice', async () => {
    cloud.stays = [stay('MKJ45')];
    cloud.ends = { state: 'unknown' };
    await payByCard();
    await heading('Við erum að athuga greiðsluna');
    await look('checking');
    await page.reload();
    await heading('Við erum að athuga greiðsluna');
    await page.close();
    await openPage();
    await open();
    await heading('Við erum að athuga greiðsluna');
    cloud.move({ state: 'settled', receipt: '/receipt/x' });
    await askAgain();
    await heading('Greitt. Takk fyrir!');
    expect([cloud.orders.length, cloud.finished.length]).toEqual([1, 1]);
  });

  test('a line that is lost after the card: the same order, and one charge', async () => {
    cloud.stays = [stay('MKJ45')];
    cloud.ends = { state: 'sent' };
    cloud.lost.add(PAY_PATHS.order);
    await payByCard();
    await page.getByText('Netsamband liggur niðri. Ekki greiða aftur.').waitFor();
    await look('offline-paying');
    cloud.lost.add(PAY_PATHS.finish);
    cloud.lost.delete(PAY_PATHS.order);
    await askAgain();
    await expect.poll(() => cloud.finished.length).toBeGreaterThan(0);
    await page.reload();
    await heading('Við erum að athuga greiðsluna');
    cloud.move({ state: 'settled', receipt: '/receipt/x' });
    await askAgain();
    await heading('Greitt. Takk fyrir!');
    expect(cloud.orders).toHaveLength(1);
  });

  test('a reload before the charge cancels it: the card is gone, and nothing was charged', async () => {
    cloud.stays = [stay('MKJ45')];
    cloud.begins = { next: cloud.bankForm() };
    await payByCard();
    await heading('Staðfestu hjá bankanum');
    await page.reload();
    await page.getByText('Ekkert var gjaldfært. Þú getur reynt aftur.').waitFor();
    await heading('Til greiðslu');
    await look('due-again');
    expect([cloud.cancels.length, cloud.finished.length]).toEqual([1, 0]);
    // An order that never arrived is cancelled too.
    cloud.lost.add(PAY_PATHS.order);
    cloud.refusals.set(PAY_PATHS.order, { code: 'failed' });
    await press(/^Greiða 1\.450/);
    await typeCard();
    await press(/^Greiða 1\.450/);
    await page.getByText('Netsamband liggur niðri. Ekki greiða aftur.').waitFor();
    await page.reload();
    await page.getByText('Ekkert var gjaldfært. Þú getur reynt aftur.').waitFor();
    expect(cloud.finished).toEqual([]);
  });

  test('days in advance', async () => {
    cloud.stays = [stay('MKJ45')];
    await toDue();
    await press('Vera lengur: kaupa daga');
    await heading('Hversu marga daga?');
    await press('Bæta við einum degi');
    await press('Bæta við einum degi');
    await look('days');
    await press(/^Áfram: 10\.500/);
    await typeCard();
    const end = new Date(Date.now() + 3 * 86_400_000).toISOString();
    cloud.ends = { ...cloud.ends, daysUntil: end };
    await press(/^Greiða 10\.500/);
    await page.getByText('Dvölin er greidd').waitFor();
    await look('days-paid');
    expect(cloud.orders).toMatchObject([{ quantity: 3, amountMinor: 10_500 }]);
  });

  test('other cars, and cars of others', async () => {
    cloud.stays = [];
    await toDue('xyz99');
    await heading('Við finnum ekki XYZ99');
    await look('not-found');
    await press('Breyta númerinu');
    await expect.poll(() => page.getByLabel('Bílnúmer').inputValue()).toBe('XYZ99');
    cloud.stays = [stay('XYZ99'), stay('XYZ99', {}, { key: 'earlier', ended: true })];
    await press('Finna bílinn');
    await heading('Hvaða dvöl viltu greiða?');
    await look('choose');
    await page.goBack();
    await heading('Hvert er bílnúmerið?');
    cloud.stays = [stay('XY•99', {}, { match: 'similar', doubtful: true })];
    await press('Finna bílinn');
    await heading('Er þetta bíllinn þinn?');
    await look('question');
    await press('Nei, ekki minn bíll');
    await heading('Hliðið er að opnast');
    await look('exit-opens');
    expect(cloud.disowned).toEqual(['XYZ99']);
  });

  test('nothing to pay, and why', async () => {
    const standings = {
      'nothing-due': 'Ekkert að greiða',
      paid: 'Dvölin er þegar greidd',
      whitelisted: 'Bíllinn er með leyfi hér',
      invoiced: 'Dvölin fer á reikning',
      checking: 'Við erum að athuga greiðsluna',
      ended: 'Bíllinn er farinn',
      'no-price': 'Verð vantar fyrir þessa dvöl',
    } as const;
    const drawn = ['paid', 'checking', 'no-price'];
    for (const [standing, title] of Object.entries(standings)) {
      const paidUntil = standing === 'paid' ? new Date(Date.now() + 600_000).toISOString() : null;
      cloud.stays = [stay('MKJ45', { standing: standing as keyof typeof standings, paidUntil, lines: [] })];
      await toDue();
      await heading(title);
      if (drawn.includes(standing)) await look(`standing-${standing}`);
    }
    const afterwards = {
      is: 'Hér má greiða til 5. desember 2026, 12:30 og ekkert bætist við. Hafðu samband við okkur eftir það.',
    };
    cloud.stays = [stay('MKJ45', { afterwards }, { ended: true })];
    cloud.site = { ...cloud.site, gateway: null };
    await toDue();
    await page.getByText('Ekki er hægt að greiða með korti hér sem stendur.').waitFor();
    await page.getByText(afterwards.is).waitFor();
    await look('no-cards');
  });

  test('offline: what it means is said before the card is charged, and the code for the kiosk after it', async () => {
    cloud.stays = [stay('MKJ45', { siteAway: true })];
    cloud.ends = { ...cloud.ends, siteKnows: false, codes: ['K0T4A-1GQ0B-H7XJ9'] };
    await toDue();
    await page.getByText('Þú færð þá kóða').waitFor();
    await press(/^Greiða 1\.450/);
    await typeCard();
    await press(/^Greiða 1\.450/);
    await heading('Greitt. Takk fyrir!');
    await page.getByText('K0T4A-1GQ0B-H7XJ9').waitFor();
    expect(await readQr(page.getByRole('img', { name: 'Kóðinn fyrir skanna vélarinnar' }))).toBe(
      'K0T4A-1GQ0B-H7XJ9',
    );
    await page.getByRole('link', { name: /Hringdu/ }).waitFor();
    expect(cloud.orders).toMatchObject([{ siteAway: true }]);
    await look('paid-offline');
  });

  test('opens by a link, with its key in no history; by an old one; and from the list of car parks', async () => {
    cloud.stays = [stay('MKJ45')];
    await open('/pay/#key-of-MKJ45');
    await page.getByRole('img', { name: /Mynd af bílnum/ }).waitFor();
    expect(page.url()).toBe(`${cloud.url}/pay/`);
    await open('/pay/hafnartorg#old');
    await page.goto('about:blank');
    await open('/pay/hafnartorg#old');
    await heading('Við þekkjum ekki þessa slóð');
    await look('no-site');
    await page.getByRole('link', { name: 'Velja bílastæði' }).click();
    await heading('Hvar er bíllinn?');
    await look('sites');
    await page.getByRole('link', { name: 'Hafnartorg bílahús' }).click();
    await heading('Hvert er bílnúmerið?');
    cloud.refusals.set(PAY_PATHS.find, { code: 'too-many-requests' });
    await page.getByLabel('Bílnúmer').fill('mkj45');
    await press('Finna bílinn');
    await page.getByText('Of margar tilraunir.').waitFor();
  });

  test('opens by the code at an exit, which has the plate: the amount due at once, and the plate in no address', async () => {
    cloud.stays = [stay('MKJ45', { atExit: true }), stay('ÞÓR12')];
    await open('/pay/hafnartorg#plate=MKJ45');
    await heading('Til greiðslu');
    await page.getByText('Þú ert við útkeyrsluna').waitFor();
    expect(page.url()).toBe(`${cloud.url}/pay/hafnartorg`);
    await page.goto('about:blank');
    await open('/pay/hafnartorg#plate=%C3%9E%C3%93R12');
    await heading('Til greiðslu');
    await page.getByText('ÞÓR12').waitFor();
    // Names of files may have any letters in them, but no whole plate.
    const addresses = decodeURIComponent(cloud.addresses.join(' ')).toUpperCase();
    for (const plate of ['MKJ45', 'ÞÓR12']) expect(addresses).not.toContain(plate);
  });

  test('a stored card: log in by a mailed link, see it, change it, delete it', async () => {
    await open('/pay/driver');
    await heading('Innskráning');
    await press('Senda mér hlekkinn');
    await page.getByText('Netfangið er ekki gilt.').waitFor();
    await look('driver-login');
    await page.getByLabel('Netfang').fill('jon@example.is');
    await press('Senda mér hlekkinn');
    await heading('Skoðaðu tölvupóstinn');
    expect(cloud.links).toEqual(['jon@example.is']);
    await look('driver-sent');
    await page.goto('about:blank');
    await open('/pay/driver#old');
    // A program that opens the links of a mail uses none up.
    await heading('Sjálfvirk greiðsla');
    expect(cloud.driverCalls).not.toContain(DRIVER_PATHS.open);
    await look('driver-enter');
    await press('Skrá mig inn');
    await page.getByText('Hlekkurinn er of gamall eða þegar notaður.').waitFor();
    await page.goto('about:blank');
    const vehicles = [{ plate: 'MKJ45', proof: 'payment' as const, provedAt: '2026-11-21T12:30:00.000Z' }];
    const card = { type: 'mastercard' as const, lastFour: '6699', expires: '2035-12' };
    cloud.driver = {
      ...cloud.driver,
      vehicles,
      card,
      caps: { currency: 'ISK', stayMinor: 5000, dayMinor: 10_000 },
    };
    await open('/pay/driver#fresh');
    await press('Skrá mig inn');
    await heading('Sjálfvirk greiðsla');
    await page.getByText('Kortið greiðir við útakstur').waitFor();
    await page.getByText('Mastercard •••• 6699').waitFor();
    expect(page.url()).toBe(`${cloud.url}/pay/driver`);
    await look('driver-home');
    await page.reload();
    await press('Slökkva');
    await page.getByText('Slökkt er á sjálfvirkri greiðslu').waitFor();
    await press('Kveikja');
    await press('Breyta hámarki');
    await page.getByLabel('Hámark á hverja dvöl').fill('0');
    await press('Vista');
    await page.getByText('Sláðu inn upphæð.').waitFor();
    await look('driver-caps');
    await page.getByLabel('Hámark á hverja dvöl').fill('3.000');
    await press('Vista');
    await heading('Sjálfvirk greiðsla');
    expect(cloud.driver.caps).toMatchObject({ stayMinor: 3000, dayMinor: 10_000 });
    await press('Eyða kortinu');
    await heading('Eyða kortinu?');
    await look('driver-confirm');
    await page.goBack();
    await heading('Sjálfvirk greiðsla');
    await press('Eyða kortinu');
    await heading('Eyða kortinu?');
    await press('Eyða kortinu');
    await page.getByText('Ekkert kort er geymt.').waitFor();
    await press('Fjarlægja MKJ45');
    await heading('Fjarlægja MKJ45?');
    await press('Fjarlægja MKJ45');
    await page.getByText('Enginn bíll er skráður.').waitFor();
    await look('driver-empty');
    expect(cloud.driver).toMatchObject({ card: null, vehicles: [] });
    // Names of files end in characters by chance.
    const addresses = cloud.addresses.filter((address) => !address.startsWith('/pay/assets/'));
    expect(addresses.join(' ')).not.toMatch(/jon|fresh|mkj/i);
    await press('Eyða öllu');
    await heading('Eyða öllu?');
    await press('Eyða öllu');
    await heading('Öllu hefur verið eytt');
    await page.reload();
    await heading('Innskráning');
  });

  test('past charges of a stored card, with receipts, page by page', async () => {
    const site = { name: 'Hafnartorg', timeZone: 'Atlantic/Reykjavik' };
    const charge = (days: number, more: Partial<DriverCharge>): DriverCharge => ({
      id: crypto.randomUUID(),
      at: new Date(Date.now() - days * DAY_MS).toISOString(),
      site,
      plate: 'MKJ45',
      state: 'paid',
      refusal: null,
      amount: null,
      receipt: null,
      ...more,
    });
    const amount = { amountMinor: 1450, currency: 'ISK' };
    cloud.charges = [
      charge(0, { amount, receipt: '/receipt/newest' }),
      charge(1, { state: 'refused', refusal: 'limit' }),
      charge(2, { state: 'declined', amount }),
    ];
    await open('/pay/driver#fresh');
    await press('Skrá mig inn');
    await heading('Sjálfvirkar greiðslur');
    await page.getByText('Ekki gjaldfært: gjaldið var hærra en hámarkið þitt').waitFor();
    const receipt = page.getByRole('link', { name: /^Kvittun/ });
    await expect.poll(() => receipt.getAttribute('href')).toBe('/receipt/newest?lang=is');
    await press('Sýna eldri greiðslur');
    await page.getByText('Kortinu var hafnað').waitFor();
    await page.getByRole('button', { name: 'Sýna eldri greiðslur' }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('1.450').count()).toBe(2);
    await look('driver-charges');
  });

  test('a card is stored with a payment: by the mailed link, and next time by itself', async () => {
    cloud.stays = [stay('MKJ45')];
    if (cloud.site.gateway)
      cloud.site = { ...cloud.site, gateway: { ...cloud.site.gateway, storesCards: true } };
    await toCard();
    await typeCard();
    await page.getByLabel('Geyma kortið og greiða sjálfkrafa við útakstur').check();
    await expect.poll(() => page.getByLabel('Hámark á hverja dvöl').inputValue()).toBe('5000');
    await press(/^Greiða 1\.450/);
    await page.getByText('Netfangið er ekki gilt.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    await look('card-stored');
    await page.getByLabel('Netfang').fill('jon@example.is');
    await press(/^Greiða 1\.450/);
    await heading('Greitt. Takk fyrir!');
    await look('paid-offer');
    await press('Senda mér hlekkinn');
    await page.getByText('Hlekkurinn er á leiðinni.').waitFor();
    expect(cloud.orders).toMatchObject([{ storeCard: true }]);
    expect(cloud.links).toEqual(['jon@example.is']);
    await open('/pay/driver#fresh');
    await press('Skrá mig inn');
    await page.getByText('Mastercard •••• 6699').waitFor();
    await page.getByText('Kortið greiðir við útakstur').waitFor();
    expect(cloud.driver.caps).toEqual({ currency: 'ISK', stayMinor: 5000, dayMinor: 10_000 });
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('jon');
    await toCard();
    await typeCard();
    await page.getByLabel('Geyma kortið og greiða sjálfkrafa við útakstur').check();
    await page.getByLabel('Netfang').fill('jon@example.is');
    await press(/^Greiða 1\.450/);
    await page.getByRole('link', { name: 'Geymda kortið mitt' }).waitFor();
    await look('paid-stored');
  });

  test('an electronic identity: the code before the call, every end in words, after a reload, and cancelled', {
    timeout: deadline(120_000),
  }, async () => {
    cloud.identity.isOffered = true;
    await open('/pay/driver');
    const toForm = async () => {
      await press('Innskráning með rafrænum skilríkjum');
      await page.getByLabel('Símanúmer').waitFor();
    };
    const start = async () => {
      await page.getByLabel('Símanúmer').fill('6123456');
      await press('Áfram');
      await page.getByText('0471').waitFor();
    };
    await toForm();
    await press('Áfram');
    await page.getByText('Sláðu inn íslenskt farsímanúmer').waitFor();
    await look('identity-form');
    await page.getByLabel('Auðkennisappið').check();
    await page.getByLabel('Kennitala').fill('120160');
    await press('Áfram');
    await page.getByText('Sláðu inn kennitölu').waitFor();
    await page.getByLabel('Rafræn skilríki í síma').check();
    // The code is there before the first poll, which lets the phone ring.
    await context.clock.pauseAt(Date.now() + 60_000);
    await start();
    expect(cloud.identityPolls).toBe(0);
    await context.clock.resume();
    await waitFor(() => cloud.identityPolls > 0, { what: 'the first poll' });
    await page.getByText('ef öryggistalan er sú sama þar og hér').waitFor();
    await look('identity-ringing');
    await page.reload();
    await page.getByText('0471').waitFor();
    expect(cloud.identified).toMatchObject([{ method: 'sim', phone: '6123456', language: 'is' }]);
    await press('Hætta við');
    await heading('Innskráning');
    await page.reload();
    await heading('Innskráning');
    await toForm();
    for (const [state, words] of [
      ['timeout', 'Ekkert svar barst frá símanum'],
      ['cancelled', 'Hætt var við innskráningu í símanum.'],
      ['account-not-found', 'Enginn aðgangur fannst.'],
      ['unknown', 'Óvíst er hvernig innskráningin fór.'],
      ['error', 'Ekki er hægt að nota rafrænu skilríkin núna.'],
    ] as const) {
      cloud.identity.states = [state];
      await start();
      await askAgain();
      await heading('Ekki staðfest');
      await page.getByText(words).waitFor();
      if (state === 'error') await look(`identity-${state}`);
      await press('Reyna aftur');
    }
    const devices = new Set(cloud.identified.map((one) => one['device_uuid']));
    expect([devices.size, devices.has(undefined)]).toEqual([1, false]);
    cloud.driver = { ...cloud.driver, electronicId: true };
    cloud.identity.states = ['success'];
    await start();
    await askAgain();
    await heading('Sjálfvirk greiðsla');
    await page.getByText('Tengd. Þú getur skráð þig inn með þeim.').waitFor();
    await page.getByLabel('Bílnúmer').fill('BOX99');
    await press('Bæta við');
    await page.getByText('Bíllinn er ekki skráður á þig í ökutækjaskrá.').waitFor();
    await look('identity-home');
    await press('Aftengja rafræn skilríki');
    await press('Aftengja rafræn skilríki');
    await press('Tengja rafræn skilríki');
    await start();
    await askAgain();
    await page.getByText('Tengd. Þú getur skráð þig inn með þeim.').waitFor();
    expect(cloud.addresses.join(' ')).not.toMatch(/6123456|box/i);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toMatch(/6123456|0471/);
  });

  test('a declined card, a charge that is being checked, and a session that has ended', async () => {
    const card = { type: 'visa' as const, lastFour: '0104', expires: null };
    cloud.driver = { ...cloud.driver, card, state: 'paused', pausedFor: 'declined' };
    await open('/pay/driver#fresh');
    await press('Skrá mig inn');
    await page.getByText('Bankinn hafnaði kortinu').waitFor();
    await look('driver-declined');
    cloud.driver = { ...cloud.driver, checking: true };
    await press('Reyna þetta kort aftur');
    await page.getByText('Við erum að athuga greiðslu').waitFor();
    cloud.token = null;
    await askAgain();
    await page.getByText('Skráðu þig aftur inn.').waitFor();
    await heading('Innskráning');
    cloud.token = 'token-of-a-driver';
    await page.goto('about:blank');
    await open('/pay/driver#fresh');
    await press('Skrá mig inn');
    await press('Skrá út');
    await heading('Innskráning');
    expect(cloud.token).toBeNull();
  });

  test('speaks the language of the address, of the choice, and of the browser', async () => {
    await open('/pay/hafnartorg?lang=pl');
    await heading('Jaki jest numer rejestracyjny?');
    await expect.poll(() => typefaceFiles(page)).toEqual(['loaded', 'loaded']);
    await page.getByLabel('Język').selectOption('fr');
    await heading('Quelle est votre plaque ?');
    await page.goto(`${cloud.url}/pay/hafnartorg`);
    await heading('Quelle est votre plaque ?');
    expect(await page.title()).toContain('Hafnartorg');
  });
});

/**
 * Shows the page in each of the languages, and returns what is too small to touch, cut off, or wider than the page then.
 * Runs in the page, with nothing from outside of itself.
 */
async function findMisfits({
  least,
  languages,
  large,
}: {
  least: number;
  languages: readonly Language[];
  large: boolean;
}) {
  const found: string[] = [];
  const letters = () => Number.parseFloat(getComputedStyle(document.body).fontSize);
  document.documentElement.style.fontSize = '';
  const usual = letters();
  document.documentElement.style.fontSize = large ? '200%' : '';
  if (letters() !== (large ? 2 : 1) * usual) found.push(`letters of ${letters()} in place of ${usual}`);
  for (const language of languages) {
    const choice = document.querySelector<HTMLSelectElement>('.language select');
    if (choice) choice.value = language;
    choice?.dispatchEvent(new Event('change', { bubbles: true }));
    // Its words may have to be loaded first.
    for (const end = Date.now() + 10_000; document.documentElement.lang !== language && Date.now() < end; ) {
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    }
    if (document.documentElement.lang !== language) found.push(`${language}: not spoken`);
    const note = (what: string, elements: readonly Element[]) => {
      for (const { tagName, className, textContent } of elements) {
        found.push(`${language}, ${what}: ${tagName} ${String(className)} “${textContent?.slice(0, 40)}”`);
      }
    };
    const shown = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    note(
      'too small',
      shown('button, a, select, input').filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width < least || height < least;
      }),
    );
    if (document.documentElement.scrollWidth > innerWidth)
      found.push(`${language}: wider than ${innerWidth}`);
    note(
      'cut off',
      shown(
        'main *:not(svg *, .unseen, input, select, option), .top *:not(svg *, select, option), footer *',
      ).filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1),
    );
    note(
      'outside',
      shown('button, h1, p, li, dd, label').filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return left < 0 || right > innerWidth + 0.5;
      }),
    );
  }
  return found;
}
