import { readdirSync, readFileSync } from 'node:fs';
import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { formatMoney } from '@hlid/protocol/base/money';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { priceAtExit } from '@hlid/protocol/tariff/price-visit';
import { ProductSchema } from '@hlid/protocol/tariff/product';
import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import type { Tariff } from '@hlid/protocol/tariff/tariff-shape';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';
import { Hands } from './hands.ts';
import { TariffHands } from './tariff-hands.ts';

const FOLDER = new URL('../fixtures/tariffs/', import.meta.url);
const PUBLISHED: { name: string; currency?: string; tariff: unknown }[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parse(readFileSync(new URL(name, FOLDER), 'utf8'), { merge: true }));

/** The fewest published tariffs that together have every part that any of them has. */
function coveringAll(tariffs: typeof PUBLISHED): typeof PUBLISHED {
  const partsOf = ({ tariff }: (typeof PUBLISHED)[number]) => new Set(partNames(tariff, ''));
  const missing = new Set(tariffs.flatMap((one) => [...partsOf(one)]));
  const chosen: typeof PUBLISHED = [];
  while (missing.size > 0) {
    const news = (one: (typeof PUBLISHED)[number]) =>
      [...partsOf(one)].filter((part) => missing.has(part)).length;
    const [best] = tariffs.toSorted((one, other) => news(other) - news(one));
    if (best === undefined) break;
    chosen.push(best);
    for (const part of partsOf(best)) missing.delete(part);
  }
  return chosen;
}

/** The keys of a tariff by their places, with the words that they have for values. */
function partNames(part: unknown, place: string): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => partNames(one, place));
  if (typeof part === 'string' && /^[a-z-]+$/.test(part)) return [`${place}=${part}`];
  if (typeof part !== 'object' || part === null) return [place];
  if (place.endsWith('.label')) return [place];
  return Object.entries(part).flatMap(([key, value]) => partNames(value, `${place}.${key}`));
}

describe.skipIf(!CHROMIUM_IS_HERE)('the editor of tariffs', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  async function openNewProduct(): Promise<void> {
    cloud = new ConsoleStandIn({ permissions: ['tariffs'] });
    cloud.answering<typeof productRoutes>()('$get', '/products', () => wholeList([]));
    // Only what is sent counts here.
    cloud.answering<typeof productRoutes>()('$post', '/products', () => new Refused(503, [], ['Away.']));
    page = await cloud.open(browser, `${SITE.id}/products/new`);
    await page.getByLabel('Product code').fill('P1');
    await page.getByRole('combobox', { name: /^VAT/ }).selectOption('S');
    await page.getByLabel('VAT in percent').fill('24');
  }

  async function typed(tariff: Tariff, currency: string): Promise<Tariff> {
    await openNewProduct();
    await page.getByLabel('Currency').fill(currency);
    await new TariffHands(page, currency).type(tariff);
    await page.getByRole('button', { name: 'Create the product' }).click();
    await expect.poll(() => cloud.callsOf('POST', '/products').length).toBe(1);
    const [call] = cloud.callsOf('POST', '/products');
    return z.object({ config: z.object({ tariff: TariffSchema }) }).parse(call?.body).config.tariff;
  }

  /** The prices of the twelve sample stays, as the page shows them. */
  async function shownPrices(): Promise<string[]> {
    const rows = page.getByRole('table', { name: 'What stays cost' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(SAMPLE_HOURS.length);
    return await rows.locator('td.number').allInnerTexts();
  }

  it.each(coveringAll(PUBLISHED))(
    'makes of its fields what the file has, and prices the same: $name',
    async ({ tariff, currency = 'ISK' }) => {
      const published = TariffSchema.parse(tariff);
      expect(await typed(published, currency)).toEqual(published);
      expect(await shownPrices()).toEqual(pricesOfFile(published, currency));
    },
  );

  it('is used without a mouse: a tariff from its kind to the save', async () => {
    await openNewProduct();
    const hands = new Hands(page, 'keyboard');
    await page.getByLabel('Product code').press('Control+a');
    await hands.type(page.getByLabel('Product code'), 'HOUR');
    await hands.choose(page.getByRole('combobox', { name: /^VAT/ }), 'Exempt from VAT');
    await hands.choose(
      page.getByRole('combobox', { name: 'Why there is no VAT' }),
      'letting of parking spaces',
    );
    await hands.press(page.getByRole('button', { name: 'By the hour', exact: true }));
    await hands.type(page.getByLabel('Price', { exact: true }).last(), '420');
    await hands.type(page.getByLabel('A day', { exact: true }), '2100');
    await hands.press(page.getByRole('button', { name: 'Create the product' }));
    await expect.poll(() => cloud.callsOf('POST', '/products').length).toBe(1);
    const [call] = cloud.callsOf('POST', '/products');
    expect(call?.body).toMatchObject({
      productCode: 'HOUR',
      vatRate: 0,
      vatCategory: 'E',
      vatReason: 'parking-rental',
      config: {
        tariff: {
          bands: [{ steps: [{ kind: 'each', priceMinor: 420, everyMinutes: 60 }] }],
          day: { prices: [{ fromDay: 1, priceMinor: 2100 }] },
        },
      },
    });
  });

  it('is not saved before somebody has said what VAT it has', async () => {
    await openNewProduct();
    await page.getByRole('button', { name: 'By the hour', exact: true }).click();
    const save = page.getByRole('button', { name: 'Create the product' });
    await expect.poll(() => save.isEnabled()).toBe(true);
    const vat = page.getByRole('combobox', { name: /^VAT/ });
    await vat.selectOption('');
    await page.getByText('Not saved · 1 field is empty').waitFor();
    await expect.poll(() => save.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Go to the first', exact: true }).click();
    await expect.poll(() => vat.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('keeps the save in view, with what is wrong and the way to the first of it', async () => {
    await openNewProduct();
    const save = page.getByRole('button', { name: 'Create the product' });
    await page.getByRole('button', { name: 'Long stays', exact: true }).click();
    const price = page.getByLabel('Price', { exact: true }).last();
    await price.fill('');
    await page.getByText('Not saved · 1 field is empty').waitFor();
    // From the top of the page the button is in the window, and the field is far below.
    await page.evaluate(() => window.scrollTo(0, 0));
    const inWindow = async (target: Locator) => {
      const box = await target.boundingBox();
      const { height } = page.viewportSize() ?? { height: 0 };
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    };
    expect(await inWindow(save)).toBe(true);
    await page.getByRole('button', { name: 'Go to the first', exact: true }).click();
    await expect.poll(() => price.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await inWindow(price)).toBe(true);
    await page.keyboard.type('350');
    await page.getByText('Not saved', { exact: true }).waitFor();
  });

  it('prices a stay that is typed in, from any moment to any other', async () => {
    await openNewProduct();
    await page.getByRole('button', { name: 'By the hour', exact: true }).click();
    const stay = page.locator('.card').filter({ hasText: 'Any stay' });
    const fill = async (name: string, at: number, text: string) => {
      await stay.getByLabel(name, { exact: true }).nth(at).fill(text);
      await stay.getByLabel(name, { exact: true }).nth(at).blur();
    };
    await fill('In on', 0, '20.11.2026');
    await fill('at', 0, '08:00');
    await fill('Out on', 0, '21.11.2026');
    await fill('at', 1, '08:01');
    await page.getByText('Stays of at most 15 min are free.', { exact: true }).waitFor();
    // 24 hours at 1,750, and a started hour at 350.
    await expect.poll(() => stay.locator('td.number').innerText()).toBe(moneyOf(2100, 'ISK'));
  });
});

const SAMPLE_HOURS = [1 / 6, 0.5, 1, 1.5, 2, 4, 8, 12, 24, 36, 72, 168];

/** The prices of the sample stays by the tariff of the file, from ten o'clock today. */
function pricesOfFile(tariff: Tariff, currency: string): string[] {
  const start = Date.parse(`${new Date().toISOString().slice(0, 10)}T10:00:00.000Z`);
  const product = ProductSchema.parse({
    id: 'file',
    type: 'default',
    priceMinor: 0,
    currency,
    vehicleCategory: 'light',
    category: null,
    name: {},
    productCode: 'P1',
    config: { tariff },
    version: 1,
  });
  return SAMPLE_HOURS.map((hours) => {
    const until = utcTime(start + hours * HOUR_MS);
    const question = { product, startedAt: utcTime(start), until, timeZone: SITE.timeZone };
    return moneyOf(priceAtExit(question, SITE.settings.entryGraceMinutes).amountMinor, currency);
  });
}

function moneyOf(amountMinor: number, currency: string): string {
  return formatMoney({ amountMinor, currency }, 'en');
}
