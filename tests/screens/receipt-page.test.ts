import { PAY_PAGE_FOLDER } from '@hlid/cloud/paying/pay/pay-page-files';
import type { Receipt } from '@hlid/cloud/paying/receipts/find-receipt';
import { pageAssets } from '@hlid/cloud/platform/http/built-page';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildPayPage } from '../harness/build-pages.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { createDrawing } from './draw-screen.ts';
import { readQr } from './read-qr.ts';
import { typefaceFiles } from './typeface-files.ts';

/** The width of the smallest telephones. */
const WIDTH = 360;

const LOGO = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" rx="8" fill="#0b4f82"/></svg>',
).toString('base64')}`;

const ADDRESS = 'https://hlid.example/receipt/Zk3uQ9b1x7Lw2Yt5Vn8Rs4';

const RECEIPT: Receipt = {
  isTraining: false,
  isForCompanies: true,
  tariff: '3 · 0f1e2d3c4b5a6978',
  openRefundMinor: 0,
  payment: {
    id: 'p',
    siteId: 's',
    visitId: 'v',
    invoiceId: null,
    terminalId: 'kiosk-1',
    state: 'settled',
    amountMinor: 3400,
    currency: 'ISK',
    units: 0,
    reason: null,
    needsPerson: false,
    reversalOrderedAt: null,
    siteLostAt: null,
    finding: null,
    language: 'is',
    settledTwice: false,
    chargedBack: false,
    mailedAt: null,
    transaction: {
      reference: '0042-1187',
      authorisation: '123456',
      card: { type: 'mastercard', lastFour: '4444' },
    },
    receipt: ['KVITTUN', 'MASTERCARD  ************4444', 'Upphæð      3.400 ISK', 'Heimild     123456'],
    lines: [
      { rule: 'free', units: 15, amountMinor: 0 },
      { rule: 'day', units: 1, amountMinor: 3000, unitMinor: 3000 },
      {
        rule: 'step',
        units: 4,
        amountMinor: 800,
        unitMinor: 200,
        minutes: 30,
        label: { is: 'Kvöld', en: 'Evening' },
      },
      { rule: 'paid', units: 1, amountMinor: -400 },
    ],
    feesMinor: 0,
    feesVat: null,
    product: null,
    receiptKey: 'k'.repeat(22),
    createdAt: '2026-11-21T11:00:00.000Z',
    changedAt: '2026-11-21T11:00:30.000Z',
  },
  number: 1041,
  refundedAt: null,
  vat: [{ category: 'S', rate: 24, reasons: [], netMinor: 2742, vatMinor: 658 }],
  site: {
    name: 'Bílastæðahús Hafnarinnar við Geirsgötu',
    timeZone: 'Atlantic/Reykjavik',
    seller: {
      name: 'Hafnarstæði ehf.',
      address: 'Geirsgata 1, 101 Reykjavík',
      ssn: '550123-4560',
      vatNumber: '123456',
      logo: LOGO,
    },
  },
  plate: 'ABX12',
  startedAt: '2026-11-20T09:30:00.000Z',
  endedAt: null,
  paidUntil: '2026-11-21T11:15:30.000Z',
};

/** They read the typeface of the built payment page when they are loaded. */
async function loadPages() {
  await buildPayPage(console.warn);
  // A file of tests before this one may have loaded them in this process, before the page was built.
  vi.resetModules();
  const [pages, style] = await Promise.all([
    import('@hlid/cloud/paying/receipts/receipt-page'),
    import('@hlid/cloud/platform/http/page-style'),
  ]);
  const { companyPage } = await import('@hlid/cloud/paying/e-invoice-sending/company-page');
  return { ...pages, ...style, companyPage };
}

describe.skipIf(!CHROMIUM_IS_HERE)('the page of a receipt', () => {
  let browser: Browser;
  let receiptPage: Awaited<ReturnType<typeof loadPages>>['receiptPage'];
  let missingReceiptPage: Awaited<ReturnType<typeof loadPages>>['missingReceiptPage'];
  let companyPage: Awaited<ReturnType<typeof loadPages>>['companyPage'];
  let policy: string;
  beforeAll(async () => {
    const pages = await loadPages();
    ({ receiptPage, missingReceiptPage, companyPage } = pages);
    policy = pages.RECEIPT_POLICY;
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  async function show(html: string, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 1200 }, colorScheme });
    await page.setContent(html);
    return page;
  }

  it.each([
    ...(['is', 'pl', 'fr', 'da'] as const).map((language) => [language, 'light'] as const),
    ...(['en', 'de', 'es'] as const).map((language) => [language, 'dark'] as const),
  ])('can be read by everybody, on a small telephone: %s, %s', async (language, scheme) => {
    const page = await show(String(await receiptPage(RECEIPT, language, ADDRESS)), scheme);
    // Other languages have other words only.
    if (language === 'is') expect(await axeFaults(page)).toEqual([]);
    if (language === 'en') expect(await axeFaults(page, 'colours')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(WIDTH);
    const draw = await createDrawing(page, 'receipt');
    await draw(`${language}-${scheme}`);
    await page.close();
  });

  it.each([
    ['is', 'light'],
    ['en', 'dark'],
    ['de', 'light'],
  ] as const)('leads to a form that sends it to a company: %s, %s', async (language, scheme) => {
    const typed = { name: 'Æðey ehf.', ssn: '12', email: 'nobody' };
    const html = companyPage({
      language,
      back: '../key',
      isTraining: false,
      answer: { kind: 'refused', why: 'wrong', ...typed },
    });
    const page = await show(String(await html), scheme);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.getByRole('textbox').evaluateAll((all) => all.map((one) => one.id))).toEqual(
      Object.keys(typed),
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(WIDTH);
    const draw = await createDrawing(page, 'receipt');
    await draw(`company-${language}-${scheme}`);
    await page.close();
  });

  it('is black on white on paper, without what paper cannot do', async () => {
    const page = await show(String(await receiptPage(RECEIPT, 'is', ADDRESS)), 'dark');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const main = page.locator('main');
    const style = (of: string) =>
      main.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), of);
    expect([await style('background-color'), await style('color')]).toEqual([
      'rgb(255, 255, 255)',
      'rgb(0, 0, 0)',
    ]);
    expect(await page.getByText('English').isVisible()).toBe(false);
    await expect.poll(() => page.locator('.logo').isVisible()).toBe(true);
    await expect.poll(() => page.getByText('3.400').first().isVisible()).toBe(true);
    const draw = await createDrawing(page, 'receipt');
    await draw('print');
    // Saved as a PDF, it is one sheet.
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
    await page.close();
  });

  /** The page as the cloud sends it, with its policy, and the files that it may load. */
  async function serve(receipt: Receipt, deviceScaleFactor = 1) {
    const page = await browser.newPage({ deviceScaleFactor });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    const body = String(await receiptPage(receipt, 'de', ADDRESS));
    const assets = pageAssets(PAY_PAGE_FOLDER);
    await page.route('http://receipt.example/**', (route) => {
      const { pathname } = new URL(route.request().url());
      const asset = assets.get(pathname.replace('/pay/assets/', ''));
      if (asset === undefined) return route.fulfill({ headers, body });
      return route.fulfill({ headers: asset.headers, body: Buffer.from(asset.body) });
    });
    return { page, problems: () => complaints.filter((text) => !text.includes('favicon')) };
  }

  it('is printed by its button, under its own policy', async () => {
    const { page, problems } = await serve(RECEIPT);
    let prints = 0;
    await page.exposeFunction('printed', () => prints++);
    await page.addInitScript('window.print = () => window.printed()');
    await page.goto('http://receipt.example/receipt');
    await page.getByRole('button', { name: 'Drucken' }).click();
    await expect.poll(() => prints).toBe(1);
    expect(await page.locator('.logo').evaluate((logo: HTMLImageElement) => logo.naturalWidth)).toBe(120);
    expect(problems()).toEqual([]);
    await page.close();
  });

  it('has our typeface, on paper and in a PDF too, our mark where the seller has none, and a code that leads back', async () => {
    const { seller, ...site } = RECEIPT.site;
    const { logo: _theirs, ...plain } = seller ?? { name: '', ssn: '' };
    const { page, problems } = await serve(
      { ...RECEIPT, plate: 'ŁÓDŹ1', site: { ...site, seller: plain } },
      3,
    );
    await page.goto('http://receipt.example/receipt');
    await expect.poll(() => typefaceFiles(page)).toEqual(['loaded', 'loaded']);
    expect(await page.locator('.code').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.mark').isVisible()).toBe(true);
    expect(await readQr(page.locator('.code svg'))).toBe(ADDRESS);
    await page.getByText(ADDRESS).waitFor();
    const draw = await createDrawing(page, 'receipt');
    await draw('paper');
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    const fonts = [...pdf.matchAll(/\/FontName \/\w+\+([\w-]+)/g)].map(([, name]) => name);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter((name) => !name?.startsWith('Inter'))).toEqual([]);
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    expect(problems()).toEqual([]);
    await page.close();
  });

  it('says at an address that it does not know what to do', async () => {
    const page = await show(String(await missingReceiptPage('is', false)), 'dark');
    expect(await axeFaults(page)).toEqual([]);
    await expect.poll(() => page.getByRole('link', { name: 'Reyna aftur' }).count()).toBe(1);
    await page.close();
  });
});
