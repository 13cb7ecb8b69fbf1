import type { moneyAccountRoutes } from '@hlid/cloud/books/accounts/account-routes';
import { MoneyAccountSchema } from '@hlid/cloud/books/accounts/money-account';
import { proposeMapping } from '@hlid/cloud/books/files/propose-mapping';
import type { settlementFileRoutes } from '@hlid/cloud/books/imports/file-routes';
import type { csvSampleRoutes } from '@hlid/cloud/books/imports/sample-routes';
import type { disputeRoutes } from '@hlid/cloud/paying/disputes/dispute-routes';
import { wholeList } from '@hlid/cloud/platform/http/list-envelope';
import { booksFile, TEYA_MAPPING } from '@hlid/cloud/test/books';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { ConsoleStandIn, Refused, SITE } from './console-stand-in.ts';

const ACCOUNT = MoneyAccountSchema.parse({
  id: 'a1',
  kind: 'settlement',
  reference: 'TEYA1',
  name: 'Teya',
  siteId: SITE.id,
  timeZone: 'Atlantic/Reykjavik',
  gatewayId: null,
  paysIntoId: null,
  mapping: null,
  feeContract: null,
  createdOn: '2026-01-01T00:00:00.000Z',
  modifiedOn: '2026-01-01T00:00:00.000Z',
});

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
    const file = { name: 'adyen.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') };
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

  it('are compared with the fees that were agreed, which a person types as percent and money', async () => {
    const cloud = new ConsoleStandIn({ permissions: ['money'] });
    let account = ACCOUNT;
    cloud.answering<typeof moneyAccountRoutes>()('$get', '/money-accounts', () => wholeList([account]));
    cloud.answering<typeof moneyAccountRoutes>()('$get', '/money-accounts/:id', () => account);
    cloud.answering<typeof moneyAccountRoutes>()('$put', '/money-accounts/:id', ({ body }) => {
      account = MoneyAccountSchema.parse({ ...account, ...z.looseObject({}).parse(body) });
      return account;
    });
    cloud.answering<typeof settlementFileRoutes>()('$get', '/settlement-files', () => wholeList([]));
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    const page = await cloud.open(browser, `${SITE.id}/money?tab=files`);
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Teya' });
    const open = async () => {
      await page.getByRole('button', { name: 'Fees of the provider' }).click();
      const dialog = page.getByRole('dialog', { name: 'Fees of Teya' });
      await dialog.getByLabel('Percent of the sale').waitFor();
      return dialog;
    };
    const first = await open();
    expect(await axeFaults(page)).toEqual([]);
    await first.getByLabel('Percent of the sale').fill('1.45');
    await first.getByLabel('For each sale (ISK)').fill('1,0');
    await first.getByText('This is not an amount.').waitFor();
    await first.getByLabel('For each sale (ISK)').fill('12');
    await first.getByRole('button', { name: 'Save the fees' }).click();
    await first.waitFor({ state: 'detached' });
    expect(account.feeContract).toEqual({ basisPoints: 145, fixed: 12 });
    const second = await open();
    await expect.poll(() => second.getByLabel('Percent of the sale').inputValue()).toBe('1.45');
    await second.getByLabel('Percent of the sale').fill('');
    await second.getByLabel('For each sale (ISK)').fill('');
    await second.getByRole('button', { name: 'Save the fees' }).click();
    await second.waitFor({ state: 'detached' });
    expect(account.feeContract).toBeNull();
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });

  it('of an account without a known format are read by columns that a person chooses', async () => {
    const cloud = new ConsoleStandIn({ permissions: ['money'] });
    let account = ACCOUNT;
    cloud.answering<typeof moneyAccountRoutes>()('$get', '/money-accounts', () => wholeList([account]));
    cloud.answering<typeof moneyAccountRoutes>()('$get', '/money-accounts/:id', () => account);
    cloud.answering<typeof moneyAccountRoutes>()('$put', '/money-accounts/:id', ({ body }) => {
      account = MoneyAccountSchema.parse({ ...account, ...z.looseObject({}).parse(body) });
      return account;
    });
    cloud.answering<typeof settlementFileRoutes>()('$get', '/settlement-files', () => wholeList([]));
    cloud.answering<typeof disputeRoutes>()('$get', '/disputes', () => wholeList([]));
    cloud.answering<typeof settlementFileRoutes>()('$post', '/settlement-files', () =>
      account.mapping === null ? new Refused(400, [mistake('file-format', [], { formats: 'CSV' })]) : REPORT,
    );
    cloud.answering<typeof csvSampleRoutes>()('$post', '/csv-samples', ({ body }) => {
      const looked = proposeMapping(Buffer.from(String(body)), 'settlement');
      return looked.ok ? looked.proposed : new Refused(400, [...looked.mistakes]);
    });
    const page = await cloud.open(browser, `${SITE.id}/money?tab=files`);
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Teya' });
    const file = { name: 'teya.csv', mimeType: 'text/csv', buffer: booksFile('teya-like.csv') };
    await page.getByLabel('Drop a file here').setInputFiles(file);
    await page.getByRole('button', { name: 'Set the columns of its CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns of Teya' });
    await dialog.getByText('500 · 1200').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save the columns' }).press('Enter');
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
    expect(account.mapping).toEqual({ ...TEYA_MAPPING, thousands: account.mapping?.thousands });
    expect(cloud.unanswered).toEqual([]);
    await page.context().close();
  });
});
