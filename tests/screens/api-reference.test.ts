import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenApiDocument } from '@hlid/cloud/integration/docs/openapi-document';
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from '@hlid/cloud/integration/docs/reference-assets';
import { referencePage } from '@hlid/cloud/integration/docs/reference-page';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { createDrawing } from './draw-screen.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ADDRESS = 'http://cloud.test/docs';

describe.skipIf(!CHROMIUM_IS_HERE)('the reference of the API', () => {
  let browser: Browser;
  let html: string;
  /** Calls of every kind, few of each: the accessibility test weighs each element of a page. */
  let shortHtml: string;
  let page: Page;
  let asked: string[];
  beforeAll(async () => {
    const document = JSON.parse(readFileSync(join(ROOT, 'cloud', 'openapi.json'), 'utf8')) as OpenApiDocument;
    html = String(await referencePage(document));
    shortHtml = String(await referencePage(shortened(document)));
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  afterEach(() => page.context().close());

  async function open(options: BrowserContextOptions = {}, body = html): Promise<void> {
    page = await (await browser.newContext(options)).newPage();
    asked = [];
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      asked.push(route.request().url());
      if (pathname === '/docs') return route.fulfill({ body, contentType: 'text/html' });
      if (pathname.endsWith('.css')) return route.fulfill({ body: REFERENCE_STYLE, contentType: 'text/css' });
      return route.fulfill({ body: REFERENCE_SCRIPT, contentType: 'text/javascript' });
    });
    await page.goto(ADDRESS);
  }

  it('has no barrier, light and dark, wide and small', async () => {
    await open({ viewport: { width: 1400, height: 900 } }, shortHtml);
    const draw = await createDrawing(page, 'api');
    for (const { colorScheme, width, height, axe } of [
      { colorScheme: 'light', width: 1400, height: 900, axe: 'all' },
      { colorScheme: 'dark', width: 1400, height: 900, axe: 'colours' },
      { colorScheme: 'light', width: 360, height: 740, axe: 'all' },
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      for (const call of ['', '#post-kiosk-register-payment']) {
        await page.evaluate((hash) => location.replace(hash), call || '#');
        await draw(`${call.slice(1) || 'top'}-${colorScheme}-${width}`);
      }
      expect(await axeFaults(page, axe), `${colorScheme}, ${width} px`).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    expect(asked.filter((url) => !url.startsWith('http://cloud.test/'))).toEqual([]);
  });

  it("is found by the browser's own search, to the last schema", async () => {
    await open();
    for (const words of ['/kiosk/register-payment', 'WebhookReplay', 'Idempotency-Key']) {
      expect(
        await page.evaluate((text) => Reflect.get(window, 'find').call(window, text), words),
        words,
      ).toBe(true);
    }
  });

  it('searches, and leads to a call that the search had hidden', async () => {
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('register-payment');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 call');
    await expect.poll(() => page.locator('article.call:visible').count()).toBe(1);
    await page.evaluate("location.hash = '#get-visits'");
    await expect.poll(() => page.locator('#get-visits').isVisible()).toBe(true);
  });

  it('shows the samples in the language that was chosen, next time too', async () => {
    await open();
    const sample = page.locator('#get-visits .sample:visible');
    await expect.poll(() => sample.textContent()).toContain('curl -X GET');
    await page.getByLabel('TypeScript').check();
    await expect.poll(() => sample.textContent()).toContain('await fetch(');
    await page.reload();
    await expect.poll(() => sample.textContent()).toContain('await fetch(');
  });
});

function shortened(document: OpenApiDocument): OpenApiDocument {
  const paths = ['/kiosk/register-payment', '/photos/{type}', '/visits', '/whitelist/{id}', '/webhooks'];
  const schemas = Object.entries(document.components?.schemas ?? {}).slice(0, 12);
  return {
    ...document,
    paths: Object.fromEntries(paths.map((path) => [path, document.paths?.[path] ?? {}])),
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  };
}
