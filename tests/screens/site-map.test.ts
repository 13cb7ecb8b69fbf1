import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { siteRoutes } from '@hlid/cloud/sites/sites/change/site-routes';
import type { SiteView } from '@hlid/cloud/sites/sites/site-view';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';
import { createDrawing } from './draw-screen.ts';

function siteAt(name: string, at: { latitude: number; longitude: number }, more: Partial<SiteView> = {}) {
  return { ...SITE, id: name, name, settings: { ...SITE.settings, ...at }, ...more };
}

const SITES = [
  siteAt('Harbour', { latitude: 64.1505, longitude: -21.931 }),
  siteAt(
    'Akureyri',
    { latitude: 65.683, longitude: -18.1 },
    {
      presence: { ...SITE.presence, connected: false, since: '2026-11-20T08:00:00.000Z' },
    },
  ),
  { ...SITE, id: 'nowhere', name: 'Nowhere' },
];

describe.skipIf(!CHROMIUM_IS_HERE)('all sites on a map', () => {
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

  async function open(sites: readonly SiteView[], locale = 'en-GB'): Promise<void> {
    cloud = new ConsoleStandIn({ permissions: ['devices'] });
    cloud.answering<typeof siteRoutes>()('$get', '/sites', () => wholeList([...sites]));
    page = await cloud.open(browser, 'all/sites', locale);
    await page.getByRole('row', { name: /Harbour/ }).waitFor();
  }

  it('shows those that have coordinates, how they are, and lists all of them', async () => {
    await open(SITES);
    const map = page.locator('.site-map svg');
    await expect
      .poll(() => map.locator('.here title').allTextContents())
      .toEqual([expect.stringMatching(/^Harbour · Connected/)]);
    await expect
      .poll(() => map.locator('.away title').allTextContents())
      .toEqual([expect.stringMatching(/^Akureyri · Last contact .*08:00/)]);
    await page.getByText('1 site has no coordinates.').waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Nowhere/ }).count()).toBe(1);
    expect(
      await page
        .getByRole('row', { name: /Akureyri/ })
        .locator('time')
        .count(),
    ).toBe(1);
  });

  it('is not there where no site has coordinates', async () => {
    await open([{ ...SITE, name: 'Harbour' }]);
    expect(await page.locator('.site-map').count()).toBe(0);
  });

  it.each(['en-GB', 'is-IS'])('fits any width, light and dark: %s', async (locale) => {
    await open(SITES, locale);
    const draw = await createDrawing(page, 'site-map');
    for (const width of [360, 1366, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await draw(`${locale}-${width}-${colorScheme}`);
        expect(await axeFaults(page, width === 360 ? 'all' : 'colours')).toEqual([]);
      }
    }
  });
});
