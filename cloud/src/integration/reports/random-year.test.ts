import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { allInvoices, settle } from '../../../test/settlements.ts';
import { IncomeReportSchema } from './income-report.ts';
import { OverviewSchema } from './overview-report.ts';
import { TrafficReportSchema } from './traffic-report.ts';
import { VisitStatsSchema } from './visit-stats.ts';

const YEAR = 'date.from=2025-11-22&date.to=2026-11-21';
const BEGIN = Date.parse('2025-11-22T00:00:00.000Z');

/** A stay of a year, and what came in for it. */
const stayArbitrary = fc.record({
  day: fc.integer({ min: 0, max: 363 }),
  hour: fc.integer({ min: 0, max: 23 }),
  hours: fc.option(fc.integer({ min: 1, max: 60 })),
  isVoid: fc.boolean(),
  amount: fc.option(fc.integer({ min: 1, max: 9000 })),
  paymentStatus: fc.constantFrom('kiosk' as const, 'company-invoice' as const, 'owner-invoice' as const),
});
type Stay = typeof stayArbitrary extends fc.Arbitrary<infer One> ? One : never;

async function happen(api: TestApi, stays: readonly Stay[]): Promise<void> {
  // The report on traffic counts whole quarters of an hour: the one that runs now is not in it yet.
  const lastQuarter = Date.parse(api.now()) - MINUTE_MS;
  for (const [n, { day, hour, hours, isVoid, amount, paymentStatus }] of stays.entries()) {
    const began = BEGIN + day * DAY_MS + hour * HOUR_MS;
    const ended = hours === null ? null : Math.min(began + hours * HOUR_MS, lastQuarter);
    await api.visit({
      plate: `AB${1000 + n}`,
      startedAt: utcTime(began),
      endedAt: ended === null ? null : utcTime(ended),
      status: ended === null ? 'new' : 'completed',
      paymentStatus: isVoid ? 'void' : null,
    });
    if (amount !== null) await settle(api, { amountMinor: amount, paymentStatus, at: utcTime(began) });
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

it('the overview of a random year has what the reports have, and the books', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stayArbitrary, { minLength: 20, maxLength: 40 }), async (stays) => {
      const api = await createTestApi();
      try {
        await happen(api, stays);
        const get = async <T>(schema: z.ZodType<T>, path: string) => {
          const { status, body } = await api.call('GET', path);
          expect(status, JSON.stringify(body)).toBe(200);
          return schema.parse(body);
        };
        const { now } = await get(OverviewSchema, `/reports/overview?${YEAR}&by=month`);
        const income = await get(IncomeReportSchema, `/reports/income?${YEAR}&by=month`);
        const traffic = await get(TrafficReportSchema, `/reports/traffic?${YEAR}`);
        const { paymentStatuses, total } = await get(VisitStatsSchema, `/reports/visits/stats?${YEAR}`);
        // The books: what was issued. Others wait for their payment or their collected invoice.
        const books = sum(
          (await allInvoices(api))
            .filter(({ issuedAt }) => issuedAt !== null)
            .map(({ amountMinor }) => amountMinor),
        );
        expect(now.income?.map(({ amount }) => amount)).toEqual([books]);
        // The report on income, by period and by way of payment.
        expect(now.income).toEqual(income.total.amounts);
        expect(now.periods.map((period) => period.income)).toEqual(
          income.total.periods.map(({ amounts }) => amounts),
        );
        expect(now.payments?.map(({ amounts }) => amounts)).toEqual(
          income.paymentTypeReport.map(({ amounts }) => amounts),
        );
        // The visits, and the report on traffic.
        const voided = paymentStatuses.find(({ paymentStatus }) => paymentStatus === 'void')?.count ?? 0;
        expect(now.stays?.arrivals).toBe(total - voided);
        expect(now.stays).toMatchObject(traffic.total);
        expect(sum(now.periods.map(({ stays: one }) => one?.arrivals ?? 0))).toBe(now.stays?.arrivals);
        // The file of the chart.
        const query = `${YEAR}&by=month&format=csv&separator=,&language=en`;
        const response = await api.app.request(`/reports/overview/download?${query}`, {
          headers: { authorization: `Bearer ${api.operator}` },
        });
        const [headers = [], ...rows] = z
          .array(z.array(z.string()))
          .parse(parse(Buffer.from(await response.arrayBuffer()), { bom: true }));
        const column = (name: string) => rows.map((row) => Number(row[headers.indexOf(name)]));
        expect(column('In')).toEqual(now.periods.map(({ stays: one }) => one?.arrivals));
        expect(sum(column('Income (ISK)'))).toBe(books);
      } finally {
        await api.close();
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
});
