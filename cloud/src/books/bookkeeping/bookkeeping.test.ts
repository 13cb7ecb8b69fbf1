import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { ACCOUNTS, booksFile, booksRows, setAccounts } from '../../../test/bookkeeping.ts';
import { ledgerReader, PYTHON_IS_HERE, readBatch, readBooks } from '../../../test/oracles/book-readers.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { IncomeReportSchema } from '../../integration/reports/income-report.ts';
import { updateInvoice } from '../../money/invoices/change-invoices.ts';
import { billNow } from '../../paying/billing/bill-customers.ts';
import { refundInvoice } from '../../paying/refunds/refund-invoice.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { DATEV_COLUMNS } from './datev-columns.ts';
import { TrialBalanceSchema } from './trial-balance.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const actor = () => cloudActor('test', api.now());
const DAYS = 24 * HOUR_MS;

/** Sales of several ways on some days, an invoice that is paid, and a refund. */
async function trade(currency = 'ISK'): Promise<void> {
  const customerId = await addCustomer(api);
  for (let day = 0; day < 4; day++) {
    await settle(api, { amountMinor: 1240 + day, currency });
    await settle(api, { amountMinor: 777, vatRate: 11, currency });
    await settle(api, { amountMinor: 500, paidWith: 'cash', currency });
    await settle(api, { amountMinor: 990, paymentStatus: 'company-invoice', customerId, currency });
    api.wait(DAYS);
  }
  expect((await billNow(api.context, actor(), api.now())).error).toBeNull();
  const invoices = await allInvoices(api);
  const owed = invoices.filter(({ paymentType }) => paymentType === 'company-invoice');
  const [first] = owed;
  await updateInvoice(api.db, actor(), first?.id ?? '', { status: 'paid', paidWith: 'transfer' });
  const sale = invoices.find(({ paymentType }) => paymentType === 'kiosk');
  await refundInvoice(api.db, actor(), sale?.id ?? '', 'a test');
}

async function balance(period: string, query = '') {
  const { status, body } = await api.call('GET', `/bookkeeping/${period}${query}`);
  expect(status).toBe(200);
  return TrialBalanceSchema.parse(body);
}

function incomeOf(sums: Awaited<ReturnType<typeof balance>>['sums']): number {
  return sums.reduce(
    (all, { role, debit, credit }) => (/income|^vat$/.test(role) ? all + credit - debit : all),
    0,
  );
}

describe('the books of a period', () => {
  it('have the income and the VAT of the report, and as much debit as credit', async () => {
    await trade();
    const { sums, isOver, missing, entries } = await balance('2026-11');
    expect(isOver).toBe(false);
    expect(entries).toBeGreaterThan(15);
    expect(missing.map(({ role, detail }) => `${role} ${detail}`)).toContain('income S24');
    const report = IncomeReportSchema.parse(
      (await api.call('GET', '/reports/income?date.from=2026-11-01&date.to=2026-11-30')).body,
    );
    expect(incomeOf(sums)).toBe(report.total.amounts[0]?.amount);
    for (const { category, rate, net, vat } of report.vatReport) {
      const detail = category === 'S' ? `S${rate}` : category;
      const of = (role: string) =>
        sums
          .filter((sum) => sum.role === role && sum.detail === detail)
          .reduce((all, { debit, credit }) => all + credit - debit, 0);
      expect([of('income'), of('vat')]).toEqual([net, vat]);
    }
    expect(sums.reduce((all, { debit, credit }) => all + debit - credit, 0)).toBe(0);
  });

  it('are the sum of its days, at each site and at all', async () => {
    const other = await api.addSite('Airport', 'Europe/Copenhagen');
    await settle(api, { siteId: other.id, amountMinor: 640, at: '2026-11-21T23:30:00.000Z' });
    await trade();
    const all = await balance('2026-11');
    const days = await Promise.all(
      Array.from({ length: 30 }, (_, n) => balance(`2026-11-${String(n + 1).padStart(2, '0')}`)),
    );
    expect(days.reduce((sum, day) => sum + day.entries, 0)).toBe(all.entries);
    expect(days.reduce((sum, day) => sum + incomeOf(day.sums), 0)).toBe(incomeOf(all.sums));
    const sites = [
      await balance('2026-11', `?siteId=${other.id}`),
      await balance('2026-11', `?siteId=${api.site.id}`),
    ];
    expect(sites.map(({ sums }) => incomeOf(sums))[0]).toBe(640);
    expect(sites.reduce((sum, { entries }) => sum + entries, 0)).toBe(all.entries);
    // The day is that of the site.
    expect((await balance('2026-11-22', `?siteId=${other.id}`)).entries).toBe(1);
  });

  it('are a file once it is over and each account is set: what lacks is named, with the page to set it', async () => {
    await trade();
    const open = await api.call('GET', '/bookkeeping/2026-11?as=csv');
    expect([open.status, open.body['codes']]).toEqual([
      409,
      [{ code: 'period-open', path: ['period'], params: {} }],
    ]);
    const lacks = await api.call('GET', '/bookkeeping/2026-11?as=csv&open=true');
    expect(lacks.status).toBe(409);
    const [message] = lacks.body['messages'] as string[];
    expect(message).toContain('No account is set for: Income from stays (S11), Harbour. ');
    expect(message).toContain('/money?tab=bookkeeping');
    expect((await api.call('GET', '/bookkeeping/2026-11?as=datev&open=true')).body['codes']).toContainEqual({
      code: 'datev-not-set',
      path: [],
      params: {},
    });
  });

  it('are the same bytes each time, also after what happens later', async () => {
    await trade();
    await setAccounts(api);
    api.wait(10 * DAYS);
    const before = [
      await booksFile(api, '/bookkeeping/2026-11'),
      await booksFile(api, '/bookkeeping/2026-11?as=datev'),
    ];
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    const sale = (await allInvoices(api)).find(
      ({ paymentType, status }) => paymentType === 'kiosk' && status === 'paid',
    );
    await refundInvoice(api.db, actor(), sale?.id ?? '', 'later');
    await settle(api, { amountMinor: 300 });
    const after = [
      await booksFile(api, '/bookkeeping/2026-11'),
      await booksFile(api, '/bookkeeping/2026-11?as=datev'),
    ];
    expect(after.map(({ bytes }) => bytes)).toEqual(before.map(({ bytes }) => bytes));
    expect((await balance('2026-12')).entries).toBe(2);
  });
});

describe('the CSV', () => {
  it('has a row for each leg, with its document', async () => {
    await settle(api, {});
    await setAccounts(api);
    const { type, bytes } = await booksFile(api, '/bookkeeping/2026-11?open=true&language=en');
    expect(type).toBe('text/csv; charset=utf-8');
    const [invoice] = await allInvoices(api);
    const of = (account: string, role: string, debit: string, credit: string, rate: string) => ({
      date: '2026-11-21',
      entry: '1',
      kind: 'invoice',
      document: 'R1-1',
      credits: '',
      account,
      role,
      debit,
      credit,
      currency: 'ISK',
      vat_category: rate === '' ? '' : 'S',
      vat_rate: rate,
      vat_code: '',
      site: api.site.code,
      text: 'Invoice R1-1',
      link: `https://hlid.example/console/${api.site.id}/money/invoices/${invoice?.id}`,
    });
    expect(booksRows(bytes)).toEqual([
      of(ACCOUNTS['card-clearing'] ?? '', 'card-clearing', '1240', '', ''),
      of(ACCOUNTS['income'] ?? '', 'income', '', '1000', '24'),
      of(ACCOUNTS['vat'] ?? '', 'vat', '', '240', '24'),
    ]);
  });

  it.skipIf(!PYTHON_IS_HERE)('adds up by a reader that others wrote', async () => {
    await trade();
    await setAccounts(api);
    const { sums, postings } = await balance('2026-11');
    const { bytes } = await booksFile(api, '/bookkeeping/2026-11?open=true');
    const read = readBooks(bytes);
    const expected = new Map<string, number>();
    for (const { account, currency, debit, credit } of sums) {
      const key = `${account} ${currency}`;
      expected.set(key, (expected.get(key) ?? 0) + debit - credit);
    }
    const own = Object.fromEntries([...expected].map(([key, amount]) => [key, String(amount)]).toSorted());
    expect(read).toEqual({ rows: postings, sums: own, unbalanced: [] });
  });
});

describe('the file for DATEV', () => {
  const fieldsOf = (line: string) => line.split(';').map((field) => field.replaceAll('"', ''));

  it('has the header and the columns of EXTF 700, and an amount between two accounts in each row', async () => {
    await settle(api, {});
    await setAccounts(api);
    const { type, bytes } = await booksFile(api, '/bookkeeping/2026-11?open=true&as=datev');
    expect(type).toBe('text/csv; charset=windows-1252');
    const text = new TextDecoder('windows-1252').decode(bytes);
    expect(text.endsWith('\r\n')).toBe(true);
    const [header = '', columns = '', ...rows] = text.trimEnd().split('\r\n');
    expect(header).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20261130235959000;;"HL";"Hlid";"";29098;55003;20260101;4;20261101;' +
        '20261130;"Hlid 2026-11";"";1;0;0;"ISK";;"";;;"";;;"";""',
    );
    expect(columns.split(';')).toEqual(DATEV_COLUMNS);
    expect(DATEV_COLUMNS).toHaveLength(125);
    expect(DATEV_COLUMNS[113]).toBe('Festschreibung');
    expect(DATEV_COLUMNS[117]).toBe('Generalumkehr (GU)');
    const { 'card-clearing': clearing, income, vat } = ACCOUNTS;
    expect(rows.map(fieldsOf).map((row) => [...row.slice(0, 3), ...row.slice(6, 11), row[117]])).toEqual([
      ['1000,00', 'S', 'ISK', clearing, income, '', '2111', 'R1-1', '0'],
      ['240,00', 'S', 'ISK', clearing, vat, '', '2111', 'R1-1', '0'],
    ]);
    expect(rows.every((row) => row.split(';').length === 125)).toBe(true);
  });

  it('has gross amounts where income has a key of VAT, and a credit note on the sides of its invoice', async () => {
    await settle(api, {});
    await setAccounts(api, { vatCode: '3' });
    const [sale] = await allInvoices(api);
    await refundInvoice(api.db, actor(), sale?.id ?? '', 'a test');
    const { bytes } = await booksFile(api, '/bookkeeping/2026-11?open=true&as=datev&language=en');
    const rows = bytes.toString('latin1').trimEnd().split('\r\n').slice(2).map(fieldsOf);
    const { 'card-clearing': clearing, refunds, income } = ACCOUNTS;
    expect(rows.map((row) => [row[0], row[6], row[7], row[8], row[10], row[13], row[117]])).toEqual([
      ['1240,00', clearing, income, '3', 'R1-1', 'Invoice R1-1', '0'],
      ['1240,00', refunds, income, '3', 'R1-1', 'Credit note R1-2 (R1-1)', '1'],
    ]);
  });

  const reader = PYTHON_IS_HERE ? ledgerReader() : null;
  it.skipIf(reader === null)('adds up by a reader that others wrote (needs Python and pip)', async () => {
    await trade('EUR');
    await setAccounts(api);
    const { sums } = await balance('2026-11');
    const { bytes } = await booksFile(api, '/bookkeeping/2026-11?open=true&as=datev');
    const read = readBatch(reader ?? '', bytes);
    const expected = sums.map(({ account, debit, credit }) => [account, (debit - credit) / 100] as const);
    const added = new Map<string, number>();
    for (const [account, amount] of expected)
      added.set(account ?? '', (added.get(account ?? '') ?? 0) + amount);
    for (const [account, amount] of added) expect(Number(read.sums[account] ?? 0)).toBeCloseTo(amount, 6);
    expect(Object.keys(read.sums).every((account) => added.has(account))).toBe(true);
    expect(read).toMatchObject({ from: '2026-11-01', to: '2026-11-30', consultant: '29098', reversals: 2 });
  });

  it('is refused where DATEV has no such accounts, or there are two currencies', async () => {
    await settle(api, {});
    await settle(api, { currency: 'EUR' });
    await setAccounts(api);
    const plan = (await api.call('GET', '/bookkeeping-accounts')).body;
    const lines = (plan['lines'] as { role: string }[]).map((line) =>
      line.role === 'income' ? { ...line, account: 'INCOME' } : line,
    );
    expect(
      (await api.call('PUT', '/bookkeeping-accounts', { body: { lines, datev: plan['datev'] } })).status,
    ).toBe(303);
    const { status, body } = await api.call('GET', '/bookkeeping/2026-11?open=true&as=datev');
    expect([status, (body['codes'] as { code: string }[]).map(({ code }) => code)]).toEqual([
      409,
      ['datev-account', 'datev-currencies'],
    ]);
  });
});

describe('the accounts of the bookkeeping', () => {
  const line = (account: string, detail: string | null = null) => ({
    role: 'income',
    detail,
    account,
    vatCode: null,
  });

  it('of a site go before those of every site, and the exact before the general', async () => {
    const other = await api.addSite('Airport');
    await settle(api, {});
    await settle(api, { vatRate: 11 });
    await settle(api, { siteId: other.id });
    const set = async (path: string, lines: object[]) =>
      expect((await api.call('PUT', path, { body: { lines, datev: null } })).status).toBe(303);
    await set('/bookkeeping-accounts', [line('1'), line('2', 'S11')]);
    await set(`/sites/${other.id}/bookkeeping-accounts`, [line('3')]);
    const { sums, missing } = await balance('2026-11');
    expect(
      sums.filter(({ role }) => role === 'income').map(({ account, detail }) => [account, detail]),
    ).toEqual([
      ['2', 'S11'],
      ['1', 'S24'],
      ['3', 'S24'],
    ]);
    expect(missing.map(({ role }) => role)).not.toContain('income');
    const shown = await api.call('GET', `/sites/${other.id}/bookkeeping-accounts`);
    expect(shown.body).toMatchObject({
      siteId: other.id,
      inherited: { lines: [line('1'), line('2', 'S11')] },
    });
  });

  it('refuse the same twice, and what is no account', async () => {
    const body = { lines: [line('1'), line('2'), line('=1+1', 'E')], datev: null };
    const { status, body: refused } = await api.call('PUT', '/bookkeeping-accounts', { body });
    expect([status, (refused['codes'] as { code: string }[]).map(({ code }) => code).toSorted()]).toEqual([
      400,
      ['book-account-form', 'book-line-twice'],
    ]);
  });
});
