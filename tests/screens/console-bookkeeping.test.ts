import {
  type BookkeepingPlanEdit,
  BookkeepingPlanEditSchema,
} from '@hlid/cloud/books/bookkeeping/bookkeeping-plan';
import type { bookkeepingRoutes } from '@hlid/cloud/books/bookkeeping/bookkeeping-routes';
import type { bookkeepingPlanRoutes } from '@hlid/cloud/books/bookkeeping/plan-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';

/** A cloud with one sale, and the accounts that are set. */
function cloudOf(): { cloud: ConsoleStandIn; plan: () => BookkeepingPlanEdit } {
  const cloud = new ConsoleStandIn({ permissions: ['money'] });
  let plan: BookkeepingPlanEdit = {
    lines: [
      { role: 'card-clearing', detail: null, account: '1300', vatCode: null },
      { role: 'vat', detail: 'S24', account: '2200', vatCode: null },
    ],
    datev: null,
  };
  const shown = () => ({ siteId: SITE.id, ...plan, inherited: null, modifiedOn: null });
  cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
  cloud.answering<typeof bookkeepingPlanRoutes>()('$get', '/sites/:id/bookkeeping-accounts', shown);
  cloud.answering<typeof bookkeepingPlanRoutes>()('$put', '/sites/:id/bookkeeping-accounts', ({ body }) => {
    plan = BookkeepingPlanEditSchema.parse(body);
    return shown();
  });
  cloud.answering<typeof bookkeepingRoutes>()('$get', '/bookkeeping/:period', ({ path }) => {
    const income = plan.lines.find(({ role }) => role === 'income')?.account ?? null;
    const sum = { name: null, currency: 'ISK' };
    const period = /\/bookkeeping\/([\d-]+)/.exec(path)?.[1] ?? '';
    return {
      period,
      from: `${period}-01`,
      to: `${period}-28`,
      siteId: SITE.id,
      isOver: true,
      entries: 1,
      postings: 3,
      sums: [
        { ...sum, account: income, role: 'income' as const, detail: 'S24', debit: 0, credit: 1000 },
        { ...sum, account: '2200', role: 'vat' as const, detail: 'S24', debit: 0, credit: 240 },
        {
          ...sum,
          account: '1300',
          role: 'card-clearing' as const,
          detail: 'terminals',
          debit: 1240,
          credit: 0,
        },
      ],
      openDays: [{ day: `${period}-27`, siteId: SITE.id }],
      missing:
        income === null
          ? [{ siteId: SITE.id, role: 'income' as const, detail: 'S24', name: null, entries: 1 }]
          : [],
    };
  });
  return { cloud, plan: () => plan };
}

describe.skipIf(!CHROMIUM_IS_HERE)('the bookkeeping of a site', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('names the account that is missing, takes it by the keyboard, and has its files then', async () => {
    const { cloud, plan } = cloudOf();
    const page = await cloud.open(browser, `${SITE.id}/money?tab=bookkeeping`);
    await page.getByText('1 day is not closed: the postings may still change.').click();
    expect(await page.getByRole('link', { name: 'To the closes of days' }).getAttribute('href')).toContain(
      'tab=closes',
    );
    const missing = page.getByRole('region', { name: 'No account is set for' });
    await missing.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Postings (CSV)' }).count()).toBe(0);
    await missing.getByRole('button', { name: 'Set the account: Income from stays (S24)' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Set the account' });
    await dialog.getByRole('textbox', { name: 'Account' }).fill('1100');
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save the accounts' }).press('Enter');
    await page.getByRole('button', { name: 'Postings (CSV)' }).waitFor();
    await page.getByRole('button', { name: 'Batch for DATEV' }).waitFor();
    expect(plan().lines).toContainEqual({ role: 'income', detail: 'S24', account: '1100', vatCode: null });
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });

  it('has what DATEV needs, in Icelandic too, and fits a phone and a wide screen', async () => {
    const { cloud, plan } = cloudOf();
    const page = await cloud.open(browser, `${SITE.id}/money?tab=bookkeeping`, 'is-IS');
    await page.getByRole('button', { name: 'Stillingar fyrir DATEV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stillingar fyrir DATEV' });
    await dialog.getByRole('textbox', { name: 'Númer ráðgjafa (Beraternummer)' }).fill('29098');
    await dialog.getByRole('textbox', { name: 'Númer viðskiptavinar (Mandantennummer)' }).fill('55003');
    await dialog.getByRole('button', { name: 'Vista lyklana' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(plan().datev).toEqual({
      consultant: 29_098,
      client: 55_003,
      accountDigits: 4,
      fiscalYearMonth: 1,
    });
    for (const [width, scheme] of [
      [360, 'light'],
      [1280, 'dark'],
      [2560, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await axeFaults(page)).toEqual([]);
      const folder = process.env['HLID_SHOTS'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/books-${width}-${scheme}.png`, fullPage: true });
    }
    await page.context().close();
  });
});
