import { randomUUID } from 'node:crypto';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { booksRows } from '../../../test/bookkeeping.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { TrialBalanceSchema } from '../../books/bookkeeping/trial-balance.ts';
import { bookClaim } from '../../books/claims/book-claim.ts';
import { findClaim } from '../../books/claims/claim-store.ts';
import { updateInvoice } from '../../money/invoices/change-invoices.ts';
import { openInvoice } from '../../money/invoices/pay-invoice.ts';
import { billNow } from '../../paying/billing/bill-customers.ts';
import { refundInvoice } from '../../paying/refunds/refund-invoice.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { ClaimAtBank, ClaimPayment } from '../../platform/banks/bank.ts';
import { claimTable } from '../../records/books/claim-table.ts';
import { OwedInvoicesSchema, ReceivablesSchema } from './receivables-report.ts';

/** How many histories: a few with all tests, and by hand `HLID_RECEIVABLE_RUNS=500`. */
const RUNS = Number(process.env['HLID_RECEIVABLE_RUNS'] ?? 24);

const StepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      as: fc.constantFrom('company-invoice', 'company-invoice', 'owner-invoice', 'kiosk'),
      amountMinor: fc.integer({ min: 1, max: 9000 }),
      vatRate: fc.constantFrom(24, 11, 0),
      currency: fc.constantFrom('ISK', 'ISK', 'ISK', 'EUR'),
      customer: fc.nat(1),
      site: fc.nat(1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('name-payer' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('credit-line' as const), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit-all' as const), nth: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('claim-paid' as const),
      nth: fc.nat(),
      part: fc.integer({ min: 1, max: 100 }),
      costsMinor: fc.constantFrom(0, 350),
      daysBack: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('claim-reversed' as const), nth: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
);
type Step = typeof StepArbitrary extends fc.Arbitrary<infer S> ? S : never;

/** Customers and owners at two sites, with their invoices, payments and claims. */
class History {
  readonly #api: TestApi;
  readonly #sites: string[];
  readonly #customers: string[];
  readonly #claims: { id: string; payments: ClaimPayment[] }[] = [];
  readonly firstDay: string;

  private constructor(api: TestApi, sites: string[], customers: string[]) {
    this.#api = api;
    this.#sites = sites;
    this.#customers = customers;
    this.firstDay = this.today;
  }

  static async of(api: TestApi): Promise<History> {
    const sites = [api.site.id, (await api.addSite('Airport', 'America/New_York')).id];
    const customers = [
      await addCustomer(api),
      await addCustomer(api, { billingMethod: 'monthly', discount: 7 }),
    ];
    return new History(api, sites, customers);
  }

  get today(): string {
    return this.#api.now().slice(0, 10);
  }

  get #actor() {
    return cloudActor('test', this.#api.now());
  }

  async take(step: Step): Promise<void> {
    this.#api.wait(5 * HOUR_MS);
    switch (step.do) {
      case 'settle':
        return await this.#settle(step);
      case 'name-payer':
        return await this.#namePayer(step.nth);
      case 'pay':
        return await this.#pay(step.nth);
      case 'credit-line':
        return await this.#creditLine(step.nth);
      case 'credit-all':
        return await this.#creditAll(step.nth);
      case 'claim-paid':
        return await this.#claimPaid(step);
      case 'claim-reversed':
        return await this.#claimReversed(step.nth);
      case 'wait': {
        this.#api.wait(step.days * 24 * HOUR_MS);
        await billNow(this.#api.context, this.#actor, this.#api.now());
        return;
      }
      default:
        step satisfies never;
    }
  }

  async #settle({ as, customer, site, ...given }: Extract<Step, { do: 'settle' }>): Promise<void> {
    const customerId = as === 'company-invoice' ? (this.#customers[customer] ?? null) : null;
    const { amountMinor, vatRate, currency } = given;
    const siteId = this.#sites[site] ?? '';
    await settle(this.#api, { amountMinor, vatRate, currency, siteId, customerId, paymentStatus: as });
  }

  async #nth(nth: number, fits: (one: Awaited<ReturnType<typeof allInvoices>>[number]) => boolean) {
    const fitting = (await allInvoices(this.#api)).filter(fits);
    return fitting[nth % Math.max(1, fitting.length)];
  }

  async #namePayer(nth: number): Promise<void> {
    const waiting = await this.#nth(nth, ({ issuedAt }) => issuedAt === null);
    if (waiting === undefined) return;
    const payer = nth % 3 === 0 ? { ssn: null, name: 'Anna' } : { ssn: '1201603389', name: 'Jón' };
    expect((await updateInvoice(this.#api.db, this.#actor, waiting.id, { payer })).ok).toBe(true);
  }

  async #pay(nth: number): Promise<void> {
    const invoice = await this.#nth(
      nth,
      (one) => one.status === 'draft' && one.number !== null && one.creditOf === null,
    );
    if (invoice === undefined) return;
    const edit = { status: 'paid', paidWith: 'transfer' } as const;
    expect((await updateInvoice(this.#api.db, this.#actor, invoice.id, edit)).ok).toBe(true);
  }

  async #creditLine(nth: number): Promise<void> {
    const invoice = await this.#nth(
      nth,
      (one) =>
        one.number !== null &&
        one.creditOf === null &&
        one.paymentType.endsWith('-invoice') &&
        (one.status === 'draft' || one.status === 'paid'),
    );
    const visitId = invoice?.lines[nth % invoice.lines.length]?.visitId;
    if (invoice === undefined || visitId == null) return;
    const body = { visitIds: [visitId], outcome: 'nothing', reason: 'another car' };
    const { status } = await this.#api.call('POST', `/invoice/${invoice.id}/credit`, { body });
    expect([303, 400, 409]).toContain(status);
  }

  async #creditAll(nth: number): Promise<void> {
    const invoice = await this.#nth(
      nth,
      (one) => one.status === 'paid' && one.creditOf === null && one.paymentType.endsWith('-invoice'),
    );
    if (invoice !== undefined) await refundInvoice(this.#api.db, this.#actor, invoice.id, 'a test');
  }

  async #claimPaid({ nth, part, costsMinor, daysBack }: Extract<Step, { do: 'claim-paid' }>): Promise<void> {
    const invoice = await this.#nth(
      nth,
      (one) =>
        one.number !== null &&
        one.creditOf === null &&
        one.currency === 'ISK' &&
        one.paymentType.endsWith('-invoice') &&
        one.status === 'draft',
    );
    if (invoice === undefined) return;
    const open = await this.#api.db.read((q) => openInvoice(q, invoice.id, this.#api.now()));
    if (typeof open === 'string') return;
    const principalMinor = Math.max(1, Math.floor((open.openMinor * part) / 100));
    const id = await this.#newClaim(invoice.id, invoice.siteId, open.openMinor);
    const claim = { id, payments: [] as ClaimPayment[] };
    this.#claims.push(claim);
    await this.#report(claim, 'payment', {
      principalMinor,
      costsMinor,
      day: dayAfter(this.today, 0 - daysBack),
    });
  }

  async #claimReversed(nth: number): Promise<void> {
    const paid = this.#claims.filter(({ payments }) => payments.length === 1);
    const claim = paid[nth % Math.max(1, paid.length)];
    const payment = claim?.payments[0];
    if (claim === undefined || payment === undefined) return;
    const { principalMinor, costsMinor } = payment;
    await this.#report(claim, 'reversal', { principalMinor, costsMinor, day: this.today });
  }

  async #report(
    claim: { id: string; payments: ClaimPayment[] },
    kind: ClaimPayment['kind'],
    { principalMinor, costsMinor, day }: { principalMinor: number; costsMinor: number; day: string },
  ): Promise<void> {
    const at = this.#api.now();
    const amounts = { principalMinor, costsMinor, discountMinor: 0, interestMinor: 0 };
    const days = { bookedOn: day, valueOn: day };
    claim.payments.push({ kind, at, ...days, ...amounts, depositedMinor: principalMinor });
    await this.#api.db.write(async (tx) => {
      const before = await findClaim(tx.q, claim.id);
      if (before === null) throw new Error('it was just made');
      const { amountMinor, finalDueOn } = before.terms;
      const isPaid = kind === 'payment' && principalMinor === amountMinor;
      const atBank: ClaimAtBank = {
        key: { claimantId: before.claimantId, account: before.account, dueOn: before.dueOn },
        payorId: before.payorId,
        reference: null,
        status: isPaid ? 'paid' : 'unpaid',
        collection: 'primary',
        amountMinor,
        currency: 'ISK',
        finalDueOn,
        isPartlyPaid: kind === 'payment' && !isPaid,
        dueMinor: null,
      };
      await bookClaim(tx, before, { claim: atBank, payments: claim.payments, at });
    });
  }

  async #newClaim(invoiceId: string, siteId: string | null, amountMinor: number): Promise<string> {
    const id = randomUUID();
    const at = this.#api.now();
    const terms = {
      amountMinor,
      finalDueOn: this.today,
      discount: null,
      defaultCharge: null,
      hasInterest: false,
      takesPartPayments: true,
    };
    await this.#api.db.write(async ({ q }) => {
      await q.insert(claimTable).values({
        id,
        bankId: 'bank',
        invoiceId,
        siteId,
        claimantId: '5012120380',
        account: `0101-66-${String(this.#claims.length + 1).padStart(6, '0')}`,
        dueOn: this.today,
        payorId: '1201603389',
        templateCode: 'ABC',
        billNumber: '1',
        state: 'unpaid',
        currency: 'ISK',
        terms,
        createdAt: at,
        modifiedAt: at,
        dueAt: null,
        heldBy: null,
      });
    });
    return id;
  }
}

type Row = z.infer<typeof ReceivablesSchema>['rows'][number];

async function receivables(api: TestApi, query: string) {
  const { status, body } = await api.call('GET', `/reports/receivables?${query}`);
  expect(status).toBe(200);
  return ReceivablesSchema.parse(body);
}

async function owedInvoices(api: TestApi, query: string) {
  const { status, body } = await api.call('GET', `/reports/receivables/invoices?${query}`);
  expect(status).toBe(200);
  return OwedInvoicesSchema.parse(body);
}

/** The account of receivables at the end of a day, by currency: the sums of all months and days until then. */
async function bookedReceivables(api: TestApi, from: string, asOf: string, site: string) {
  const sums: Record<string, number> = {};
  const months = new Set<string>();
  for (let day = from; day <= asOf; day = dayAfter(day, 1)) {
    const isWhole = dayAfter(`${day.slice(0, 7)}-28`, 4).slice(0, 7) <= asOf.slice(0, 7);
    months.add(isWhole ? day.slice(0, 7) : day);
  }
  for (const period of months) {
    const { body } = await api.call('GET', `/bookkeeping/${period}${site}`);
    for (const { role, currency, debit, credit } of TrialBalanceSchema.parse(body).sums) {
      if (role === 'receivables') sums[currency] = (sums[currency] ?? 0) + debit - credit;
    }
  }
  return Object.fromEntries(Object.entries(sums).filter(([, minor]) => minor !== 0));
}

const byCurrency = (totals: readonly { currency: string; total: number }[]) =>
  Object.fromEntries(totals.filter(({ total }) => total !== 0).map((one) => [one.currency, one.total]));

async function expectAgreement(api: TestApi, from: string, asOf: string): Promise<void> {
  const all = await receivables(api, `asOf=${asOf}`);
  expect(byCurrency(all.totals), asOf).toEqual(await bookedReceivables(api, from, asOf, ''));
  const here = await receivables(api, `asOf=${asOf}&siteId=${api.site.id}`);
  const booked = await bookedReceivables(api, from, asOf, `?siteId=${api.site.id}`);
  expect(byCurrency(here.totals), asOf).toEqual(booked);
  for (const row of all.rows) await expectItsInvoices(api, row, asOf);
  const { invoices } = await owedInvoices(api, `asOf=${asOf}`);
  expect(all.rows.reduce((sum, one) => sum + one.invoices, 0)).toBe(invoices.length);
}

/** Each figure leads to its invoices, and each invoice is of the age of its days. */
async function expectItsInvoices(api: TestApi, row: Row, asOf: string): Promise<void> {
  const query = `asOf=${asOf}&debtor=${encodeURIComponent(row.debtor)}&currency=${row.currency}`;
  const site = row.site === null ? '' : `&siteId=${row.site.id}`;
  for (const [age, minor] of Object.entries(row.ages)) {
    const { invoices } = await owedInvoices(api, `${query}${site}&age=${age}`);
    const its = invoices.filter((one) => one.site?.id === row.site?.id);
    expect(its.reduce((sum, { open }) => sum + open, 0)).toBe(minor);
    for (const { dueOn, daysLate, open } of its) {
      expect(dayAfter(dueOn, daysLate)).toBe(asOf);
      if (age === 'credit') expect(open).toBeLessThan(0);
      else expect(daysLate > 90 ? 'over-90' : age).toBe(age);
    }
  }
}

/** What each open invoice asks for today, as a payment page would ask. */
async function expectOpenAmounts(api: TestApi): Promise<void> {
  const today = api.now().slice(0, 10);
  const { invoices } = await owedInvoices(api, `asOf=${dayAfter(today, 1)}`);
  for (const { id, status, number, creditOf } of await allInvoices(api)) {
    if (status !== 'draft' || number === null || creditOf !== null) continue;
    const open = await api.db.read((q) => openInvoice(q, id, api.now()));
    const openMinor = typeof open === 'string' ? 0 : open.openMinor;
    const shown = invoices.filter((one) => one.invoiceId === id).reduce((sum, one) => sum + one.open, 0);
    expect(Math.max(0, shown), id).toBe(openMinor);
  }
}

it(
  'agree with the account of receivables on any day of random histories, and each figure with its invoices',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(StepArbitrary, { minLength: 8, maxLength: 40 }),
        fc.integer({ min: 0, max: 100 }),
        async (steps, past) => {
          const api = await createTestApi();
          try {
            const history = await History.of(api);
            for (const step of steps) await history.take(step);
            const { firstDay, today } = history;
            const days = Math.round((Date.parse(today) - Date.parse(firstDay)) / (24 * HOUR_MS));
            const from = dayAfter(firstDay, -3);
            await expectAgreement(api, from, dayAfter(firstDay, Math.floor((days * past) / 100)));
            await expectAgreement(api, from, dayAfter(today, 1));
            await expectOpenAmounts(api);
          } finally {
            await api.close();
          }
        },
      ),
      { numRuns: RUNS, seed: 34 },
    );
  },
  60_000 + RUNS * 30_000,
);

describe('receivables', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await createTestApi();
  });
  afterEach(() => api.close());

  /** An invoice of a customer for one day, issued now. */
  async function billed(customerId: string, amountMinor: number): Promise<void> {
    await settle(api, { paymentStatus: 'company-invoice', customerId, amountMinor });
    api.wait(24 * HOUR_MS);
    await billNow(api.context, cloudActor('test', api.now()), api.now());
  }

  it('are in the class of the days since the last day to pay', async () => {
    const customerId = await addCustomer(api);
    await billed(customerId, 1000);
    const [invoice] = await allInvoices(api);
    const dueOn = invoice?.dueOn ?? '';
    for (const [days, age] of [
      [0, 'not-due'],
      [1, '1-30'],
      [30, '1-30'],
      [31, '31-60'],
      [60, '31-60'],
      [61, '61-90'],
      [90, '61-90'],
      [91, 'over-90'],
    ] as const) {
      const { rows, totals } = await receivables(api, `asOf=${dayAfter(dueOn, days)}`);
      expect(rows).toMatchObject([{ customerId, oldestDueOn: dueOn, invoices: 1, ages: { [age]: 1000 } }]);
      expect(totals).toMatchObject([{ currency: 'ISK', total: 1000 }]);
    }
    const issuedOn = (invoice?.issuedAt ?? '').slice(0, 10);
    expect((await receivables(api, `asOf=${dayAfter(issuedOn, -1)}`)).rows).toEqual([]);
  });

  it('show what is owed to a customer apart, and set nothing off against it', async () => {
    const customerId = await addCustomer(api);
    await billed(customerId, 700);
    const [paid] = await allInvoices(api);
    const actor = cloudActor('test', api.now());
    await updateInvoice(api.db, actor, paid?.id ?? '', { status: 'paid', paidWith: 'transfer' });
    api.wait(HOUR_MS);
    expect((await receivables(api, '')).rows).toEqual([]);
    const credited = await refundInvoice(
      api.db,
      cloudActor('test', api.now()),
      paid?.id ?? '',
      'not his car',
    );
    expect(credited.ok).toBe(true);
    await billed(customerId, 1000);
    const { rows } = await receivables(api, '');
    expect(rows).toMatchObject([{ total: 300, ages: { 'not-due': 1000, credit: -700 }, invoices: 2 }]);
  });

  it('are a file of debtors or of invoices', async () => {
    await billed(await addCustomer(api, { billingMethod: 'daily' }, { name: 'Bakarí' }), 1000);
    const file = async (rows: string) => {
      const path = `/reports/receivables/download?format=csv&separator=,&language=en&rows=${rows}`;
      const response = await api.app.request(path, { headers: { authorization: `Bearer ${api.operator}` } });
      expect(response.status).toBe(200);
      return booksRows(Buffer.from(await response.arrayBuffer()));
    };
    expect(await file('debtors')).toMatchObject([
      { 'Customer or owner': 'Bakarí', Invoices: '1', Currency: 'ISK', Total: '1000', 'Not due': '1000' },
    ]);
    expect(await file('invoices')).toMatchObject([
      { 'Invoice no.': '1', 'Customer or owner': 'Bakarí', Age: 'Not due', Open: '1000' },
    ]);
  });

  it('are refused for a site that is not there, and to customers', async () => {
    const nowhere = await api.call('GET', `/reports/receivables?siteId=${randomUUID()}`);
    expect(nowhere.status).toBe(400);
    const token = await api.account('customer');
    for (const path of ['', '/invoices', '/download']) {
      expect((await api.call('GET', `/reports/receivables${path}`, { token })).status).toBe(403);
    }
  });
});
