import { claimRun } from '@hlid/cloud/books/claims/claim-run';
import type { Bank } from '@hlid/cloud/platform/banks/bank';
import { Banks } from '@hlid/cloud/platform/banks/banks';
import { IobwsBank } from '@hlid/cloud/platform/banks/iobws-bank';
import type { ScheduledRun } from '@hlid/cloud/platform/jobs/scheduled-runs';
import { createTestApi, type Json, type TestApi } from '@hlid/cloud/test/api';
import { ACCOUNTS, booksFile, booksRows, setAccounts } from '@hlid/cloud/test/bookkeeping';
import { PLAIN_BANK_MAPPING } from '@hlid/cloud/test/books';
import { addCustomer, allInvoices, settle } from '@hlid/cloud/test/settlements';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHARGE_FAULTS, providerFault } from '../sim/gateway-rigs.ts';
import { IobwsBankServer } from '../sim/iobws-bank.ts';

const SELLER = { name: 'Bílahúsið ehf.', ssn: '550101-2020' };
const AGREEMENT = {
  owner: '5501012020',
  branch: '0133',
  templateCode: 'HLI',
  licence: null,
  interest: true,
  defaultCharge: { days: 10, amount: 950 },
  partPayments: true,
};

const CANCEL = { reason: 'Paid by transfer' };

let api: TestApi;
let server: IobwsBankServer;
let customer: string | undefined;
beforeEach(async () => {
  server = new IobwsBankServer();
  await server.start();
  customer = undefined;
  api = await createTestApi({ banks: new Banks(new Map([['bank', bankOf()]])) });
  const body = { settings: { seller: SELLER } };
  expect((await api.call('PUT', `/sites/${api.site.id}`, { body })).status).toBe(303);
  await agree({});
});
afterEach(async () => {
  await server.stop();
  await api.close();
  expect(server.complaints).toEqual([]);
});

function bankOf(): Bank {
  return new IobwsBank({ kind: 'iobws', url: server.origin, token: server.token, timeoutMs: 300 });
}

async function agree(
  fields: Partial<Omit<typeof AGREEMENT, 'licence'>> & { licence?: string | null },
): Promise<void> {
  const answer = await api.call('PUT', '/bank/bank', { body: { ...AGREEMENT, ...fields } });
  expect(answer.status).toBe(303);
}

/** A process that sends claims and follows them. */
function worker(around = (bank: Bank) => bank): ScheduledRun {
  const { db, clock } = api;
  const banks = new Banks(new Map([['bank', around(bankOf())]]));
  return claimRun({ db, clock, log: pino({ level: 'silent' }), banks, stoppingMs: 50 });
}

const run = (one = worker(), signal = new AbortController().signal) => one.work({ now: api.now(), signal });

async function runFor(hours: number, one = worker()): Promise<void> {
  for (let hour = 0; hour < hours; hour++) {
    api.wait(HOUR_MS);
    await run(one);
  }
}

/** An issued invoice of a company, by a billing run. @returns its id */
async function billed(amountMinor = 12_400): Promise<string> {
  customer ??= await addCustomer(api, { billingMethod: 'daily' }, { name: 'Æðey ehf.', ssn: '5305750209' });
  await settle(api, { customerId: customer, paymentStatus: 'company-invoice', amountMinor });
  api.wait(48 * HOUR_MS);
  expect((await api.call('POST', '/billing/runs', { body: {} })).status).toBeLessThan(400);
  return (await allInvoices(api)).find((one) => one.customerId === customer)?.id ?? '';
}

const claimFor = (invoiceId: string, more: Json = {}) =>
  api.call('POST', '/claims', { body: { invoiceId, ...more } });

/** A claim that the bank has. */
async function claimed(amountMinor?: number): Promise<{ id: string; invoiceId: string; bankId: string }> {
  const invoiceId = await billed(amountMinor);
  const { status, body } = await claimFor(invoiceId);
  expect(status).toBe(303);
  await run();
  return { id: String(body['id']), invoiceId, bankId: server.only.claimId };
}

const claim = async (id: string) => (await api.call('GET', `/claim/${id}`)).body;
const invoice = async (id: string) => (await api.call('GET', `/invoice/${id}`)).body;

describe('a claim for an invoice', () => {
  it('is made once at the bank, and followed until it is paid: so is its invoice', async () => {
    const { id, invoiceId, bankId } = await claimed();
    expect(await claim(id)).toMatchObject({
      state: 'unpaid',
      claimant: '5501012020',
      payer: '5305750209',
      account: '013366000001',
      order: null,
      terms: { amount: 12_400, interest: true, defaultCharge: { days: 10, amount: 950 } },
      actions: ['change', 'cancel', 'follow'],
    });
    expect(server.only).toMatchObject({ amount: 12_400, payorId: '5305750209', templateCode: 'HLI' });
    server.pay(bankId, { interest: 40, notice: 120, kept: 120 });
    await runFor(3);
    expect(await claim(id)).toMatchObject({
      state: 'paid',
      paid: 12_400,
      movements: [
        { kind: 'payment', principal: 12_400, interest: 40, costs: 120, paid: 12_560, deposited: 12_440 },
      ],
      actions: ['follow'],
    });
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid', settlement: { way: 'claim' } });
    expect(server.calls.filter((one) => one === 'create')).toHaveLength(1);
  });

  it('is open again when the bank takes the payment back, and paid by the next one', async () => {
    const { id, invoiceId, bankId } = await claimed();
    server.pay(bankId);
    await runFor(3);
    server.reverse(bankId);
    await runFor(13);
    expect(await claim(id)).toMatchObject({ state: 'unpaid', paid: 0 });
    expect(await invoice(invoiceId)).toMatchObject({ status: 'draft', settlement: null });
    server.pay(bankId);
    await runFor(3);
    expect(await claim(id)).toMatchObject({ state: 'paid', paid: 12_400 });
    expect(((await claim(id))['movements'] as Json[]).map(({ kind, paid }) => [kind, paid])).toEqual([
      ['payment', 12_400],
      ['reversal', -12_400],
      ['payment', 12_400],
    ]);
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid', settlement: { way: 'claim' } });
  });

  it('that is paid short leaves its invoice open; its amount is fixed from then on', async () => {
    const { id, invoiceId, bankId } = await claimed();
    server.pay(bankId, { principal: 12_000 });
    await runFor(3);
    expect(await claim(id)).toMatchObject({ state: 'unpaid', paid: 12_000, due: 400 });
    expect(await invoice(invoiceId)).toMatchObject({ status: 'draft' });
    const change = (body: Json) => api.call('PUT', `/claim/${id}`, { body });
    expect((await change({ amount: 5000 })).status).toBe(400);
    expect((await change({ finalDueOn: '2026-12-31' })).status).toBe(303);
    server.pay(bankId);
    await runFor(3);
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid' });
  });

  it('is asked about at once, where a person wants to know, and nothing is booked twice', async () => {
    const { id, invoiceId, bankId } = await claimed();
    await run();
    const ask = () => api.call('POST', `/claim/${id}/follow`);
    server.pay(bankId, { principal: 12_000 });
    await run();
    expect(await invoice(invoiceId)).toMatchObject({ open: 12_400 });
    for (const again of [1, 2]) {
      expect((await ask()).status, `time ${again}`).toBe(303);
      await run();
      expect(await claim(id)).toMatchObject({ paid: 12_000, movements: [{ principal: 12_000 }] });
    }
    expect(await invoice(invoiceId)).toMatchObject({ status: 'draft', open: 400 });
    server.reverse(bankId);
    await ask();
    await run();
    expect(await invoice(invoiceId)).toMatchObject({ status: 'draft', open: 12_400 });
    server.pay(bankId);
    await ask();
    await run();
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid', open: 0 });
  });

  it('with a discount is paid by what is left of it', async () => {
    const invoiceId = await billed();
    const { body } = await claimFor(invoiceId, { discount: { days: 0, amount: 400 } });
    await run();
    server.pay(server.only.claimId, { discount: 400 });
    await runFor(3);
    expect(await claim(String(body['id']))).toMatchObject({
      paid: 12_400,
      movements: [{ paid: 12_000, discount: 400, deposited: 12_000 }],
    });
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid' });
  });

  it('gets other terms, and is cancelled', async () => {
    const { id, invoiceId } = await claimed();
    const body = { amount: 9000, finalDueOn: '2026-12-31', discount: { days: 2, amount: 100 } };
    expect((await api.call('PUT', `/claim/${id}`, { body })).body).toMatchObject({
      order: { kind: 'change', step: 'waiting', terms: { amount: 9000 } },
      terms: { amount: 12_400 },
      actions: ['follow'],
    });
    await run();
    expect(server.only).toMatchObject({ amount: 9000, finalDueDate: '2026-12-31' });
    expect(await claim(id)).toMatchObject({ order: null, terms: { amount: 9000 } });
    expect((await api.call('POST', `/claim/${id}/cancel`, { body: CANCEL })).status).toBe(303);
    await run();
    expect(await claim(id)).toMatchObject({ state: 'cancelled', actions: ['follow'] });
    expect(server.only.status).toBe('Cancelled');
    expect((await claimFor(invoiceId)).status).toBe(303);
    await run();
    expect([...server.claims.keys()].map((key) => key.slice(10, 22))).toEqual([
      '013366000001',
      '013366000002',
    ]);
  });

  it('that was not sent yet is cancelled without the bank', async () => {
    const { body } = await claimFor(await billed());
    expect((await api.call('POST', `/claim/${body['id']}/cancel`, { body: CANCEL })).body).toMatchObject({
      state: 'cancelled',
      order: null,
    });
    await runFor(2);
    expect(server.calls).toEqual([]);
  });

  it('is cancelled at the bank once its invoice asks for nothing any more', async () => {
    const { id, invoiceId } = await claimed();
    const body = { status: 'paid', paidWith: 'transfer' };
    expect((await api.call('PUT', `/invoice/${invoiceId}`, { body })).status).toBe(303);
    await runFor(3);
    expect(await claim(id)).toMatchObject({ state: 'cancelled' });
    expect(server.only.status).toBe('Cancelled');
    expect(await invoice(invoiceId)).toMatchObject({ status: 'paid', settlement: { way: 'transfer' } });
  });

  it('that the payer has cancelled is cancelled here', async () => {
    const { id, bankId } = await claimed();
    server.cancelByPayor(bankId);
    await runFor(3);
    expect(await claim(id)).toMatchObject({ state: 'cancelled' });
  });
});

describe('no claim is made', () => {
  it('twice for one invoice', async () => {
    const { invoiceId } = await claimed();
    expect((await claimFor(invoiceId)).status).toBe(400);
    expect(server.claims.size).toBe(1);
  });

  it('for another company, unless there is a licence', async () => {
    await agree({ owner: '4902697399' });
    const invoiceId = await billed();
    const refused = await claimFor(invoiceId);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('claim-for-another'),
    ]);
    await agree({ owner: '4902697399', licence: 'Leyfi nr. 7' });
    const made = await claimFor(invoiceId);
    expect([made.status, made.body['claimant']]).toEqual([303, '5501012020']);
  });

  it('while somebody contests the invoice', async () => {
    const invoiceId = await billed();
    await api.made(`/invoice/${invoiceId}/dispute`, { text: 'Not my car' });
    const refused = await claimFor(invoiceId);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringContaining('claim-disputed'),
    ]);
  });

  it('with terms that make no sense', async () => {
    const invoiceId = await billed();
    for (const terms of [
      { finalDueOn: '2026-11-01' },
      { finalDueOn: '2029-11-01' },
      { discount: { days: 0, amount: 12_400 } },
    ]) {
      expect((await claimFor(invoiceId, terms)).status).toBe(400);
    }
    expect((await api.call('GET', '/claims')).body).toMatchObject({ data: [] });
  });

  it('with a number that another program has used', async () => {
    const { id, bankId } = await claimed();
    const stranger = { ...server.only, reference: 'another program' };
    server.claims.clear();
    const key = bankId.replace('66000001', '66000002');
    server.claims.set(key, { ...stranger, claimId: key });
    await api.call('POST', `/claim/${id}/cancel`, { body: CANCEL });
    await runFor(30);
    expect(await claim(id)).toMatchObject({ reason: 'not-reached' });
  });
});

describe('faults', () => {
  it.each(CHARGE_FAULTS)('$fault: there is one claim in the end', async (one) => {
    const invoiceId = await billed();
    const { body } = await claimFor(invoiceId);
    server.fail(['create'], providerFault(one.fault));
    await run();
    const id = String(body['id']);
    expect(await claim(id)).toMatchObject({ order: { kind: 'create', step: 'unknown' } });
    await runFor(3);
    expect(await claim(id)).toMatchObject({ state: 'unpaid', order: null });
    expect(server.claims.size).toBe(1);
    // The bank was asked before anything was sent again.
    expect(server.calls.slice(0, 2)).toEqual(['create', 'find']);
    expect(server.calls.filter((call) => call === 'create')).toHaveLength(one.books ? 1 : 2);
  });

  it('a bank that is away gets it later', async () => {
    const invoiceId = await billed();
    await server.stop();
    const { body } = await claimFor(invoiceId);
    await runFor(2);
    const id = String(body['id']);
    expect(await claim(id)).toMatchObject({ state: 'new', reason: 'not-reached' });
    await server.start();
    await runFor(2);
    expect(await claim(id)).toMatchObject({ state: 'unpaid', reason: null });
  });

  it('a history that does not go on from what is booked books nothing', async () => {
    const { id, invoiceId, bankId } = await claimed();
    server.pay(bankId, { principal: 5000 });
    await runFor(3);
    server.only.events.splice(1);
    server.only.paid = 0;
    server.pay(bankId);
    await runFor(3);
    expect(await claim(id)).toMatchObject({ paid: 5000, reason: 'history-differs' });
    expect(await invoice(invoiceId)).toMatchObject({ status: 'draft' });
  });

  const DEATHS = [
    'before create',
    'after create',
    'before find',
    'before payments',
    'after payments',
  ] as const;

  it('a process that dies anywhere: one claim, and every payment booked once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...DEATHS), { maxLength: 3 }), async (deaths) => {
        const { id, bankId } = await claimedThrough(deaths);
        server.pay(bankId);
        for (const death of deaths.filter((one) => !one.endsWith('create'))) {
          api.wait(3 * HOUR_MS);
          await runUntil(death);
        }
        await runFor(15);
        expect(await claim(id)).toMatchObject({ state: 'paid', paid: 500, order: null });
        expect((await claim(id))['movements']).toHaveLength(1);
        expect(server.claims.size).toBe(1);
        server.claims.clear();
      }),
      { numRuns: 6 },
    );
  });

  async function claimedThrough(deaths: readonly (typeof DEATHS)[number][]) {
    const invoiceId = await billed(500);
    const { body } = await claimFor(invoiceId);
    for (const death of deaths.filter((one) => one.endsWith('create'))) {
      await runUntil(death);
      api.wait(10 * MINUTE_MS);
    }
    await runFor(4);
    return { id: String(body['id']), bankId: server.only.claimId };
  }

  /** Works until the process dies: it never goes on, and stores nothing more. */
  async function runUntil(death: (typeof DEATHS)[number]): Promise<void> {
    let die: () => void = () => undefined;
    const died = new Promise<void>((resolve) => {
      die = resolve;
    });
    const dying = async <T>(name: 'create' | 'find' | 'payments', act: () => Promise<T>): Promise<T> => {
      if (death === `after ${name}`) await act();
      if (!death.endsWith(name)) return await act();
      die();
      return await new Promise<never>(() => undefined);
    };
    const mortal = worker((bank) => ({
      create: (one, signal) => dying('create', () => bank.create(one, signal)),
      find: (key, signal) => dying('find', () => bank.find(key, signal)),
      payments: (key, currency, signal) => dying('payments', () => bank.payments(key, currency, signal)),
      change: (key, terms, signal) => bank.change(key, terms, signal),
      cancel: (key, signal) => bank.cancel(key, signal),
    }));
    await Promise.race([run(mortal), died]);
  }
});

describe('the books', () => {
  const bySum = (rows: readonly Record<string, string>[]) => {
    const sums: Record<string, number> = {};
    for (const { account = '', debit, credit } of rows) {
      sums[account] = (sums[account] ?? 0) + Number(debit) - Number(credit);
    }
    return sums;
  };
  const booked = async () => bySum(booksRows((await booksFile(api, '/bookkeeping/2026-11?open=true')).bytes));
  const accountOf = (role: string) => ACCOUNTS[role] ?? '';

  it('have what was paid, discounted, added and taken back, to the krona', async () => {
    await setAccounts(api);
    const { bankId } = await claimed();
    server.pay(bankId, { discount: 400, interest: 40, notice: 120, kept: 100 });
    await runFor(3);
    expect(await booked()).toMatchObject({
      [accountOf('receivables')]: 0,
      [accountOf('received')]: 12_060,
      [accountOf('claim-discount')]: 400,
      [accountOf('claim-extra')]: -160,
      [accountOf('provider-fees')]: 100,
    });
    server.reverse(bankId, '2026-11-24');
    await runFor(13);
    expect(await booked()).toMatchObject({ [accountOf('receivables')]: 12_400, [accountOf('received')]: 0 });
  });

  it('have the rest alone from another payment, after a part was paid of the claim', async () => {
    await setAccounts(api);
    const { invoiceId, bankId } = await claimed();
    server.pay(bankId, { principal: 5000 });
    await runFor(3);
    const body = { status: 'paid', paidWith: 'transfer' };
    expect((await api.call('PUT', `/invoice/${invoiceId}`, { body })).status).toBe(303);
    expect(await booked()).toMatchObject({
      [accountOf('receivables')]: 0,
      [accountOf('received')]: 12_400,
    });
  });

  it('close a day with the classes of claims, each with its rows', async () => {
    const { id, bankId } = await claimed();
    server.pay(bankId, { interest: 40, notice: 120 });
    server.reverse(bankId);
    await runFor(3);
    // A collected invoice is of several sites where it is not of one.
    const { siteId } = await claim(id);
    const { body } = await api.call('POST', '/day-closes', { body: { siteId, day: '2026-11-23' } });
    const found = (body['differences'] as Json[]).filter(({ kind }) => String(kind).startsWith('claim-'));
    expect(found.map(({ kind, amount, rows }) => [kind, amount, (rows as Json[])[0]?.['id']])).toEqual([
      ['claim-extra', 160, `${id} 0`],
      ['claim-reversed', -12_560, `${id} 1`],
    ]);
  });
});

describe('the statement of the bank', () => {
  const MATCHED = ['claim-extra', 'claim-reversed', 'bank-unknown', 'payout-differs', 'late'];

  /** Two claims that were paid on the 25th, one of them short; that one was taken back on the 26th. */
  async function paidClaims(): Promise<string | null> {
    const first = await claimed();
    customer = await addCustomer(api, { billingMethod: 'daily' }, { name: 'Flatey ehf.', ssn: '4902697399' });
    const invoiceId = await billed(5000);
    await claimFor(invoiceId);
    await run();
    const [, second = ''] = [...server.claims.keys()];
    server.pay(first.bankId, { principal: 12_000, bookedOn: '2026-11-25' });
    server.pay(second, { bookedOn: '2026-11-25' });
    server.reverse(first.bankId, '2026-11-26');
    await runFor(24);
    const { siteId } = await claim(first.id);
    return siteId === null ? null : String(siteId);
  }

  async function importStatement(siteId: string | null, rows: readonly string[]): Promise<void> {
    const body = { kind: 'bank', name: 'Banki', siteId, reference: 'B-1', mapping: PLAIN_BANK_MAPPING };
    const account = (await api.made('/money-accounts', body)).id;
    const imported = await api.app.request(`/bank-statements?name=a.csv&account=${account}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.operator}` },
      body: ['date,amount,reference,text', ...rows, ''].join('\n'),
    });
    expect(imported.status).toBe(200);
  }

  /** What the closes of a day find about claims and the bank, at the site and for several sites. */
  async function found(day: string): Promise<unknown[]> {
    const kinds: unknown[] = [];
    for (const siteId of [api.site.id, null]) {
      const { body } = await api.call('POST', '/day-closes', { body: { siteId, day } });
      const all = [...(body['differences'] as Json[]), ...(body['expected'] as Json[])];
      kinds.push(...all.map(({ kind, amount }) => [kind, amount]));
    }
    return kinds.filter((one) => MATCHED.includes(String((one as unknown[])[0])));
  }

  it.each(['its site', 'several sites'])(
    'of an account of %s has what claims were paid: two in one, short, and taken back',
    async (whose) => {
      const siteId = await paidClaims();
      await importStatement(whose === 'its site' ? siteId : null, [
        '2026-11-25,17000,B-1,Kröfur 013366000001 0133-66-000002',
        '2026-11-26,-12000,013366000001,Bakfært',
        '2026-11-26,777,B-2,Gjöf',
      ]);
      expect(await found('2026-11-25')).toEqual([]);
      expect(await found('2026-11-26')).toEqual([
        ['claim-reversed', -12_000],
        ['bank-unknown', 777],
      ]);
    },
  );

  it('that lacks one of two equal payments of a claim has it late, though the other is there', async () => {
    const { bankId, id } = await claimed();
    const { siteId } = await claim(id);
    // The same day by day: paid, taken back, and paid again.
    server.pay(bankId, { bookedOn: '2026-11-23' });
    server.reverse(bankId, '2026-11-24');
    server.pay(bankId, { bookedOn: '2026-11-24' });
    await runFor(30);
    await importStatement(siteId === null ? null : String(siteId), [
      '2026-11-24,12400,013366000001,Krafa',
      '2026-11-24,-12400,013366000001,Bakfært',
    ]);
    const all = [...(await found('2026-11-23')), ...(await found('2026-11-24'))];
    expect(all).toEqual([
      ['claim-reversed', -12_400],
      ['late', -12_400],
    ]);
  });
});

describe('a contested invoice', () => {
  it('adds nothing to its claim until it is answered, and the time begins again then', async () => {
    const { id, invoiceId } = await claimed();
    const before = server.only;
    expect(before).toMatchObject({ defaultCharge: {}, defaultInterest: { referenceDate: 'DueDate' } });
    await api.call('POST', `/invoice/${invoiceId}/dispute`, { body: { text: 'not ours' } });
    await runFor(5);
    expect(server.only).toMatchObject({ amount: 12_400, status: 'Unpaid' });
    expect(server.only.defaultCharge ?? null).toBeNull();
    expect(server.only.defaultInterest ?? null).toBeNull();
    expect(await claim(id)).toMatchObject({
      isContested: true,
      order: null,
      terms: { interest: false, defaultCharge: null },
    });
    const changes = () => server.calls.filter((call) => call === 'change').length;
    api.wait(20 * 24 * HOUR_MS);
    await runFor(5);
    expect(changes()).toBe(1);
    const { data } = (await api.call('GET', `/disputes?invoiceId=${invoiceId}`)).body;
    const answeredOn = Date.parse(api.now().slice(0, 10));
    const answer = { outcome: 'rejected', answer: 'It was your car.' };
    const disputeId = (data as Json[])[0]?.['id'];
    expect((await api.call('POST', `/dispute/${disputeId}/answer`, { body: answer })).status).toBe(303);
    await runFor(5);
    expect(server.only).toMatchObject({
      defaultCharge: { referenceDate: 'FinalDueDate' },
      defaultInterest: { referenceDate: 'FinalDueDate' },
    });
    const after = await claim(id);
    expect(after).toMatchObject({
      isContested: false,
      terms: { interest: true, defaultCharge: { days: 10, amount: 950 } },
    });
    expect((after['terms'] as Json)['finalDueOn']).toBe(
      new Date(answeredOn + 24 * HOUR_MS).toISOString().slice(0, 10),
    );
  });
});

describe('a stranger', () => {
  it('of another site sees and moves nothing', async () => {
    const { id, invoiceId } = await claimed();
    const other = await api.addSite('Other');
    const token = await api.account('operator', { permissions: ['money'], siteIds: [other.id] });
    const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: Json) =>
      api.call(method, path, { token, ...(body && { body }) });
    expect((await call('GET', '/claims')).body).toMatchObject({ data: [] });
    for (const [method, path, body] of [
      ['GET', `/claim/${id}`],
      ['PUT', `/claim/${id}`, { finalDueOn: '2026-12-31' }],
      ['POST', `/claim/${id}/cancel`, CANCEL],
      ['POST', `/claim/${id}/follow`],
      ['GET', '/banks'],
      ['PUT', '/bank/bank', AGREEMENT],
      ['POST', '/claims', { invoiceId }],
    ] as const) {
      expect((await call(method, path, body)).status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    }
    expect(await claim(id)).toMatchObject({ state: 'unpaid', order: null });
  });
});
