import type { moneyAccountRoutes } from '@hlid/cloud/books/accounts/account-routes';
import type { settlementFileRoutes } from '@hlid/cloud/books/imports/file-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, SITE } from './console-stand-in.ts';

const REPORT = {
  dryRun: true,
  isRepeated: false,
  id: null,
  format: 'adyen' as const,
  rows: 1,
  warnings: [],
  refused: [],
  unknownAccounts: [],
  batches: [
    {
      id: 'b1',
      fileId: 'f1',
      accountId: 'a1',
      reference: '41',
      currency: 'ISK',
      state: 'paid' as const,
      paidOn: '2026-11-19',
      gross: 1500,
      fees: 19,
      payout: 1481,
      carriedIn: 0,
      carriedOut: 0,
      rounding: 0,
      rows: 1,
    },
  ],
  firstRows: [
    {
      n: 1,
      line: 2,
      batchId: 'b1',
      kind: 'sale' as const,
      reference: 'KDR4H9GJSWZHWZ75',
      ownReference: null,
      merchantReference: null,
      authorisation: null,
      terminal: null,
      lastFour: null,
      method: 'visa',
      at: '2026-11-17T22:30:00.000Z',
      bookedOn: '2026-11-17',
      currency: 'ISK',
      gross: 1500,
      fee: 19,
      paymentId: 'p1',
      match: 'matched' as const,
    },
  ],
  matches: { matched: 1, 'other-amount': 0, duplicate: 0, 'not-booked': 0, ambiguous: 0, none: 0 },
};

describe.skipIf(!CHROMIUM_IS_HERE)('files of providers and banks', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  it('are shown by a dry run before they are imported', async () => {
    const cloud = new ConsoleStandIn({ permissions: ['money'] });
    cloud.answering<typeof moneyAccountRoutes>()('$get', '/money-accounts', () => wholeList([]));
    cloud.answering<typeof settlementFileRoutes>()('$get', '/settlement-files', () => wholeList([]));
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    cloud.answering<typeof settlementFileRoutes>()('$post', '/settlement-files', ({ path }) =>
      path.includes('dryRun=true') ? REPORT : { ...REPORT, dryRun: false, id: 'f1' },
    );
    const page = await cloud.open(browser, `${SITE.id}/money?tab=files`);
    await page.getByText('No file was imported yet').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    // The stand-in reads every body as JSON.
    const file = { name: 'adyen.csv', mimeType: 'text/csv', buffer: Buffer.from('{}') };
    await page.getByLabel('Drop a file here').setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Import adyen.csv' });
    await dialog.getByRole('rowheader', { name: '41' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Import 1 row' }).press('Enter');
    await page.getByText('The file was imported').waitFor();
    const sent = cloud.callsOf('POST', '/settlement-files').map(({ path }) => path);
    expect(sent).toEqual([
      '/settlement-files?name=adyen.csv&dryRun=true',
      '/settlement-files?name=adyen.csv',
    ]);
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });
});
