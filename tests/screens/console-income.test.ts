import type { IncomeReport } from '@hlid/cloud/integration/reports/income-report';
import type { reportRoutes } from '@hlid/cloud/integration/reports/report-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn } from './console-stand-in.ts';

const THIS_WEEK = '2026-11-17';

/** A week with a new product, or the week before it with one that is not sold any more. */
function incomeOf(from: string, to: string, by: IncomeReport['by']): IncomeReport {
  const isNow = from === THIS_WEEK;
  const amount = isNow ? 12_400 : 9920;
  const sum = { amounts: [{ currency: 'ISK', amount, invoices: 10, tips: 0 }] };
  const period = { key: from, name: null, from, to, ...sum };
  return {
    from,
    to,
    by,
    total: { ...sum, periods: [period] },
    undecided: { refunds: [], chargebacks: [] },
    paymentTypeReport: [{ paymentType: 'kiosk', ...sum, periods: [period] }],
    vatReport: [
      { currency: 'ISK', category: 'S', rate: 24, net: amount / 1.24, vat: amount - amount / 1.24 },
      ...(isNow ? [] : [{ currency: 'ISK', category: 'E' as const, rate: 0, net: 700, vat: 0 }]),
    ],
    productReport: [
      {
        productId: 'day',
        name: { is: 'Dagur', en: 'Day' },
        currency: 'ISK',
        amount: amount - 400,
        invoices: 9,
      },
      isNow
        ? { productId: 'night', name: { is: 'Nótt', en: 'Night' }, currency: 'ISK', amount: 400, invoices: 1 }
        : { productId: 'gone', name: null, currency: 'ISK', amount: 400, invoices: 1 },
    ],
    vehicleCategoryReport: [{ vehicleCategory: 'light', ...sum, periods: [period] }],
  };
}

function cloudOf(): ConsoleStandIn {
  const cloud = new ConsoleStandIn({ permissions: ['money'] });
  cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
  cloud.answering<typeof reportRoutes>()('$get', '/reports/income', ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1]);
    const by = query.get('by') === 'site' ? 'site' : 'day';
    return incomeOf(query.get('date.from') ?? '', query.get('date.to') ?? '', by);
  });
  return cloud;
}

describe.skipIf(!CHROMIUM_IS_HERE)('income beside the period before', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('stands by product and VAT, also what was there before only', async () => {
    const page = await cloudOf().open(browser, 'all/reports?tab=income&from=2026-11-17&to=2026-11-23');
    const rows = async (title: string) => {
      const table = page.getByRole('table', { name: title });
      const all = await table.locator('tbody tr').allInnerTexts();
      return all.map((text) => text.split(/\s*\t\s*/).map((cell) => cell.replaceAll(/\s/g, ' ')));
    };
    await page.getByRole('table', { name: 'By product' }).waitFor();
    expect((await rows('By product')).map(([name, now, before]) => [name, now, before])).toEqual([
      ['Day', 'ISK 12,000', 'ISK 9,520'],
      ['Night', 'ISK 400', 'ISK 0'],
      ['a product that is gone', 'ISK 0', 'ISK 400'],
    ]);
    expect((await rows('By VAT')).map(([, ...cells]) => cells)).toEqual([
      ['ISK 10,000', 'ISK 8,000', 'ISK 2,400', 'ISK 1,920'],
      ['ISK 0', 'ISK 700', 'ISK 0', 'ISK 0'],
    ]);
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });
});
