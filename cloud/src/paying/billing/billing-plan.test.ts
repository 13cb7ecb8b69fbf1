import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { rowCounts } from '../../../test/tables.ts';
import { eq, isNull } from '../../platform/db/sql.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { BillingPlanSchema, type ShownBillingPlan } from './billing-plan.ts';
import { BillingRunSchema } from './billing-run.ts';

/** How many worlds: a few with all tests, and by hand `HLID_BILLING_RUNS=300`. */
const RUNS = Number(process.env['HLID_BILLING_RUNS'] ?? 10);

const WorldArbitrary = fc.record({
  customers: fc.array(
    fc.record({
      method: fc.constantFrom('daily' as const, 'monthly' as const, 'whitelist' as const),
      discount: fc.constantFrom(0, 0, 7, 33, 100),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  charges: fc.array(
    fc.record({
      customer: fc.nat(3),
      site: fc.nat(2),
      hoursAgo: fc.integer({ min: 0, max: 24 * 75 }),
      amountMinor: fc.integer({ min: 1, max: 9000 }),
      vatRate: fc.constantFrom(24, 11, 0),
      currency: fc.constantFrom('ISK', 'ISK', 'EUR'),
      isContested: fc.constantFrom(false, false, false, false, true),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  /** A run in between, so that some periods have their invoice already. */
  billedHoursAgo: fc.option(fc.integer({ min: 1, max: 24 * 60 })),
  lateCharges: fc.nat(5),
});
type World = typeof WorldArbitrary extends fc.Arbitrary<infer W> ? W : never;

async function dryRun(api: TestApi, body: object = {}): Promise<ShownBillingPlan> {
  const answer = await api.call('POST', '/billing/runs', { body: { ...body, dryRun: true } });
  expect(answer.status).toBe(200);
  return BillingPlanSchema.parse(answer.body);
}

async function run(api: TestApi, body: object = {}) {
  const answer = await api.call('POST', '/billing/runs', { body });
  expect(answer.status).toBe(303);
  return BillingRunSchema.parse(answer.body);
}

/** Makes customers and what they owe; some of it was billed before. */
async function live(api: TestApi, world: World): Promise<void> {
  const sites = [
    api.site.id,
    (await api.addSite('Airport', 'America/New_York')).id,
    (await api.addSite('Harbour', 'Pacific/Auckland')).id,
  ];
  const seller = { name: 'Önnur ehf.', ssn: '5012120380' };
  await api.call('PUT', `/sites/${sites[2]}`, { body: { settings: { seller } } });
  const customers: string[] = [];
  for (const { method, discount } of world.customers) {
    const charged = method === 'whitelist' ? 'daily' : method;
    customers.push(await addCustomer(api, { billingMethod: charged, discount }));
  }
  const { charges, billedHoursAgo, lateCharges } = world;
  const add = async ({ customer, site, hoursAgo, isContested, ...given }: World['charges'][number]) => {
    const customerId = customers[customer % customers.length] ?? '';
    const at = utcTime(Date.parse(api.now()) - hoursAgo * HOUR_MS);
    const siteId = sites[site] ?? '';
    const visitId = await settle(api, { ...given, siteId, customerId, at, paymentStatus: 'company-invoice' });
    if (!isContested) return;
    await api.visit({ id: visitId, status: 'completed', endedAt: at }, { siteId });
    await api.made(`/visit/${visitId}/dispute`, { text: 'not mine' });
  };
  const late = billedHoursAgo === null ? charges.length : Math.max(0, charges.length - lateCharges);
  for (const charge of charges.slice(0, late)) await add(charge);
  if (billedHoursAgo !== null) {
    await run(api, { until: utcTime(Date.parse(api.now()) - billedHoursAgo * HOUR_MS) });
  }
  for (const charge of charges.slice(late)) await add(charge);
  for (const [n, { method }] of world.customers.entries()) {
    if (method === 'whitelist') await endBilling(api, customers[n] ?? '');
  }
}

/** The customer gets no invoices any more, for what was charged before either. */
async function endBilling(api: TestApi, id: string): Promise<void> {
  await api.db.write(async ({ q }) => {
    await q.update(customerTable).set({ billingMethod: 'whitelist' }).where(eq(customerTable.id, id));
  });
}

it(
  'answers what the run then makes, to the krona, and stores nothing',
  async () => {
    await fc.assert(
      fc.asyncProperty(WorldArbitrary, async (world) => {
        const api = await createTestApi();
        try {
          await live(api, world);
          const before = await allInvoices(api);
          const stored = await rowCounts(api.db);
          const waiting = await waitingCharges(api);
          const plan = await dryRun(api);
          expect(await rowCounts(api.db)).toEqual(stored);
          const done = await run(api, { expected: plan.totals, until: plan.until });
          expect(done.error).toBeNull();
          const known = new Set(before.map(({ id }) => id));
          const made = (await allInvoices(api)).filter(({ id }) => !known.has(id));
          expect(plan.invoices.map(comparable).toSorted()).toEqual(
            made
              .map(({ customerId, siteId, period, currency, lines, vat, amountMinor }) =>
                comparable({
                  customer: { id: customerId ?? '' },
                  siteId,
                  period: period ?? '',
                  currency,
                  lines: lines.length,
                  vat: vat.map(({ category, rate, netMinor, vatMinor }) => ({
                    category,
                    rate,
                    net: netMinor,
                    vat: vatMinor,
                  })),
                  amount: amountMinor,
                }),
              )
              .toSorted(),
          );
          const sums = (list: readonly { currency: string; amount: number }[]) =>
            Object.fromEntries(list.map(({ currency, amount }) => [currency, amount]));
          expect(sums(done.amounts)).toEqual(sums(plan.totals));
          expect(done.invoices).toBe(plan.invoices.length);
          // What is left out is what still waits, and what waited is billed or left out.
          const left = await waitingCharges(api);
          expect(plan.leftOut.reduce((sum, { charges }) => sum + charges, 0)).toBe(left.length);
          expect(plan.leftOut.reduce((sum, { amount }) => sum + amount, 0)).toBe(
            left.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
          );
          expect(left.length + collected(made)).toBe(waiting.length);
          for (const { reason, customer } of plan.leftOut) {
            const method = await methodOf(api, customer.id);
            if (reason === 'not-billed') expect(method).toBe('whitelist');
            if (reason === 'period-open') expect(method).not.toBe('whitelist');
          }
          const again = await dryRun(api);
          expect(again.invoices).toEqual([]);
          expect(again.leftOut).toEqual(plan.leftOut);
        } finally {
          await api.close();
        }
      }),
      { numRuns: RUNS, seed: 34 },
    );
  },
  60_000 + RUNS * 30_000,
);

type Compared = Pick<
  ShownBillingPlan['invoices'][number],
  'siteId' | 'period' | 'currency' | 'lines' | 'vat' | 'amount'
> & { customer: { id: string } };

function comparable({ customer, siteId, period, currency, lines, vat, amount }: Compared): string {
  return JSON.stringify([customer.id, siteId, period, currency, lines, vat, amount]);
}

const collected = (made: Awaited<ReturnType<typeof allInvoices>>) =>
  made.reduce((sum, { lines }) => sum + lines.filter(({ rule }) => rule !== 'discount').length, 0);

async function waitingCharges(api: TestApi) {
  return await api.db.read(
    async (q) => await q.select().from(chargeTable).where(isNull(chargeTable.invoiceId)),
  );
}

async function methodOf(api: TestApi, id: string) {
  const rows = await api.db.read(
    async (q) => await q.select().from(customerTable).where(eq(customerTable.id, id)),
  );
  return rows[0]?.billingMethod;
}

describe('a dry run', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await createTestApi();
  });
  afterEach(() => api.close());

  it('is refused once something else would be billed, and nothing is billed then', async () => {
    const customerId = await addCustomer(api);
    const charge = () =>
      settle(api, { customerId, paymentStatus: 'company-invoice', at: '2026-11-20T08:00:00.000Z' });
    await charge();
    const plan = await dryRun(api);
    expect(plan.totals).toMatchObject([{ currency: 'ISK', invoices: 1, lines: 1, amount: 1240 }]);
    await charge();
    const body = { until: plan.until, expected: plan.totals };
    const refused = await api.call('POST', '/billing/runs', { body });
    expect([refused.status, refused.body['codes']]).toMatchObject([409, [{ code: 'billing-changed' }]]);
    expect(await allInvoices(api)).toEqual([]);
  });

  it('names what is left out, and why', async () => {
    const open = await addCustomer(api, { billingMethod: 'monthly' }, { name: 'Mánaðarlega' });
    const never = await addCustomer(api, { billingMethod: 'daily' }, { name: 'Aldrei' });
    for (const customerId of [open, never]) {
      await settle(api, { customerId, paymentStatus: 'company-invoice', at: '2026-11-20T08:00:00.000Z' });
    }
    await endBilling(api, never);
    const { invoices, leftOut } = await dryRun(api);
    expect(invoices).toEqual([]);
    expect(leftOut.toSorted((a, b) => a.reason.localeCompare(b.reason))).toMatchObject([
      { customer: { name: 'Aldrei' }, reason: 'not-billed', charges: 1, amount: 1240, billedFrom: null },
      {
        customer: { name: 'Mánaðarlega' },
        reason: 'period-open',
        charges: 1,
        billedFrom: '2026-12-01T00:00:00.000Z',
      },
    ]);
  });
});
