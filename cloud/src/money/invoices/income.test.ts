import { HOUR_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { billNow } from '../../paying/billing/bill-customers.ts';
import { refundInvoice } from '../../paying/refunds/refund-invoice.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { incomeProductTable, incomeTable, incomeVatTable } from '../../records/invoices/income-table.ts';
import { updateInvoice } from './change-invoices.ts';

const ZONES = ['Atlantic/Reykjavik', 'Europe/Copenhagen', 'America/St_Johns', 'Pacific/Auckland'] as const;

const StepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      as: fc.constantFrom('kiosk', 'owner-invoice', 'company-invoice', 'void', 'whitelisted'),
      site: fc.nat({ max: 3 }),
      customer: fc.nat({ max: 3 }),
      category: fc.constantFrom('light', 'heavy', null),
      amountMinor: fc.nat({ max: 10_000 }),
      currency: fc.constantFrom('ISK', 'EUR'),
      vatRate: fc.constantFrom(24, 11, 0),
      hoursAgo: fc.nat({ max: 50 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bill' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('say-who-pays' as const), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pay' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), nth: fc.nat() }) },
);
type Step = typeof StepArbitrary extends fc.Arbitrary<infer S> ? S : never;

it('income adds up to the invoices of any period, at every site and in every currency', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(StepArbitrary, { minLength: 5, maxLength: 30 }), async (steps) => {
      const api = await createTestApi();
      try {
        const world = await populate(api);
        for (const step of steps) await take(api, world, step);
        await expectIncomeOfInvoices(api, world.sites);
      } finally {
        await api.close();
      }
    }),
    { numRuns: 12 },
  );
});

interface World {
  sites: { id: string; timeZone: string }[];
  customers: string[];
}

async function populate(api: TestApi): Promise<World> {
  const sites = [];
  for (const timeZone of ZONES) sites.push({ id: (await api.addSite(timeZone, timeZone)).id, timeZone });
  const customers = [];
  for (const billingMethod of ['daily', 'monthly', 'daily', 'whitelist'] as const) {
    customers.push(await addCustomer(api, { billingMethod, discount: customers.length * 12.5 }));
  }
  return { sites, customers };
}

async function take(api: TestApi, { sites, customers }: World, step: Step): Promise<void> {
  const actor = cloudActor('test', api.now());
  switch (step.do) {
    case 'settle':
      await settle(api, {
        paymentStatus: step.as,
        siteId: sites[step.site]?.id ?? '',
        customerId: customers[step.customer] ?? null,
        vehicleCategory: step.category,
        amountMinor: step.amountMinor,
        currency: step.currency,
        vatRate: step.vatRate,
        at: new Date(Date.parse(api.now()) - step.hoursAgo * HOUR_MS).toISOString(),
      });
      return;
    case 'bill':
      expect((await billNow(api.context, actor, api.now())).error).toBeNull();
      return;
    case 'wait':
      api.wait(step.hours * HOUR_MS);
      return;
    case 'say-who-pays':
      await change(api, step.nth, (id) =>
        updateInvoice(api.db, actor, id, { payer: { ssn: '1201603389', name: 'Jón' } }),
      );
      return;
    case 'pay':
      await change(api, step.nth, (id) => updateInvoice(api.db, actor, id, { status: 'paid' }));
      return;
    case 'refund':
      await change(api, step.nth, (id) => refundInvoice(api.db, actor, id, 'a test'));
      return;
    default:
      step satisfies never;
  }
}

/** Does something to some invoice, or is refused. */
async function change(api: TestApi, nth: number, work: (id: string) => Promise<unknown>): Promise<void> {
  const invoices = await allInvoices(api);
  const invoice = invoices[nth % Math.max(1, invoices.length)];
  if (invoice !== undefined) await work(invoice.id);
}

async function expectIncomeOfInvoices(api: TestApi, sites: World['sites']): Promise<void> {
  const income = await api.db.read(async (q) => await q.select().from(incomeTable));
  const invoices = await allInvoices(api);
  for (const invoice of invoices) {
    const { incomeParts, amountMinor, lines, creditOf } = invoice;
    expect(incomeParts.reduce((sum, part) => sum + part.amountMinor, 0)).toBe(amountMinor);
    expect(lines.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(amountMinor);
    // Here all is refunded at once, by a credit note that counts the invoice down.
    expect(incomeParts.reduce((sum, part) => sum + part.invoices, 0)).toBe(creditOf === null ? 1 : -1);
  }
  const expected = new Map<string, [amount: number, invoices: number]>();
  for (const invoice of invoices) {
    const { issuedAt: at } = invoice;
    if (at !== null) {
      for (const part of invoice.incomeParts) {
        const timeZone = sites.find(({ id }) => id === part.siteId)?.timeZone ?? '';
        const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(at));
        const key = [part.siteId, day, invoice.paymentType, part.vehicleCategory, invoice.currency].join(' ');
        const [amount, count] = expected.get(key) ?? [0, 0];
        expected.set(key, [amount + part.amountMinor, count + part.invoices]);
      }
    }
  }
  const found = income.map(
    (row) =>
      [
        [row.siteId, row.day, row.paymentType, row.vehicleCategory, row.currency].join(' '),
        [row.amountMinor, row.invoices],
      ] as const,
  );
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  const vat = await api.db.read(async (q) => await q.select().from(incomeVatTable));
  const byVat = (rows: readonly { key: string; netMinor: number; vatMinor: number }[]) => {
    const sums = new Map<string, [net: number, vat: number]>();
    for (const { key, netMinor, vatMinor } of rows) {
      const [net, tax] = sums.get(key) ?? [0, 0];
      sums.set(key, [net + netMinor, tax + vatMinor]);
    }
    return Object.fromEntries([...sums].filter(([, [net, tax]]) => net !== 0 || tax !== 0));
  };
  const ofDocuments = invoices
    .filter(({ issuedAt }) => issuedAt !== null)
    .flatMap((invoice) =>
      invoice.vat.map((part) => ({ ...part, key: `${invoice.currency} ${part.category} ${part.rate}` })),
    );
  expect(
    byVat(vat.map((row) => ({ ...row, key: `${row.currency} ${row.category || null} ${row.rate}` }))),
  ).toEqual(byVat(ofDocuments));
  // The gross of a site is its income, whatever its VAT.
  const bySite = (rows: readonly { siteId: string; currency: string; amountMinor: number }[]) => {
    const sums = new Map<string, number>();
    for (const { siteId, currency, amountMinor } of rows) {
      const key = `${siteId} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0) + amountMinor);
    }
    return Object.fromEntries(sums);
  };
  expect(
    bySite(vat.map(({ netMinor, vatMinor, ...row }) => ({ ...row, amountMinor: netMinor + vatMinor }))),
  ).toEqual(bySite(income));
  // So is the sum of its products.
  const products = await api.db.read(async (q) => await q.select().from(incomeProductTable));
  expect(bySite(products)).toEqual(bySite(income));
  const numbers = invoices.flatMap(({ number }) => number ?? []).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
}
