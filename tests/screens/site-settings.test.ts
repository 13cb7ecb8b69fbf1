import { Buffer } from 'node:buffer';
import type { payLinkRoutes } from '@hlid/cloud/paying/pay/pay-link-routes';
import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { siteRoutes } from '@hlid/cloud/sites/sites/change/site-routes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';

const LINE = {
  id: '1',
  on: '2026-11-03T10:00:00.000Z',
  by: 'account:anna',
  byName: 'Anna',
  action: 'site.update',
  subject: 'site',
  subjectId: SITE.id,
  subjectName: SITE.name,
  siteId: SITE.id,
  before: { settings: { exitGraceMinutes: 20 } },
  after: { settings: { exitGraceMinutes: 15 } },
  reason: null,
  requestId: 'r1',
};
const EDITABLE = { ...SITE, actions: ['edit' as const] };
/** A picture of one point. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(!CHROMIUM_IS_HERE)('the settings of a site', () => {
  let browser: Browser;
  let cloud: ConsoleStandIn;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    cloud = new ConsoleStandIn({ permissions: ['devices', 'people'] });
    cloud.answering<typeof siteRoutes>()('$get', '/sites/:id', () => EDITABLE);
    cloud.answering<typeof siteRoutes>()('$put', '/sites/:id', () => EDITABLE);
    cloud.answering<typeof auditRoutes>()('$get', '/audit', () => wholeList([LINE]));
    cloud.answering<typeof payLinkRoutes>()('$get', '/sites/:id/ways-to-pay', () => ({
      terminal: 'works',
      kiosk: 'works' as const,
      online: 'works' as const,
      invoices: false,
      problem: null,
    }));
    page = await cloud.open(browser, `${SITE.id}/sites`);
    await page.getByLabel('Minutes to leave after paying').waitFor();
  });
  afterEach(async () => {
    await page.context().close();
    expect(cloud.unanswered).toEqual([]);
  });

  const search = () => page.getByLabel('Search', { exact: true });

  it('show each default and last change, and what is set elsewhere', async () => {
    await page.getByText(/^Default: 15\. Changed .* by Anna\.$/).waitFor();
    await page.getByText('Default: not counted.', { exact: false }).waitFor();
    await page.getByRole('heading', { name: 'On the site’s computer' }).waitFor();
    await expect.poll(() => page.getByRole('main').getByRole('link', { name: 'Cameras' }).count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('are found by their words, and what was typed before stays', async () => {
    await page.getByLabel('Telephone for help').fill('555 1234');
    await search().fill('leave after');
    await expect.poll(() => page.getByRole('main').locator('form').first().locator('input').count()).toBe(1);
    await search().fill('unicorn');
    await page.getByText('No setting has these words').waitFor();
    await search().fill('');
    await expect.poll(() => page.getByLabel('Telephone for help').inputValue()).toBe('555 1234');
    expect(await axeFaults(page)).toEqual([]);
  });

  it('have limits in the money of the site, each with its meaning and last change, and send what was changed', async () => {
    const limits = { refund: 10_050, waiver: null, credit: 500, close: 2000 };
    const site = { ...EDITABLE, currency: 'EUR', approvalLimits: limits };
    cloud.answering<typeof siteRoutes>()('$get', '/sites', () => wholeList([site]));
    cloud.answering<typeof siteRoutes>()('$put', '/sites/:id/approval-limits', () => site);
    const changed = { ...LINE, action: 'site.limits', before: { refund: 5000 }, after: { refund: 10_050 } };
    cloud.answering<typeof auditRoutes>()('$get', '/audit', () => wholeList([changed]));
    await page.reload();
    const refund = page.getByLabel('Refunds above (EUR)');
    await expect.poll(() => refund.inputValue()).toBe('100.50');
    const card = page.getByRole('form', { name: 'When a second person is needed' });
    await card
      .getByText(/^Refunds and reversals of one payment or invoice count together\. Changed .* by Anna\.$/)
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await refund.fill('99,5');
    await card.getByText('Write an amount').waitFor();
    await refund.fill('99.50');
    await page.getByLabel('Credits of invoices above (EUR)').fill('');
    await card.getByRole('button', { name: 'Set limits' }).click();
    const path = `/sites/${SITE.id}/approval-limits`;
    await expect.poll(() => cloud.callsOf('PUT', path).length).toBe(1);
    expect(cloud.callsOf('PUT', path)[0]?.body).toEqual({ refund: 9950, credit: null });
  });

  it('take a logo of a small size, show it, and send it with the seller', async () => {
    await page.getByLabel('Name', { exact: true }).last().fill('Höfn ehf.');
    const logo = page.getByLabel('Logo on receipts');
    const large = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(20_000) };
    await logo.setInputFiles(large);
    await page.getByText('This picture is too large').waitFor();
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    const shown = page.locator('img.picture-field');
    await expect.poll(() => shown.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => cloud.callsOf('PUT', `/sites/${SITE.id}`).length).toBe(1);
    expect(cloud.callsOf('PUT', `/sites/${SITE.id}`)[0]?.body).toEqual({
      settings: { seller: { name: 'Höfn ehf.', logo: `data:image/png;base64,${PNG}` } },
    });
  });
});
