import { readdirSync, readFileSync } from 'node:fs';
import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import type { Tariff } from '@hlid/protocol/tariff/tariff-shape';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';
import { TariffHands } from './tariff-hands.ts';

const FOLDER = new URL('../fixtures/tariffs/', import.meta.url);
const PUBLISHED: { name: string; currency?: string; tariff: unknown }[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parse(readFileSync(new URL(name, FOLDER), 'utf8'), { merge: true }));

/** As few of the published tariffs as together have every part that any of them has. */
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

  it.each(coveringAll(PUBLISHED))(
    'makes of its fields what the file has: $name',
    async ({ tariff, currency = 'ISK' }) => {
      const published = TariffSchema.parse(tariff);
      expect(await typed(published, currency)).toEqual(published);
    },
  );
});
