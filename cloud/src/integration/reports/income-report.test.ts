import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addIncome } from '../../money/invoices/issue-invoice.ts';
import { INCOME_TYPES, type incomeTable } from '../../records/invoices/income-table.ts';
import { INCOME_CATEGORIES, type IncomeReport, IncomeReportSchema } from './income-report.ts';

type IncomeRow = typeof incomeTable.$inferSelect;

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const issued = (fields: Partial<IncomeRow>): IncomeRow => ({
  siteId: api.site.id,
  day: '2026-11-20',
  paymentType: 'kiosk',
  vehicleCategory: 'light',
  currency: 'ISK',
  invoices: 1,
  amountMinor: 500,
  tipsMinor: 0,
  ...fields,
});

async function add(...rows: IncomeRow[]): Promise<void> {
  await api.db.write(async ({ q }) => {
    for (const row of rows) await addIncome(q, row);
  });
}

async function report(query: string): Promise<IncomeReport> {
  const { status, body } = await api.call('GET', `/reports/income?${query}`);
  expect(status).toBe(200);
  return IncomeReportSchema.parse(body);
}

const isk = (amount: number, invoices: number) => ({ currency: 'ISK', amount, invoices, tips: 0 });

describe('GET /reports/income', () => {
  it('adds up invoices and takes off refunds, by payment type and category', async () => {
    await add(
      issued({}),
      issued({}),
      issued({ paymentType: 'company-invoice', vehicleCategory: 'heavy', amountMinor: 9000 }),
      issued({ invoices: -1, amountMinor: -500, day: '2026-11-21' }),
      issued({ day: '2026-11-22', amountMinor: 7777 }),
      issued({ day: '2026-11-19', amountMinor: 7777 }),
    );
    const { total, paymentTypeReport, vehicleCategoryReport } = await report(
      'date.from=2026-11-20&date.to=2026-11-21',
    );
    expect(total).toEqual({ amounts: [isk(9500, 2)], periods: [] });
    expect(paymentTypeReport.map(({ paymentType, amounts }) => [paymentType, ...amounts])).toEqual([
      ['kiosk', isk(500, 1)],
      ['online', isk(0, 0)],
      ['cash', isk(0, 0)],
      ['transfer', isk(0, 0)],
      ['other-card', isk(0, 0)],
      ['other', isk(0, 0)],
      ['company-invoice', isk(9000, 1)],
      ['owner-invoice', isk(0, 0)],
    ]);
    expect(
      vehicleCategoryReport.map(({ vehicleCategory, amounts }) => [vehicleCategory, ...amounts]),
    ).toEqual([
      ['light', isk(500, 1)],
      ['heavy', isk(9000, 1)],
    ]);
  });

  it('never adds currencies together, and shows those of the sites with zeroes', async () => {
    await add(issued({}), issued({ currency: 'EUR', amountMinor: 1250 }));
    const { total } = await report('date.from=2026-11-20&date.to=2026-11-20');
    expect(total.amounts).toEqual([{ currency: 'EUR', amount: 1250, invoices: 1, tips: 0 }, isk(500, 1)]);
    expect((await report('date.from=2026-01-01&date.to=2026-01-01')).total.amounts).toEqual([isk(0, 0)]);
  });

  it.each([
    ['day', ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'], [500, 0, 0, 700]],
    ['week', ['2026-W47', '2026-W48'], [500, 700]],
    ['month', ['2026-11'], [1200]],
  ])('splits by %s', async (by, keys, amounts) => {
    await add(issued({}), issued({ day: '2026-11-23', amountMinor: 700 }));
    const { total, paymentTypeReport } = await report(`date.from=2026-11-20&date.to=2026-11-23&by=${by}`);
    expect(total.periods.map(({ key }) => key)).toEqual(keys);
    expect(total.periods.map((period) => period.amounts[0]?.amount)).toEqual(amounts);
    expect(paymentTypeReport[0]?.periods).toEqual(total.periods);
  });

  it('splits by site; the report of one site has nothing of another', async () => {
    const other = await api.addSite('Airport');
    await add(
      issued({}),
      issued({ siteId: other.id, amountMinor: 800 }),
      issued({ siteId: '', amountMinor: 90 }),
    );
    const days = 'date.from=2026-11-20&date.to=2026-11-20';
    const { total } = await report(`${days}&by=site`);
    expect(total.amounts).toEqual([isk(1390, 3)]);
    expect(total.periods.map(({ key, name, amounts: [first] }) => [key, name, first?.amount])).toEqual([
      [other.id, 'Airport', 800],
      [api.site.id, 'Harbour', 500],
      [null, null, 90],
    ]);
    const one = await report(`${days}&siteId=${other.id}&by=site`);
    expect(one.total.periods.map(({ name }) => name)).toEqual(['Airport']);
    expect(one.total.amounts).toEqual([isk(800, 1)]);
    expect((await report(`${days}&siteId=${other.id}&by=day`)).total.amounts).toEqual([isk(800, 1)]);
  });

  it('adds up the same however it is split', async () => {
    const other = await api.addSite('Airport');
    const rows = fc.sample(
      fc.record({
        siteId: fc.constantFrom(api.site.id, other.id, ''),
        day: fc
          .integer({ min: 1, max: 90 })
          .map((n) => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)),
        paymentType: fc.constantFrom(...INCOME_TYPES),
        vehicleCategory: fc.constantFrom(...INCOME_CATEGORIES),
        currency: fc.constantFrom('ISK', 'EUR'),
        amountMinor: fc.integer({ min: -5000, max: 50_000 }),
        invoices: fc.constantFrom(1, -1),
        tipsMinor: fc.constant(0),
      }),
      { numRuns: 400, seed: 7 },
    );
    await add(...rows);
    const [from, to] = ['2026-01-20', '2026-03-10'];
    for (const currency of ['ISK', 'EUR']) {
      const expected = rows
        .filter((row) => row.currency === currency && row.day >= from && row.day <= to)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      const of = (amounts: IncomeReport['total']['amounts']) =>
        amounts.find((amount) => amount.currency === currency)?.amount ?? 0;
      for (const by of ['', '&by=day', '&by=week', '&by=month', '&by=site']) {
        const { total, paymentTypeReport, vehicleCategoryReport } = await report(
          `date.from=${from}&date.to=${to}${by}`,
        );
        expect(of(total.amounts)).toBe(expected);
        for (const split of [
          ...(by === '' ? [] : [total.periods]),
          paymentTypeReport,
          vehicleCategoryReport,
          ...(by === '' ? [] : [paymentTypeReport.flatMap(({ periods }) => periods)]),
        ]) {
          expect(split.reduce((sum, { amounts }) => sum + of(amounts), 0)).toBe(expected);
        }
      }
    }
  });

  it.each([
    ['', ['date.from: is required', 'date.to: is required']],
    ['date.from=2026-11-21&date.to=2026-11-20', ['date.to: it is before date.from']],
    ['date.from=0001-01-01&date.to=9999-12-31', ['date.to: at most 3700 days are added up at once']],
    ['date.from=2026-11-20&date.to=2026-11-21&siteId=nowhere', ['siteId: there is no such site']],
  ])('refuses %s', async (query, messages) => {
    const { status, body } = await api.call('GET', `/reports/income?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ exception: { message: 'Input error' } });
    for (const message of messages) {
      expect(body['messages']).toContainEqual(expect.stringContaining(message.split(': ')[0] ?? ''));
    }
  });

  it.each(['date.from=2026-13-01&date.to=x', 'date.from=2026-11-01&date.to=2026-11-02&by=year', 'what=1'])(
    'refuses %s',
    async (query) => {
      expect((await api.call('GET', `/reports/income?${query}`)).status).toBe(400);
    },
  );

  it('is for operators', async () => {
    const path = '/reports/income?date.from=2026-11-20&date.to=2026-11-20';
    for (const role of ['customer', 'partner', 'whitelist'] as const) {
      expect((await api.call('GET', path, { token: await api.account(role) })).status).toBe(403);
    }
    expect((await api.call('GET', path, { token: null })).status).toBe(401);
  });
});
