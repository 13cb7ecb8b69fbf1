import type { Receivables } from '@hlid/cloud/integration/reports/receivables-report';
import type { receivablesRoutes } from '@hlid/cloud/integration/reports/receivables-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';

const NONE = { 'not-due': 0, '1-30': 0, '31-60': 0, '61-90': 0, 'over-90': 0, credit: 0 };
const PLACE = { id: SITE.id, name: SITE.name };

const BAKERY: Receivables['rows'][number] = {
  debtor: 'customer:c1',
  customerId: 'c1',
  name: 'Bakery',
  ssn: null,
  site: PLACE,
  invoices: 2,
  oldestDueOn: '2026-09-02',
  currency: 'ISK',
  total: 48_000,
  ages: { ...NONE, 'not-due': 24_000, '61-90': 24_000 },
};
const OWNER: Receivables['rows'][number] = {
  ...BAKERY,
  debtor: 'owner:1201603389',
  customerId: null,
  name: 'Jón Jónsson',
  ssn: '1201603389',
  oldestDueOn: null,
  invoices: 1,
  total: -900,
  ages: { ...NONE, credit: -900 },
};

/** A cloud with a customer who owes two invoices, and an owner who paid too much. */
function cloudOf(): ConsoleStandIn {
  const cloud = new ConsoleStandIn({ permissions: ['money'] });
  cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
  cloud.answering<typeof receivablesRoutes>()('$get', '/reports/receivables', () => ({
    asOf: '2026-11-29',
    totals: [
      {
        currency: 'ISK',
        total: 47_100,
        ages: { ...NONE, 'not-due': 24_000, '61-90': 24_000, credit: -900 },
      },
    ],
    rows: [BAKERY, OWNER],
    hasMore: false,
  }));
  cloud.answering<typeof receivablesRoutes>()('$get', '/reports/receivables/invoices', () => ({
    asOf: '2026-11-29',
    totals: [{ currency: 'ISK', total: 24_000, ages: { ...NONE, '61-90': 24_000 } }],
    invoices: [
      {
        invoiceId: 'i1',
        number: 17,
        debtor: 'customer:c1',
        customerId: 'c1',
        name: 'Bakery',
        ssn: null,
        site: PLACE,
        issuedOn: '2026-08-19',
        dueOn: '2026-09-02',
        daysLate: 88,
        age: '61-90' as const,
        currency: 'ISK',
        amount: 30_000,
        open: 24_000,
      },
    ],
    hasMore: false,
  }));
  return cloud;
}

describe.skipIf(!CHROMIUM_IS_HERE)('who owes how much', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('leads from a figure to its invoices, and back', async () => {
    const cloud = cloudOf();
    const page = await cloud.open(browser, 'all/money?tab=receivables&asOf=2026-11-29');
    const row = page.getByRole('row', { name: /Bakery/ });
    await row.getByRole('link', { name: 'ISK 24,000' }).last().click();
    await page.getByRole('row', { name: /17/ }).waitFor();
    const [call] = cloud.callsOf('GET', '/reports/receivables/invoices');
    expect(new URLSearchParams(call?.path.split('?')[1])).toEqual(
      new URLSearchParams({
        asOf: '2026-11-29',
        siteId: SITE.id,
        debtor: 'customer:c1',
        currency: 'ISK',
        age: '61-90',
      }),
    );
    await page.getByRole('button', { name: 'All customers and owners' }).click();
    await page.getByRole('row', { name: /Jón Jónsson/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });

  it('asks for the day that was chosen', async () => {
    const cloud = cloudOf();
    const page = await cloud.open(browser, 'all/money?tab=receivables');
    await page.getByRole('row', { name: /Bakery/ }).waitFor();
    const field = page.getByRole('textbox', { name: 'As of' });
    await field.fill('31/10/2026');
    await field.press('Enter');
    await expect
      .poll(() => cloud.callsOf('GET', '/reports/receivables').at(-1)?.path)
      .toContain('asOf=2026-10-31');
    await page.context().close();
  });
});
