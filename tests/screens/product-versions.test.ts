import type { productRoutes } from '@hlid/cloud/money/products/change/product-routes';
import type { ProductVersion } from '@hlid/cloud/money/products/product-version';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { siteRoutes } from '@hlid/cloud/sites/sites/change/site-routes';
import type { Run } from '@hlid/cloud/stays/dry-runs/dry-run';
import type { dryRunRoutes } from '@hlid/cloud/stays/dry-runs/dry-run-routes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';
import { createDrawing } from './draw-screen.ts';

const LONG_AGO = '2026-01-01T00:00:00.000Z';

const FORM = {
  price: 500,
  currency: 'ISK',
  vatRate: 24,
  vatCategory: 'S' as const,
  vatReason: null,
  category: null,
  name: { en: 'Parking' },
  productCode: 'P1',
  config: { startTime: '00:00', endTime: '23:59' },
  hash: '0123456789abcdef',
};

const PRODUCT = {
  ...FORM,
  id: 'p1',
  type: 'default' as const,
  vehicleCategory: 'light' as const,
  siteId: null,
  version: 1,
  createdOn: LONG_AGO,
  modifiedOn: LONG_AGO,
  planned: [],
  warnings: [],
  actions: ['edit' as const, 'delete' as const],
};

const HOLDS: ProductVersion = {
  ...FORM,
  version: 1,
  state: 'present',
  validFrom: null,
  heldOn: LONG_AGO,
  endedOn: null,
  savedOn: LONG_AGO,
  savedBy: 'account:a1',
  savedByName: 'Anna',
  withdrawnOn: null,
  withdrawnBy: null,
  withdrawnByName: null,
};

const PLANNED: ProductVersion = {
  ...HOLDS,
  version: 2,
  state: 'planned',
  validFrom: '2031-03-01',
  heldOn: null,
  price: 600,
};

const RUN: Run = {
  id: 'r1',
  kind: 'dry-run',
  state: 'running',
  productId: 'p1',
  siteId: null,
  from: '2026-10-01',
  to: '2026-10-31',
  draft: { price: 600, vatRate: 24, config: FORM.config },
  progress: { done: 400, total: 1000 },
  result: { currency: 'ISK', visits: 400, before: 200_000, after: 240_000, more: 400, less: 0, same: 0 },
  createdOn: LONG_AGO,
  endedOn: null,
  error: null,
};

describe.skipIf(!CHROMIUM_IS_HERE)('a product in the console', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  let versions: ProductVersion[];
  let runs: Run[];
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    versions = [PLANNED, HOLDS];
    runs = [];
    cloud = new ConsoleStandIn({ permissions: ['tariffs'] });
    const products = cloud.answering<typeof productRoutes>();
    products('$get', '/products/:id', () => PRODUCT);
    products('$put', '/products/:id', () => PRODUCT);
    products('$get', '/products/:id/versions', () => wholeList(versions));
    cloud.answering<typeof dryRunRoutes>()('$get', '/runs', () => wholeList(runs));
    page = await cloud.open(browser, `${SITE.id}/products/p1`);
    await page.getByRole('heading', { name: 'Versions' }).waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  const bodyOf = (method: string, path: string) => cloud.callsOf(method, path).at(-1)?.body;

  it('is saved for now, or from a later day on', async () => {
    await page.getByLabel('Price', { exact: true }).fill('700');
    await page.getByRole('button', { name: 'Save the product' }).click();
    await expect.poll(() => bodyOf('PUT', '/products/p1')).toMatchObject({ price: 700 });
    expect(bodyOf('PUT', '/products/p1')).not.toHaveProperty('validFrom');
    await expect.poll(() => page.getByLabel('Price', { exact: true }).inputValue()).toBe('500');
    await page.getByLabel('Price', { exact: true }).fill('800');
    await page.getByLabel('Holds from').fill('1.3.2031');
    await page.getByLabel('Holds from').press('Tab');
    await page.getByRole('button', { name: 'Save the product' }).click();
    await expect
      .poll(() => bodyOf('PUT', '/products/p1'))
      .toMatchObject({ price: 800, validFrom: '2031-03-01' });
  });

  it('has its versions, with who saved them, what differs, and a plan to change or withdraw', async () => {
    const table = page.getByRole('region', { name: 'Versions' });
    await expect.poll(() => table.getByText('Holds now').count()).toBeGreaterThan(0);
    await expect.poll(() => table.getByText('Anna').count()).toBe(2);
    const compared = page.getByRole('table', { name: 'What differs' });
    await expect.poll(() => compared.getByRole('row').allInnerTexts()).toHaveLength(2);
    await expect.poll(() => compared.innerText()).toMatch(/500[\s\S]*600/);
    await table.getByRole('button', { name: 'Change', exact: true }).click();
    await expect.poll(() => page.getByLabel('Price', { exact: true }).inputValue()).toBe('600');
    cloud.answering<typeof productRoutes>()('$delete', '/products/:id/versions/:version', () => {
      versions = [HOLDS];
      return {};
    });
    await table.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Withdraw version 2' }).click();
    await expect.poll(() => table.getByText('Planned').count()).toBe(0);
  });

  it('warns at the save of what is planned, and offers to withdraw it', async () => {
    let planned = [{ version: 2, validFrom: '2031-03-01' }];
    const products = cloud.answering<typeof productRoutes>();
    products('$get', '/products/:id', () => ({ ...PRODUCT, planned }));
    await page.reload();
    const warning = page.getByText(/^Version 2 is planned from .*2031 and will replace this one\.$/);
    await warning.waitFor();
    // A version from a later day is not replaced.
    await page.getByLabel('Holds from').fill('2.3.2031');
    await page.getByLabel('Holds from').press('Tab');
    await warning.waitFor({ state: 'detached' });
    await page.getByLabel('Holds from').fill('');
    await page.getByLabel('Holds from').press('Tab');
    await page.getByLabel('Price', { exact: true }).fill('700');
    products('$delete', '/products/:id/versions/:version', () => {
      planned = [];
      versions = [HOLDS];
      return {};
    });
    await page.locator('form').getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('button', { name: 'Withdraw version 2' }).click();
    await warning.waitFor({ state: 'detached' });
    // The typed price stays, and is not sent.
    expect(cloud.callsOf('PUT', '/products/p1')).toEqual([]);
    await expect.poll(() => page.getByLabel('Price', { exact: true }).inputValue()).toBe('700');
  });

  it('begins on a later day by the clock of its sites, not of the browser', async () => {
    await page.clock.setFixedTime('2026-11-28T11:00:00.000Z');
    cloud.answering<typeof siteRoutes>()('$get', '/sites', () =>
      wholeList([SITE, { ...SITE, id: 'kiritimati', timeZone: 'Pacific/Kiritimati' }]),
    );
    await page.reload();
    // It is tomorrow already on Kiritimati: the first day that has begun nowhere is the one after.
    await page.getByLabel('Holds from').locator('xpath=..').getByRole('button').click();
    const day = (name: RegExp) => page.getByRole('dialog').getByRole('button', { name });
    await expect.poll(() => day(/ 29\. November/).isDisabled()).toBe(true);
    expect(await day(/ 30\. November/).isDisabled()).toBe(false);
  });

  it('is tried on past visits: with progress, cancelled, and each difference leads to its visit', async () => {
    const runRoutes = cloud.answering<typeof dryRunRoutes>();
    runRoutes('$post', '/products/dry-run', () => {
      runs = [RUN];
      return RUN;
    });
    const cancelled: Run = { ...RUN, state: 'cancelled' };
    runRoutes('$post', '/runs/:id/cancel', () => {
      runs = [cancelled];
      return cancelled;
    });
    const visit = { visitId: 'v1', before: 500, after: 600, difference: 100 };
    runRoutes('$get', '/runs/:id/visits', ({ path }) => wholeList(path.includes('more') ? [visit] : []));
    const panel = page.getByRole('region', { name: 'Dry run on past visits' });
    await page.getByLabel('Price', { exact: true }).fill('600');
    await panel.getByRole('button', { name: 'Price past visits' }).click();
    await expect
      .poll(() => bodyOf('POST', '/products/dry-run'))
      .toMatchObject({ productId: 'p1', draft: { price: 600 } });
    const bar = panel.getByRole('progressbar');
    await expect.poll(() => bar.getAttribute('value')).toBe('400');
    await expect.poll(() => bar.getAttribute('max')).toBe('1000');
    await panel.getByRole('button', { name: 'Cancel the dry run' }).click();
    await panel.getByText('The dry run was cancelled').waitFor();
    const link = panel.getByRole('link', { name: 'v1' });
    await expect.poll(() => link.first().getAttribute('href')).toContain(`/${SITE.id}/visits/v1`);
  });

  it.each(['en-GB', 'is-IS'])(
    'can be used by everybody, at any width, light and dark: %s',
    { timeout: 60_000 },
    async (locale) => {
      await page.context().close();
      const products = cloud.answering<typeof productRoutes>();
      const planned = [{ version: 2, validFrom: '2031-03-01' }];
      products('$get', '/products/:id', () => ({ ...PRODUCT, planned }));
      const withdrawn = { withdrawnOn: LONG_AGO, withdrawnBy: 'account:a1', withdrawnByName: 'Anna' };
      versions = [{ ...PLANNED, ...withdrawn, version: 3, state: 'withdrawn' }, PLANNED, HOLDS];
      const visit = { visitId: 'v1', before: 500, after: 600, difference: 100 };
      cloud.answering<typeof dryRunRoutes>()('$get', '/runs/:id/visits', () => wholeList([visit]));
      for (const run of [RUN, { ...RUN, state: 'done' as const, endedOn: LONG_AGO }]) {
        runs = [run];
        page = await cloud.open(browser, `${SITE.id}/products/p1`, locale);
        const draw = await createDrawing(page, 'product-versions');
        await page.getByRole('table').nth(1).waitFor();
        for (const width of [360, 1366, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await draw(`${run.state}-${locale}-${width}-${colorScheme}`);
            const isFirst = width === 360 && colorScheme === 'light';
            expect(await axeFaults(page, isFirst ? 'all' : 'colours')).toEqual([]);
          }
        }
        if (run.state !== 'done') await page.context().close();
      }
    },
  );
});
