import type { ShownBillingPlan } from '@hlid/cloud/paying/billing/billing-plan';
import type { billingRoutes } from '@hlid/cloud/paying/billing/billing-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import { MONEY_EN } from '@hlid/protocol/base/mistakes/refusals/money-en';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';

const UNTIL = '2026-11-29T11:00:00.000Z';

function planOf(invoices: number): ShownBillingPlan {
  const one = {
    customer: { id: 'c1', name: 'Bakery' },
    siteId: SITE.id,
    currency: 'ISK',
    lines: 3,
    vat: [{ category: 'S' as const, rate: 24, net: 2419, vat: 581 }],
    amount: 3000,
  };
  return {
    dryRun: true,
    until: UNTIL,
    totals:
      invoices === 0
        ? []
        : [
            {
              currency: 'ISK',
              invoices,
              lines: 3 * invoices,
              net: 2419 * invoices,
              vat: 581 * invoices,
              amount: 3000 * invoices,
            },
          ],
    invoices: Array.from({ length: invoices }, (_, n) => ({ ...one, period: `2026-11-0${n + 1}` })),
    hasMore: false,
    leftOut: [
      {
        customer: { id: 'c2', name: 'Garage' },
        currency: 'ISK',
        reason: 'period-open',
        detail: null,
        charges: 2,
        amount: 1500,
        billedFrom: '2026-12-01T00:00:00.000Z',
      },
    ],
  };
}

/** A cloud whose dry run finds one invoice, and from the second run on two. */
function cloudOf(): ConsoleStandIn {
  const cloud = new ConsoleStandIn({ permissions: ['money'] });
  let runs = 0;
  cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
  cloud.answering<typeof billingRoutes>()('$get', '/billing/runs', () => wholeList([]));
  cloud.answering<typeof billingRoutes>()('$post', '/billing/runs', ({ body }) => {
    if ((body as { dryRun?: boolean }).dryRun) return planOf(runs === 0 ? 1 : 2);
    runs++;
    if (runs === 1) {
      return new Refused(
        409,
        [{ code: 'billing-changed', path: [], params: {} }],
        [MONEY_EN['billing-changed']],
      );
    }
    return {
      id: 'r1',
      until: UNTIL,
      invoices: 2,
      amounts: [{ amount: 6000, currency: 'ISK' }],
      by: 'account:anna',
      startedOn: UNTIL,
      doneOn: UNTIL,
      error: null,
    };
  });
  return cloud;
}

describe.skipIf(!CHROMIUM_IS_HERE)('a billing run', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('shows first what it would bill, and bills what was seen, or shows what has changed', async () => {
    const cloud = cloudOf();
    const page = await cloud.open(browser, `${SITE.id}/money?tab=billing`);
    await page.getByRole('button', { name: 'Start a billing run' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Garage').waitFor();
    await dialog.getByText('Each invoice').click();
    await dialog.getByText('Bakery').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make 1 invoice: ISK 3,000' }).click();
    await dialog.getByText(/has changed since you saw it/).waitFor();
    await dialog.getByRole('button', { name: 'Make 2 invoices: ISK 6,000' }).click();
    await page.getByText('2 invoices made').waitFor();
    const sent = cloud.callsOf('POST', '/billing/runs').map(({ body }) => body);
    expect(sent).toEqual([
      { dryRun: true },
      { until: UNTIL, expected: planOf(1).totals },
      { dryRun: true },
      { until: UNTIL, expected: planOf(2).totals },
    ]);
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });
});
