import { randomUUID } from 'node:crypto';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { Payment } from '@hlid/protocol/records/payment';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { BankOfTest } from '../../../test/bank-of-test.ts';
import { booksFile, setAccounts } from '../../../test/bookkeeping.ts';
import { PLAIN_BANK_MAPPING, TEYA_MAPPING } from '../../../test/books.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { IncomeReportSchema } from '../../integration/reports/income-report.ts';
import { updateInvoice } from '../../money/invoices/change-invoices.ts';
import { billNow } from '../../paying/billing/bill-customers.ts';
import { refundInvoice } from '../../paying/refunds/refund-invoice.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { ClaimPayment } from '../../platform/banks/bank.ts';
import { Banks } from '../../platform/banks/banks.ts';
import { isNull } from '../../platform/db/sql.ts';
import { paidByClaims } from '../../records/books/claim-movements.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { claimRun } from '../claims/claim-run.ts';
import type { SettlementMapping } from '../files/column-mapping.ts';
import { TrialBalanceSchema } from './trial-balance.ts';

/** How many days: a few with all tests, and by hand `HLID_BOOK_DAYS=1000`. */
const DAYS = Number(process.env['HLID_BOOK_DAYS'] ?? 12);
const SEED = Number(process.env['HLID_BOOK_SEED'] ?? 34);
const DAYS_OF_WORLD = 20;
const FIRST_DAY = '2026-11-22';
/** After so many days all files of a day have come. */
const SETTLED_DAYS = 4;
const SHORT_MINOR = 10;

const AGREEMENT = {
  owner: '5501012020',
  branch: '0133',
  templateCode: 'HLI',
  licence: null,
  interest: true,
  defaultCharge: null,
  partPayments: true,
};

const StepArbitrary = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('sell' as const),
      amountMinor: fc.integer({ min: 1, max: 9000 }),
      tipMinor: fc.constantFrom(0, 0, 0, 150),
      feesMinor: fc.constantFrom(0, 0, 350),
      vatRate: fc.constantFrom(24, 11, 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      as: fc.constantFrom('cash', 'transfer', 'company-invoice', 'company-invoice', 'owner-invoice', 'void'),
      amountMinor: fc.integer({ min: 1, max: 9000 }),
      vatRate: fc.constantFrom(24, 11, 0),
      customer: fc.nat(1),
      site: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund' as const), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('name-payer' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), nth: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit-line' as const), nth: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('charge-back' as const),
      nth: fc.nat(),
      part: fc.integer({ min: 1, max: 100 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('win' as const), nth: fc.nat() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('claim' as const), nth: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay-claim' as const),
      nth: fc.nat(),
      part: fc.constantFrom(100, 100, 40),
      interestMinor: fc.constantFrom(0, 17),
      costsMinor: fc.constantFrom(0, 0, 951),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reverse-claim' as const), nth: fc.nat() }) },
);
type Step = typeof StepArbitrary extends fc.Arbitrary<infer S> ? S : never;

const DayArbitrary = fc.record({
  steps: fc.array(StepArbitrary, { minLength: 3, maxLength: 14 }),
  payout: fc.constantFrom('whole', 'whole', 'whole', 'short', 'missing'),
});
type Day = typeof DayArbitrary extends fc.Arbitrary<infer D> ? D : never;

const SETTLEMENT: SettlementMapping = {
  ...TEYA_MAPPING,
  columns: {
    batch: 'batch',
    paidOn: 'paid',
    date: 'date',
    kind: 'kind',
    reference: 'reference',
    merchantReference: 'ours',
    gross: 'gross',
    fee: 'fee',
  },
  kinds: { sale: 'sale', refund: 'refund', chargeback: 'chargeback', won: 'chargeback-reversed' },
  signs: 'signed',
};

/** What a provider of cards has moved and not settled. */
interface Movement {
  kind: 'sale' | 'refund' | 'chargeback' | 'won';
  paymentId: string;
  day: string;
  amountMinor: number;
}

interface Sale {
  payment: Payment;
  grossMinor: number;
  state: 'sold' | 'reversed' | 'refunded' | 'charged-back' | 'won';
  chargedMinor: number;
}

/** What has truly happened, counted beside the cloud. */
class Truth {
  /** Card sales that are with the provider and not settled. */
  clearing = 0;
  balance = 0;
  fees = 0;
  bank = 0;
  received = 0;
  /** Credited by hand, while no money went back. */
  refunds = 0;
  tips = 0;
  /** The named difference: a provider gave back what a person had credited before. */
  backAgain = 0;
  /** What stays were settled with, in invoices or charges to come. */
  stays = 0;
  /** Money of claims, less what was taken back; `deposited` of it reached us, and the bank kept the rest. */
  readonly claims = { principal: 0, extra: 0, deposited: 0, payments: 0, reversals: 0 };
}

/** A car park, its customers, a provider of cards and a bank, for some days. */
class World {
  readonly truth = new Truth();
  readonly #api: TestApi;
  readonly #sites: string[];
  readonly #customers: string[];
  readonly #accounts: { provider: string; bank: string };
  readonly #bank: BankOfTest;
  readonly #sales: Sale[] = [];
  #moved: Movement[] = [];
  #due: { reference: string; amountMinor: number; day: string }[] = [];
  #count = 0;

  private constructor(
    api: TestApi,
    parts: {
      sites: string[];
      customers: string[];
      accounts: { provider: string; bank: string };
      bank: BankOfTest;
    },
  ) {
    this.#api = api;
    this.#bank = parts.bank;
    this.#sites = parts.sites;
    this.#customers = parts.customers;
    this.#accounts = parts.accounts;
  }

  static async of(api: TestApi, atBank: BankOfTest): Promise<World> {
    await setAccounts(api);
    const account = async (fields: Json) => (await api.made('/money-accounts', fields)).id;
    const bank = await account({ kind: 'bank', reference: 'IS1', name: 'Bank', mapping: PLAIN_BANK_MAPPING });
    const provider = await account({
      kind: 'settlement',
      reference: 'provider',
      name: 'Provider',
      mapping: SETTLEMENT,
      paysIntoId: bank,
    });
    const sites = [api.site.id, (await api.addSite('Airport', 'Europe/Copenhagen')).id];
    const seller = { name: 'Bílahúsið ehf.', ssn: '550101-2020' };
    for (const id of sites) await api.call('PUT', `/sites/${id}`, { body: { settings: { seller } } });
    expect((await api.call('PUT', '/bank/bank', { body: AGREEMENT })).status).toBe(303);
    const customers = [
      await addCustomer(api, { billingMethod: 'daily' }, { ssn: '5305750209' }),
      await addCustomer(api, { billingMethod: 'monthly' }, { ssn: '5501234560' }),
    ];
    return new World(api, { sites, customers, accounts: { provider, bank }, bank: atBank });
  }

  get today(): string {
    return this.#api.now().slice(0, 10);
  }

  async live({ steps, payout }: Day): Promise<void> {
    for (const step of steps) {
      this.#api.wait(30 * MINUTE_MS);
      await this.#take(step);
      await this.#followClaims();
    }
    const done = await billNow(this.#api.context, this.#actor(), this.#api.now());
    expect(done.error).toBeNull();
    await this.#sendStatement();
    const yesterday = this.#moved.filter(({ day }) => day < this.today);
    if (yesterday.length > 0) await this.#sendSettlement(yesterday, payout);
    this.#api.wait(Date.parse(`${dayAfter(this.today, 1)}T06:00:00.000Z`) - Date.parse(this.#api.now()));
  }

  /** Banks are asked about paid claims twice a day. */
  async settleClaims(): Promise<void> {
    this.#api.wait(13 * 60 * MINUTE_MS);
    await this.#followClaims();
  }

  async #followClaims(): Promise<void> {
    const { db, clock, context } = this.#api;
    const run = claimRun({ db, clock, log: context.log, banks: context.banks, stoppingMs: 50 });
    await run.work({ now: this.#api.now(), signal: new AbortController().signal });
  }

  #actor() {
    return cloudActor('test', this.#api.now());
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'sell':
        return await this.#sell(step);
      case 'settle':
        return await this.#settle(step);
      case 'reverse': {
        const sale = this.#nth(step.nth, ({ state }) => state === 'sold' || state === 'refunded');
        return sale && (await this.#reverse(sale));
      }
      case 'refund':
        return await this.#refund(step.nth);
      case 'name-payer':
        return await this.#nameInvoice(step.nth);
      case 'pay':
        return await this.#pay(step.nth);
      case 'credit-line':
        return await this.#creditLine(step.nth);
      case 'charge-back': {
        const sale = this.#nth(
          step.nth,
          (one) => one.state === 'sold' && one.payment.transaction?.tipMinor === 0,
        );
        return sale && (await this.#chargeBack(sale, step.part));
      }
      case 'win': {
        const sale = this.#nth(step.nth, ({ state }) => state === 'charged-back');
        return sale && (await this.#win(sale));
      }
      case 'claim':
        return await this.#claim(step.nth);
      case 'pay-claim':
        return this.#payClaim(step);
      case 'reverse-claim':
        return this.#reverseClaim(step.nth);
      default:
        step satisfies never;
    }
  }

  #nth(nth: number, fits: (sale: Sale) => boolean): Sale | undefined {
    const fitting = this.#sales.filter(fits);
    return fitting[nth % Math.max(1, fitting.length)];
  }

  #move(kind: Movement['kind'], paymentId: string, amountMinor: number): void {
    this.#moved.push({ kind, paymentId, day: this.today, amountMinor });
    this.truth.clearing += amountMinor;
  }

  async #sell(step: Extract<Step, { do: 'sell' }>): Promise<void> {
    const { amountMinor, tipMinor, vatRate } = step;
    const feesMinor = Math.min(step.feesMinor, amountMinor - 1);
    const at = this.#api.now();
    const payment = samplePayment({
      amountMinor,
      feesMinor,
      product: { id: 'p1', version: 1, vatRate },
      transaction: {
        reference: randomUUID(),
        authorisation: null,
        card: { type: 'visa', lastFour: '4242' },
        tipMinor,
      },
      createdAt: at,
      changedAt: at,
    });
    expect(await reportPayment(this.#api, payment)).toBeNull();
    const grossMinor = amountMinor + tipMinor;
    this.#sales.push({ payment, grossMinor, state: 'sold', chargedMinor: 0 });
    this.truth.stays += amountMinor;
    this.truth.tips += tipMinor;
    this.#move('sale', payment.id, grossMinor);
  }

  async #settle({
    as,
    amountMinor,
    vatRate,
    customer,
    site,
  }: Extract<Step, { do: 'settle' }>): Promise<void> {
    const given = { amountMinor, vatRate, siteId: this.#sites[site] ?? '' };
    if (as === 'cash' || as === 'transfer') {
      await settle(this.#api, { ...given, paidWith: as });
      this.truth.received += amountMinor;
    } else {
      const customerId = as === 'company-invoice' ? (this.#customers[customer] ?? null) : null;
      await settle(this.#api, { ...given, paymentStatus: as, customerId });
    }
    if (as !== 'void') this.truth.stays += amountMinor;
  }

  async #reverse(sale: Sale): Promise<void> {
    const { payment, grossMinor, state } = sale;
    expect(
      await reportPayment(this.#api, { ...payment, state: 'reversed', changedAt: this.#api.now() }),
    ).toBeNull();
    this.#move('refund', payment.id, 0 - grossMinor);
    if (state === 'refunded') this.truth.backAgain += grossMinor;
    else this.truth.tips -= payment.transaction?.tipMinor ?? 0;
    sale.state = 'reversed';
  }

  /** Credits a sale by hand. No money of a sale by card moves, and what a person received is given back. */
  async #refund(nth: number): Promise<void> {
    const invoices = (await allInvoices(this.#api)).filter(
      ({ status, creditOf, paymentType }) =>
        status === 'paid' && creditOf === null && ['kiosk', 'cash', 'transfer'].includes(paymentType),
    );
    const invoice = invoices[nth % Math.max(1, invoices.length)];
    if (invoice === undefined) return;
    const sale = this.#sales.find(({ payment }) => payment.id === invoice.id);
    if (sale !== undefined && sale.state !== 'sold') return;
    const done = await refundInvoice(this.#api.db, this.#actor(), invoice.id, 'a test');
    expect(done.ok).toBe(true);
    if (sale === undefined) this.truth.received -= invoice.amountMinor;
    else {
      sale.state = 'refunded';
      this.truth.refunds += sale.grossMinor;
      this.truth.tips -= sale.payment.transaction?.tipMinor ?? 0;
    }
  }

  async #nameInvoice(nth: number): Promise<void> {
    const waiting = (await allInvoices(this.#api)).filter(({ issuedAt }) => issuedAt === null);
    const invoice = waiting[nth % Math.max(1, waiting.length)];
    if (invoice === undefined) return;
    const payer = { ssn: '1201603389', name: 'Jón' };
    expect((await updateInvoice(this.#api.db, this.#actor(), invoice.id, { payer })).ok).toBe(true);
  }

  async #pay(nth: number): Promise<void> {
    const owed = (await allInvoices(this.#api)).filter(
      ({ status, number, creditOf }) => status === 'draft' && number !== null && creditOf === null,
    );
    const invoice = owed[nth % Math.max(1, owed.length)];
    if (invoice === undefined) return;
    const notes = (await allInvoices(this.#api)).filter(({ creditOf }) => creditOf === invoice.id);
    const byClaims = await this.#api.db.read((q) => paidByClaims(q, invoice.id));
    const openMinor = notes.reduce((sum, note) => sum + note.amountMinor, invoice.amountMinor) - byClaims;
    const edit = { status: 'paid', paidWith: 'transfer' } as const;
    expect((await updateInvoice(this.#api.db, this.#actor(), invoice.id, edit)).ok).toBe(true);
    this.truth.received += openMinor;
  }

  async #claim(nth: number): Promise<void> {
    const owed = (await allInvoices(this.#api)).filter(
      ({ status, number, creditOf, customerId }) =>
        status === 'draft' && number !== null && creditOf === null && customerId !== null,
    );
    const invoice = owed[nth % Math.max(1, owed.length)];
    if (invoice === undefined) return;
    const { status } = await this.#api.call('POST', '/claims', { body: { invoiceId: invoice.id } });
    // One is there already, or nothing is open.
    expect([303, 400]).toContain(status);
  }

  #payClaim({ nth, part, interestMinor, costsMinor }: Extract<Step, { do: 'pay-claim' }>): void {
    const keys = this.#bank.unpaid();
    const key = keys[nth % Math.max(1, keys.length)];
    if (key !== undefined) {
      this.#countClaim(this.#bank.pay(key, this.#api.now(), part, { interestMinor, costsMinor }), 1);
    }
  }

  #reverseClaim(nth: number): void {
    const keys = this.#bank.paidInPart();
    const key = keys[nth % Math.max(1, keys.length)];
    if (key === undefined) return;
    for (const one of this.#bank.reverse(key, this.#api.now())) this.#countClaim(one, -1);
  }

  #countClaim(
    { principalMinor, interestMinor, costsMinor, depositedMinor }: ClaimPayment,
    sign: 1 | -1,
  ): void {
    const { claims } = this.truth;
    claims.principal += sign * principalMinor;
    claims.extra += sign * (interestMinor + costsMinor);
    claims.deposited += sign * depositedMinor;
    if (sign === 1) claims.payments++;
    else claims.reversals++;
  }

  /** A stay is taken off an invoice; what it owes is given up. */
  async #creditLine(nth: number): Promise<void> {
    const owed = (await allInvoices(this.#api)).filter(
      ({ number, creditOf, paymentType, status }) =>
        number !== null &&
        creditOf === null &&
        paymentType.endsWith('-invoice') &&
        (status === 'draft' || status === 'paid'),
    );
    const invoice = owed[nth % Math.max(1, owed.length)];
    const visitId = invoice?.lines[nth % invoice.lines.length]?.visitId;
    if (invoice === undefined || visitId == null) return;
    const body = { visitIds: [visitId], outcome: 'nothing', reason: 'another car' };
    const { status } = await this.#api.call('POST', `/invoice/${invoice.id}/credit`, { body });
    // A line is taken back once.
    expect([303, 400]).toContain(status);
  }

  async #chargeBack(sale: Sale, part: number): Promise<void> {
    const { payment } = sale;
    const amount = Math.max(1, Math.floor((payment.amountMinor * part) / 100));
    const body = { reference: `CB-${payment.id}`, amount, reasonCode: '10.4' };
    const { status } = await this.#api.call('POST', `/payments/${payment.id}/chargeback`, { body });
    expect(status).toBe(200);
    sale.state = 'charged-back';
    sale.chargedMinor = amount;
    this.#move('chargeback', payment.id, 0 - amount);
  }

  async #win(sale: Sale): Promise<void> {
    const { payment, chargedMinor: amount } = sale;
    const body = { reference: `CB-${payment.id}`, amount, reasonCode: '10.4', state: 'won' };
    const { status } = await this.#api.call('POST', `/payments/${payment.id}/chargeback`, { body });
    expect(status).toBe(200);
    sale.state = 'won';
    this.#move('won', payment.id, amount);
  }

  /** The provider settles what moved before today, and pays it out tomorrow; a batch below zero is not paid out. */
  async #sendSettlement(movements: readonly Movement[], payout: Day['payout']): Promise<void> {
    const reference = `UPPGJOR-${++this.#count}`;
    const feeOf = ({ amountMinor }: Movement) => (amountMinor > 0 ? Math.ceil(amountMinor * 0.008) : 0);
    const grossMinor = movements.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const feesMinor = movements.reduce((sum, one) => sum + feeOf(one), 0);
    const netMinor = grossMinor - feesMinor;
    const paid = netMinor > 0 ? dayAfter(this.today, 1) : '';
    const rows = movements.map((one) =>
      [
        reference,
        paid,
        one.day,
        one.kind,
        `psp-${one.paymentId}`,
        one.paymentId,
        one.amountMinor,
        feeOf(one),
      ].join(','),
    );
    const header = Object.values(SETTLEMENT.columns).join(',');
    await this.#import('settlement-files', [header, ...rows], this.#accounts.provider);
    this.#moved = this.#moved.filter((one) => !movements.includes(one));
    this.truth.clearing -= grossMinor;
    this.truth.fees += feesMinor;
    this.truth.balance += netMinor;
    if (netMinor <= 0 || payout === 'missing') return;
    const amountMinor = payout === 'short' ? netMinor - SHORT_MINOR : netMinor;
    if (amountMinor !== 0) this.#due.push({ reference, amountMinor, day: paid });
  }

  async #sendStatement(): Promise<void> {
    const booked = this.#due.filter(({ day }) => day <= this.today);
    if (booked.length === 0) return;
    const rows = booked.map(({ reference, amountMinor }) =>
      [this.today, amountMinor, `B-${reference}`, `Greidsla ${reference}`].join(','),
    );
    // What has nothing to do with cards is none of the books.
    const rent = [this.today, '-150000', `B-rent-${this.today}`, 'Leiga'].join(',');
    await this.#import('bank-statements', ['date,amount,reference,text', ...rows, rent], this.#accounts.bank);
    this.#due = this.#due.filter((one) => !booked.includes(one));
    for (const { amountMinor } of booked) {
      this.truth.bank += amountMinor;
      this.truth.balance -= amountMinor;
    }
  }

  async #import(path: string, lines: readonly string[], account: string): Promise<void> {
    const response = await this.#api.app.request(
      `/${path}?name=${path}-${this.today}.csv&account=${account}`,
      {
        method: 'POST',
        body: lines.join('\n'),
        headers: {
          authorization: `Bearer ${this.#api.operator}`,
          'content-type': 'application/octet-stream',
        },
      },
    );
    const body: unknown = await response.json();
    expect([response.status, body]).toMatchObject([200, { refused: [] }]);
  }
}

async function balanceOf(api: TestApi, period: string) {
  const { status, body } = await api.call('GET', `/bookkeeping/${period}`);
  expect(status).toBe(200);
  const balance = TrialBalanceSchema.parse(body);
  expect(balance.missing).toEqual([]);
  expect(balance.sums.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBe(0);
  return balance;
}

/** The sums of roles over periods, debit above zero. */
async function rolesOf(api: TestApi, periods: readonly string[]): Promise<Record<string, number>> {
  const roles: Record<string, number> = {};
  for (const period of periods) {
    for (const { role, debit, credit } of (await balanceOf(api, period)).sums) {
      roles[role] = (roles[role] ?? 0) + debit - credit;
    }
  }
  return roles;
}

async function expectTruth(api: TestApi, { truth }: World, lived: readonly string[]): Promise<void> {
  // The last batch is paid out on the day after.
  const days = [...lived, dayAfter(lived.at(-1) ?? '', 1)];
  const months = [...new Set(days.map((day) => day.slice(0, 7)))];
  const roles = await rolesOf(api, months);
  expect(await rolesOf(api, days)).toEqual(roles);
  const of = (role: string) => roles[role] ?? 0;
  const documents = (await allInvoices(api)).filter(({ issuedAt }) => issuedAt !== null);
  const income = documents.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  expect(0 - of('income') - of('fee-income') - of('prepaid-income') - of('vat')).toBe(income);
  const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
  const report = IncomeReportSchema.parse(
    (await api.call('GET', `/reports/income?date.from=${from}&date.to=${to}`)).body,
  );
  expect(report.total.amounts.find(({ currency }) => currency === 'ISK')?.amount).toBe(income);
  expect(report.productReport.reduce((sum, { amount }) => sum + amount, 0)).toBe(income);
  // Stays: each is on an invoice once, or waits for one.
  const all = await allInvoices(api);
  const charges = await api.db.read(
    async (q) => await q.select().from(chargeTable).where(isNull(chargeTable.invoiceId)),
  );
  const invoiced = all.filter(({ creditOf }) => creditOf === null);
  const sum = (rows: readonly { amountMinor: number }[]) =>
    rows.reduce((total, one) => total + one.amountMinor, 0);
  expect(sum(invoiced) + sum(charges)).toBe(truth.stays);
  // Payments, and what the provider and the bank have: the named difference stands on both accounts.
  expect(of('card-clearing') - truth.backAgain).toBe(truth.clearing);
  expect(0 - of('refunds')).toBe(truth.refunds);
  const { claims } = truth;
  expect(of('received')).toBe(truth.received + claims.deposited);
  expect(0 - of('claim-extra')).toBe(claims.extra);
  expect(0 - of('tips')).toBe(truth.tips);
  expect(of('provider-fees')).toBe(truth.fees + claims.principal + claims.extra - claims.deposited);
  expect(of('provider-balance')).toBe(truth.balance);
  expect(of('bank')).toBe(truth.bank);
  // What is left is owed.
  const owed = income + truth.tips - (truth.clearing + truth.backAgain) + truth.refunds - truth.received;
  expect(of('receivables')).toBe(owed - truth.fees - truth.balance - truth.bank - claims.principal);
}

async function createTown(): Promise<{ api: TestApi; bank: BankOfTest }> {
  const bank = new BankOfTest();
  return { api: await createTestApi({ banks: new Banks(new Map([['bank', bank]])) }), bank };
}

/** @returns the payments of claims that there were, and the reversals */
async function liveAWorld(days: readonly Day[]): Promise<Truth['claims']> {
  const { api, bank } = await createTown();
  try {
    const world = await World.of(api, bank);
    api.wait(Date.parse(`${FIRST_DAY}T06:00:00.000Z`) - Date.parse(api.now()));
    const lived: string[] = [];
    const files = new Map<string, Buffer>();
    const file = async (day: string) => (await booksFile(api, `/bookkeeping/${day}`)).bytes;
    for (const day of days) {
      lived.push(world.today);
      await world.live(day);
      const settled = lived.at(0 - SETTLED_DAYS);
      if (settled !== undefined) files.set(settled, await file(settled));
    }
    await world.settleClaims();
    await expectTruth(api, world, lived);
    for (const [day, bytes] of files) expect(await file(day), day).toEqual(bytes);
    return world.truth.claims;
  } finally {
    await api.close();
  }
}

it(
  `stays, payments, invoices, postings and the bank agree to the krona on ${DAYS} random days`,
  async () => {
    const days = fc.sample(DayArbitrary, { numRuns: DAYS, seed: SEED });
    let [payments, reversals] = [0, 0];
    for (let from = 0; from < days.length; from += DAYS_OF_WORLD) {
      const claims = await liveAWorld(days.slice(from, from + DAYS_OF_WORLD));
      payments += claims.payments;
      reversals += claims.reversals;
    }
    expect(payments).toBeGreaterThan(0);
    expect(reversals).toBeGreaterThan(0);
  },
  60_000 + DAYS * 10_000,
);

it('notices a krona that is missing', async () => {
  const { api, bank } = await createTown();
  try {
    const world = await World.of(api, bank);
    await world.live({ steps: fc.sample(StepArbitrary, { numRuns: 12, seed: SEED }), payout: 'whole' });
    world.truth.received += 1;
    await expect(expectTruth(api, world, ['2026-11-21'])).rejects.toThrow();
  } finally {
    await api.close();
  }
});
