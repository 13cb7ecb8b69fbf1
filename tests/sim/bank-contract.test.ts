import type { Bank, ClaimTerms, NewClaim } from '@hlid/cloud/platform/banks/bank';
import { IobwsBank } from '@hlid/cloud/platform/banks/iobws-bank';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHARGE_FAULTS, providerFault } from './gateway-rigs.ts';
import { IobwsBankServer } from './iobws-bank.ts';

const KEY = { claimantId: '5501012020', account: '013366000001', dueOn: '2026-12-01' };
const ID = '5501012020013366000001+20261201';
const TERMS: ClaimTerms = {
  amountMinor: 12_400,
  currency: 'ISK',
  finalDueOn: '2026-12-15',
  discount: { days: 0, amountMinor: 400 },
  defaultCharge: { days: 10, amountMinor: 950 },
  hasInterest: true,
  takesPartPayments: true,
};
const CLAIM: NewClaim = {
  ...TERMS,
  key: KEY,
  payorId: '5305750209',
  templateCode: 'HLI',
  reference: '0b9f6c7e4a514b53',
  billNumber: '17',
  text: 'Reikningur 17 ABX12',
};

let server: IobwsBankServer;
let bank: Bank;
beforeEach(async () => {
  server = new IobwsBankServer();
  await server.start();
  bank = adapterOf();
});
afterEach(async () => {
  await server.stop();
  expect(server.complaints).toEqual([]);
});

const adapterOf = (options: { token?: string } = {}) =>
  new IobwsBank({ kind: 'iobws', url: server.origin, token: server.token, timeoutMs: 400, ...options });

describe('a claim', () => {
  it('is made as the description has it, and found by its id', async () => {
    expect(await bank.create(CLAIM)).toEqual({ kind: 'done' });
    expect(server.claims.get(ID)).toMatchObject({
      amount: 12_400,
      finalDueDate: '2026-12-15',
      discount: { referenceDate: 'DueDate', first: { chargeType: 'Amount', day: 0, value: 400 } },
      defaultCharge: { referenceDate: 'FinalDueDate', first: { day: 10, value: 950 } },
      defaultInterest: { referenceDate: 'DueDate' },
      isPartialPaymentAllowed: true,
    });
    expect(await bank.find(KEY)).toEqual({
      kind: 'found',
      claim: {
        key: KEY,
        payorId: '5305750209',
        reference: '0b9f6c7e4a514b53',
        status: 'unpaid',
        collection: 'primary',
        amountMinor: 12_400,
        currency: 'ISK',
        finalDueOn: '2026-12-15',
        isPartlyPaid: false,
        dueMinor: 12_400,
      },
    });
  });

  it('is one, however often it is made', async () => {
    await bank.create(CLAIM);
    expect(await bank.create(CLAIM)).toMatchObject({ kind: 'refused', reason: 'exists' });
    expect(server.claims.size).toBe(1);
  });

  it('that was never made never came, and cannot be changed', async () => {
    expect(await bank.find(KEY)).toEqual({ kind: 'never-came' });
    expect(await bank.change(KEY, TERMS)).toMatchObject({ kind: 'refused', reason: 'not-found' });
    expect(await bank.payments(KEY, 'ISK')).toMatchObject({ kind: 'unavailable' });
  });

  it('gets other terms: what is left out is taken away', async () => {
    await bank.create(CLAIM);
    const terms = { ...TERMS, amountMinor: 9000, discount: null, hasInterest: false };
    expect(await bank.change(KEY, terms)).toEqual({ kind: 'done' });
    expect(server.only).toMatchObject({ amount: 9000, finalDueDate: '2026-12-15' });
    expect(server.only).not.toHaveProperty('discount');
    expect(server.only).not.toHaveProperty('defaultInterest');
  });

  it('has its amount in the main unit of its currency', async () => {
    await bank.create({ ...CLAIM, currency: 'EUR', amountMinor: 1250, discount: null, defaultCharge: null });
    expect(server.only.amount).toBe(12.5);
    expect(await bank.find(KEY)).toMatchObject({ claim: { amountMinor: 1250 } });
  });

  it('is cancelled once, and then not changed', async () => {
    await bank.create(CLAIM);
    expect(await bank.cancel(KEY)).toEqual({ kind: 'done' });
    expect(await bank.cancel(KEY)).toMatchObject({ kind: 'refused', reason: 'cancelled' });
    expect(await bank.find(KEY)).toMatchObject({ claim: { status: 'cancelled' } });
  });

  it('is refused with the words of the bank', async () => {
    const outcome = await bank.create({ ...CLAIM, finalDueOn: '2026-11-01' });
    expect(outcome).toEqual({ kind: 'refused', reason: 'other', detail: 'finalDueDate' });
  });
});

describe('money of a claim', () => {
  it('is principal less discount, with interest and costs, and reaches us less what the bank keeps', async () => {
    await bank.create(CLAIM);
    server.pay(ID, { principal: 5000, interest: 30, notice: 120, defaultCharge: 950, kept: 120 });
    server.pay(ID, { discount: 400, bookedOn: '2026-11-24' });
    const paid = await bank.payments(KEY, 'ISK');
    expect(paid).toMatchObject({
      kind: 'found',
      payments: [
        {
          kind: 'payment',
          bookedOn: '2026-11-23',
          principalMinor: 5000,
          interestMinor: 30,
          costsMinor: 1070,
          discountMinor: 0,
          depositedMinor: 5980,
        },
        { principalMinor: 7400, discountMinor: 400, depositedMinor: 7000, bookedOn: '2026-11-24' },
      ],
    });
    expect(await bank.find(KEY)).toMatchObject({ claim: { status: 'paid' } });
    expect(await bank.cancel(KEY)).toMatchObject({ kind: 'refused', reason: 'paid' });
  });

  it('is taken back', async () => {
    await bank.create(CLAIM);
    server.pay(ID);
    server.reverse(ID);
    const paid = await bank.payments(KEY, 'ISK');
    expect(paid).toMatchObject({
      payments: [
        { kind: 'payment', principalMinor: 12_400 },
        { kind: 'reversal', principalMinor: 12_400 },
      ],
    });
    expect(await bank.find(KEY)).toMatchObject({ claim: { status: 'unpaid' } });
  });

  it('is read over all pages', async () => {
    await bank.create(CLAIM);
    for (let n = 0; n < 130; n++) server.pay(ID, { principal: 10 });
    const paid = await bank.payments(KEY, 'ISK');
    expect(paid.kind === 'found' && paid.payments.length).toBe(130);
  });

  it('that cannot be read is not guessed', async () => {
    await bank.create(CLAIM);
    server.pay(ID, { principal: 10.5 });
    expect(await bank.payments(KEY, 'ISK')).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a call that fails', () => {
  it.each(CHARGE_FAULTS)('$fault: the claim may be there, and its id finds out', async (one) => {
    server.fail(['create'], providerFault(one.fault));
    expect(await bank.create(CLAIM)).toMatchObject({ kind: 'unknown' });
    expect(await bank.find(KEY)).toMatchObject({ kind: one.books ? 'found' : 'never-came' });
    expect(server.calls).toEqual(['create', 'find']);
  });

  it('and answers twice is one answer', async () => {
    server.fail(['create'], { kind: 'twice' });
    expect(await bank.create(CLAIM)).toEqual({ kind: 'done' });
    expect(server.claims.size).toBe(1);
  });

  it('answers about another claim: nothing is known', async () => {
    const claimKey = { claimantId: '1111111119', account: KEY.account, dueDate: KEY.dueOn };
    server.fail(['create'], { kind: 'says', body: { success: { claimKey } } });
    expect(await bank.create(CLAIM)).toMatchObject({ kind: 'unknown' });
    server.fail(['find'], { kind: 'says', body: { claimKey } });
    expect(await bank.find(KEY)).toMatchObject({ kind: 'unavailable' });
  });

  it.each([408, 409, 500, 503])('with %s leaves it unknown', async (status) => {
    server.fail(['create'], { kind: 'status', acts: true, status });
    expect(await bank.create(CLAIM)).toMatchObject({ kind: 'unknown' });
  });

  it('with 404 by another server does not say that it never came', async () => {
    server.fail(['find'], { kind: 'status', acts: false, status: 404, body: { error: 'nothing here' } });
    expect(await bank.find(KEY)).toMatchObject({ kind: 'unavailable' });
  });

  it('was not looked at, with a wrong token, too many calls, or no bank there', async () => {
    expect(await adapterOf({ token: 'wrong' }).create(CLAIM)).toMatchObject({ kind: 'unavailable' });
    server.fail(['create'], { kind: 'status', acts: false, status: 429 });
    expect(await bank.create(CLAIM)).toMatchObject({ kind: 'unavailable' });
    await server.stop();
    expect(await bank.create(CLAIM)).toMatchObject({ kind: 'unavailable' });
    expect(await bank.find(KEY)).toMatchObject({ kind: 'unavailable' });
    expect(server.claims.size).toBe(0);
  });
});
