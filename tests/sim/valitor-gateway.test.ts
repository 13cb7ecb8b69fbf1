import { inspect } from 'node:util';
import type { GatewayOrder } from '@hlid/cloud/platform/card-gateways/gateway';
import { meaningOf } from '@hlid/cloud/platform/card-gateways/valitor-pay/response-codes';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { VALITOR_CARDS } from './valitor-gateway-books.ts';
import { cardSource, startValitorRig, type ValitorRig } from './valitor-gateway-rig.ts';

const RETURN_URL = 'https://parking.example/payments/return/c2lnbmVk';
const BROWSER = {
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  acceptHeader: 'text/html',
  language: 'is',
  screenWidth: 390,
  screenHeight: 844,
  colorDepth: 24,
  timeZoneOffset: 0,
};
const CARD = VALITOR_CARDS.frictionless;
/** The codes that are worth another try at once. */
const BUSY = ['19', '91', '92', 'AV', '96', 'AW'];

let rig: ValitorRig | undefined;
afterEach(() => rig?.close());

const newOrder = (change: Partial<GatewayOrder> = {}): GatewayOrder => ({
  id: crypto.randomUUID(),
  amountMinor: 1500,
  currency: 'ISK',
  language: 'is',
  email: null,
  createdAt: utcTime(Date.now()),
  ...change,
});

async function start(...options: Parameters<typeof startValitorRig>): Promise<ValitorRig> {
  await rig?.close();
  rig = await startValitorRig(...options);
  return rig;
}

/** The form that the bank posts, and the state that it belongs to. */
async function bankForm({ gateway, answerForm }: ValitorRig, order: GatewayOrder, number: string) {
  const start = { source: cardSource(number), returnUrl: RETURN_URL, browser: BROWSER, storeCard: false };
  const begun = await gateway.begin(order, start);
  if (begun.kind !== 'challenge') throw new Error(inspect(begun));
  return {
    challenge: begun.challenge,
    state: begun.state,
    fields: await answerForm(begun.challenge, 'accept'),
  };
}

async function proof(at: ValitorRig, order: GatewayOrder, number: string) {
  const step = await at.gateway.readReturn(order, await bankForm(at, order, number));
  if (step.kind !== 'authenticated') throw new Error(inspect(step));
  return step.state;
}

async function pay(at: ValitorRig, order = newOrder(), number: string = CARD, storeCard = false) {
  const state = await proof(at, order, number);
  const step = { state, source: cardSource(number), storeCard, initiator: 'driver' } as const;
  return { order, state, step, outcome: await at.gateway.charge(order, step) };
}

const findOut = ({ gateway }: ValitorRig, order: GatewayOrder, sentBefore = order.createdAt) =>
  gateway.findOut(order, { refundId: crypto.randomUUID(), sentBefore });

describe('on the wire', () => {
  it('sends what the documents name, and amounts in hundredths', async () => {
    const at = await start();
    const { gateway, simulator } = at;
    const { order, outcome } = await pay(at, newOrder(), CARD, true);
    if (outcome.kind !== 'approved') throw new Error(inspect(outcome));
    await gateway.refund(order, outcome.transaction, { id: crypto.randomUUID(), amountMinor: 500 });
    const [verification, sale, token, refund] = simulator.requests.map(({ body }) => body);
    expect(verification).toMatchObject({
      cardNumber: CARD,
      amount: 150_000,
      currency: 'ISK',
      cardholderDeviceType: 'WWW',
      authenticationUrl: RETURN_URL,
      MD: Buffer.from(order.id).toString('base64'),
      systemCalling: expect.stringMatching(/^Hlid \d/),
      browserData: { ip: BROWSER.ip },
    });
    expect(sale).toMatchObject({
      operation: 'Sale',
      transactionType: 'ECommerce',
      amount: 150_000,
      correlationId: order.id,
      additionalData: { merchantReferenceData: order.id.replaceAll('-', '') },
      cardVerificationData: { mdStatus: '1' },
      firstTransactionData: { initiationReason: 'CredentialOnFile' },
    });
    expect(token).toMatchObject({ subsequentTransactionType: 'MerchantInitiatedCredentialOnFile' });
    expect(refund).toMatchObject({
      operation: 'Refund',
      amount: 50_000,
      maskedCardNumber: '222300******6699',
    });
  });

  it('names agreement and terminal for a payment facilitator, and cents as they are', async () => {
    const at = await start({ agreementNumber: '123456', terminalId: '7654' });
    const { outcome } = await pay(at, newOrder({ currency: 'EUR', amountMinor: 1050 }));
    expect(outcome).toMatchObject({ kind: 'approved', transaction: { amountMinor: 1050, currency: 'EUR' } });
    expect(at.simulator.books.taken()).toBe(1050);
    expect(await at.gateway.diagnose()).toMatchObject({ problem: null });
    expect(at.complaints()).toEqual([]);
  });

  it('gives the browser the form as it came, and no script from elsewhere', async () => {
    const at = await start();
    const { challenge } = await bankForm(at, newOrder(), CARD);
    if (challenge.kind !== 'form') throw new Error('no form');
    const names = challenge.form.fields.map(({ name }) => name);
    expect(names).toEqual(['_charset_', 'creq', 'MD', 'TermUrl']);
    for (const script of challenge.form.scripts) {
      expect(at.gateway.pageSources.script).toContain(new URL(script).origin);
    }
  });
});

describe('response codes', () => {
  const documented = [
    ...'01 02 03 04 05 06 07 12 13 14 15 25 30 39 41 43 46 51 52 53 54 55 57 58 59 61 62 63 64 65 93'.split(
      ' ',
    ),
    ...'A0 A1 A5 A6 A8 A9 AC AD AE AF AJ AO AR AZ M0 M1 M5 M9 MB N7 N8 P1 Q4 R0 R1 R3 T5 T8 TA TB 1A'.split(
      ' ',
    ),
  ];

  it('moves no money by a code that declines, and reports what the table says', async () => {
    const at = await start();
    for (const code of [...documented, 'ZZ']) {
      at.simulator.faults.codes = [{ code, books: false }];
      const { outcome } = await pay(at);
      const meaning = meaningOf(code);
      expect(outcome, code).toEqual({ ...meaning, code });
    }
    expect(at.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it.each(BUSY)('repeats a charge that met %s with the same correlation id', async (code) => {
    const at = await start();
    at.simulator.faults.codes = [{ code, books: false }];
    const { order, outcome } = await pay(at);
    expect(outcome).toMatchObject({ kind: 'approved' });
    const sales = at.simulator.requests.filter(({ path }) => path === '/payment/cardpayment');
    expect(sales.map(({ body }) => 'correlationId' in body && body.correlationId)).toEqual([
      order.id,
      order.id,
    ]);
    expect(at.books()).toEqual({ takenMinor: 1500, charges: 1 });
  });

  it.each(BUSY)('gives up after three charges that met %s', async (code) => {
    const at = await start();
    at.simulator.faults.codes = Array.from({ length: 9 }, () => ({ code, books: false }));
    const { order, outcome } = await pay(at);
    expect(outcome).toMatchObject({ kind: ['96', 'AW'].includes(code) ? 'unknown' : 'unavailable' });
    expect(at.simulator.faults.codes).toHaveLength(6);
    expect(await findOut(at, order)).toEqual({ kind: 'not-booked' });
  });

  it('does not forget a try that may have been booked when the next ones only meet a busy provider', async () => {
    const at = await start();
    const busy = { code: '91', books: false };
    at.simulator.faults.codes = [{ code: 'AW', books: true }, busy, busy];
    const { order, outcome } = await pay(at);
    expect(outcome).toMatchObject({ kind: 'unknown', problem: expect.stringContaining('AW') });
    expect(await findOut(at, order)).toEqual({ kind: 'reversed' });
    expect(at.books()).toEqual({ takenMinor: 0, charges: 1 });
  });

  it('looks a duplicate up, and never charges again', async () => {
    const at = await start();
    // The bank's answer came too late for the first try, and it was booked.
    at.simulator.faults.codes = [{ code: 'AW', books: true }];
    const { order, outcome } = await pay(at);
    expect(outcome).toMatchObject({ kind: 'unknown', problem: expect.stringContaining('T3') });
    expect(at.books()).toEqual({ takenMinor: 1500, charges: 1 });
    expect(await findOut(at, order)).toEqual({ kind: 'reversed' });
    expect(at.books()).toEqual({ takenMinor: 0, charges: 1 });
  });

  it.each([
    { code: '00', isSuccess: false },
    { code: '51', isSuccess: true },
    { code: '10', isSuccess: true },
    { code: 'X1', isSuccess: true },
  ])(
    'trusts no answer that contradicts itself or approves something else (%j)',
    async ({ code, isSuccess }) => {
      const at = await start();
      at.simulator.faults.codes = [{ code, isSuccess, books: true }];
      const { order, outcome } = await pay(at);
      expect(outcome).toMatchObject({ kind: 'unknown' });
      expect(await findOut(at, order)).toEqual({ kind: 'reversed' });
      expect(at.books()).toEqual({ takenMinor: 0, charges: 1 });
    },
  );

  it.each([
    { correlationID: crypto.randomUUID() },
    { maskedCardNumber: '411111******1111' },
    { maskedCardNumber: null },
    { transactionID: null },
    { authorizedAmount: 150 },
    { isSuccess: 'yes' },
    { isSuccess: false },
  ])('trusts no approval with %j', async (lie) => {
    const at = await start();
    at.simulator.faults.lie = lie;
    const { order, outcome } = await pay(at);
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(await findOut(at, order)).toEqual({ kind: 'reversed' });
  });
});

describe('3-D Secure', () => {
  it.each([
    ['attempted', false, 'authenticated'],
    ['notEnrolled', false, 'declined'],
    ['notEnrolled', true, 'declined'],
    ['fromAbroad', false, 'declined'],
    ['fromAbroad', true, 'authenticated'],
  ] as const)(
    'reads the return for a card that is %s (accepted: %s)',
    async (card, acceptNotEnrolled, kind) => {
      const at = await start({ acceptNotEnrolled });
      const order = newOrder();
      const number = VALITOR_CARDS[card];
      const step = await at.gateway.readReturn(order, await bankForm(at, order, number));
      expect(step.kind).toBe(kind);
      if (step.kind !== 'authenticated') return;
      const charge = {
        state: step.state,
        source: cardSource(number),
        storeCard: false,
        initiator: 'driver',
      } as const;
      expect(await at.gateway.charge(order, charge)).toMatchObject({ kind: 'approved' });
    },
  );

  it('believes no browser that a card takes no part, where the provider has not let it off', async () => {
    const at = await start({ acceptNotEnrolled: true });
    const order = newOrder();
    const { state, fields } = await bankForm(at, order, VALITOR_CARDS.challenged);
    const forged = { ...fields, mdStatus: '2', cavv: '', xid: '', 'TDS2.dsTransID': '' };
    expect(await at.gateway.readReturn(order, { state, fields: forged })).toMatchObject({
      kind: 'declined',
      reason: 'not-authenticated',
    });
    const source = cardSource(VALITOR_CARDS.challenged);
    const charge = { state: { mdStatus: '2' }, source, storeCard: false, initiator: 'driver' } as const;
    expect(await at.gateway.charge(order, charge)).toMatchObject({ reason: 'not-authenticated' });
    expect(at.books().charges).toBe(0);
  });

  it('charges nothing by a forged proof, or by one that was used, or for another amount', async () => {
    const at = await start();
    const { step } = await pay(at);
    expect(at.books().charges).toBe(1);
    expect(await at.gateway.charge(newOrder(), step)).toMatchObject({ kind: 'authenticate-again' });
    const order = newOrder();
    const state = await proof(at, order, CARD);
    const cavv = Buffer.alloc(20, 7).toString('base64');
    for (const [changed, forged] of [
      [order, { ...state, cavv }],
      [{ ...order, amountMinor: 100 }, state],
      [{ ...order, currency: 'EUR' }, state],
    ] as const) {
      const outcome = await at.gateway.charge(changed, { ...step, state: forged });
      expect(outcome).toMatchObject({ kind: 'authenticate-again' });
    }
    expect(at.books().charges).toBe(1);
  });

  it('sends nothing to charge a card without a proof', async () => {
    const at = await start();
    const { step } = await pay(at);
    const before = at.simulator.requests.length;
    for (const state of [{}, { ...step.state, cavv: null }, { ...step.state, mdStatus: '5' }]) {
      const outcome = await at.gateway.charge(newOrder(), { ...step, state });
      expect(outcome).toMatchObject({ kind: 'declined', reason: 'not-authenticated' });
    }
    expect(at.simulator.requests.length).toBe(before);
  });

  it('takes no form of another order', async () => {
    const at = await start();
    const form = await bankForm(at, newOrder(), CARD);
    expect(await at.gateway.readReturn(newOrder(), form)).toMatchObject({ kind: 'declined', code: 'MD' });
  });
});

describe('an unknown outcome', () => {
  it('is not called "not booked" while the payment may still arrive', async () => {
    let now = Date.now();
    const at = await start({ timeoutMs: 300, lateMs: 60_000 }, { now: () => new Date(now) });
    at.simulator.fail(['sale'], { kind: 'held' });
    const order = newOrder();
    const state = await proof(at, order, CARD);
    const step = { state, source: cardSource(CARD), storeCard: false, initiator: 'driver' } as const;
    now += 3_600_000;
    expect(await at.gateway.charge(order, step)).toMatchObject({ kind: 'unknown' });
    const sentBefore = utcTime(now);
    now += 59_999;
    expect(await findOut(at, order, sentBefore)).toMatchObject({ kind: 'unavailable' });
    at.simulator.release();
    await waitFor(() => at.books().charges === 1, { what: 'the late booking' });
    expect(await findOut(at, order, sentBefore)).toEqual({ kind: 'reversed' });
    expect(at.books().takenMinor).toBe(0);
    const abandoned = newOrder();
    expect(await findOut(at, abandoned, sentBefore)).toMatchObject({ kind: 'unavailable' });
    now += 1;
    expect(await findOut(at, abandoned, sentBefore)).toEqual({ kind: 'not-booked' });
  });

  it('is found out though midnight has passed since the order', async () => {
    let now = Date.parse('2026-11-22T23:59:30.000Z');
    const at = await start({}, { now: () => new Date(now) });
    const order = newOrder({ createdAt: utcTime(now) });
    now += 60_000;
    at.failNextCharge('reset-after-booking');
    expect((await pay(at, order)).outcome).toMatchObject({ kind: 'unknown' });
    expect(await findOut(at, order)).toEqual({ kind: 'reversed' });
    expect(at.books()).toEqual({ takenMinor: 0, charges: 1 });
    const { order: next, outcome } = await pay(at, newOrder({ createdAt: utcTime(now - 60_000) }));
    if (outcome.kind !== 'approved') throw new Error(inspect(outcome));
    const refund = { id: crypto.randomUUID(), amountMinor: 1500 };
    expect(await at.gateway.refund(next, outcome.transaction, refund)).toEqual({ kind: 'refunded' });
  });

  it('is for a person where a part was refunded by hand', async () => {
    const at = await start();
    at.failNextCharge('reset-after-booking');
    const { order } = await pay(at);
    at.simulator.books.payments[0]?.refunds.set(crypto.randomUUID(), 50_000);
    expect(await findOut(at, order)).toMatchObject({
      kind: 'needs-person',
      problem: expect.stringContaining('T2'),
    });
  });
});

it('asks for no refund of more than was paid', async () => {
  const at = await start();
  const { order, outcome } = await pay(at);
  if (outcome.kind !== 'approved') throw new Error(inspect(outcome));
  const before = at.simulator.requests.length;
  const tooMuch = { id: crypto.randomUUID(), amountMinor: 1501 };
  const refused = { kind: 'not-possible', code: 'amount' };
  expect(await at.gateway.refund(order, outcome.transaction, tooMuch)).toEqual(refused);
  expect(at.simulator.requests.length).toBe(before);
});

describe('a provider that is not well', () => {
  it.each([401, 403, 404, 429])('is unavailable with HTTP %d, and moves nothing', async (status) => {
    const at = await start();
    const order = newOrder();
    const state = await proof(at, order, CARD);
    at.simulator.faults.status = status;
    const step = { state, source: cardSource(CARD), storeCard: false, initiator: 'driver' } as const;
    expect(await at.gateway.charge(order, step)).toMatchObject({ kind: 'unavailable' });
    expect((await at.gateway.diagnose()).problem).toContain(String(status));
  });

  it.each([302, 307, 408, 500, 503])('leaves the outcome unknown with HTTP %d', async (status) => {
    const at = await start();
    const order = newOrder();
    const state = await proof(at, order, CARD);
    at.simulator.faults.status = status;
    const step = { state, source: cardSource(CARD), storeCard: false, initiator: 'driver' } as const;
    expect(await at.gateway.charge(order, step)).toMatchObject({ kind: 'unknown' });
    expect(await findOut(at, order)).toMatchObject({ kind: 'unavailable' });
    expect(at.complaints()).toEqual([]);
    at.simulator.faults.status = null;
    expect(await findOut(at, order)).toEqual({ kind: 'not-booked' });
  });

  it('quotes nothing of a card when its own request is refused', async () => {
    const at = await start();
    const order = newOrder();
    const state = { ...(await proof(at, order, CARD)), xid: 'no base64!' };
    const step = { state, source: cardSource(CARD), storeCard: false, initiator: 'driver' } as const;
    const outcome = await at.gateway.charge(order, step);
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'merchant' });
    expect(at.complaints()).toHaveLength(1);
    expect(inspect(outcome)).toContain('cardVerificationData.xid');
    expect(inspect(outcome)).not.toContain(CARD);
  });

  it('has been paid although it stores no card', async () => {
    const at = await start({ timeoutMs: 500 });
    const order = newOrder();
    const state = await proof(at, order, CARD);
    at.simulator.faults.storesNoCards = true;
    const step = { state, source: cardSource(CARD), storeCard: true, initiator: 'driver' } as const;
    const outcome = await at.gateway.charge(order, step);
    expect(outcome).toMatchObject({ kind: 'approved' });
    expect(outcome).not.toHaveProperty('token');
  });
});

it('stores tokens for payments without the driver only', async () => {
  const at = await start();
  const { outcome } = await pay(at, newOrder(), CARD, true);
  if (outcome.kind !== 'approved' || outcome.token === undefined) throw new Error(inspect(outcome));
  const source = { kind: 'token', token: outcome.token.token } as const;
  const step = { state: {}, source, storeCard: false, initiator: 'driver' } as const;
  expect(await at.gateway.charge(newOrder(), step)).toMatchObject({ reason: 'card-unsupported' });
  const begin = { source, returnUrl: RETURN_URL, browser: BROWSER, storeCard: false };
  expect(await at.gateway.begin(newOrder(), begin)).toMatchObject({ reason: 'card-unsupported' });
  expect(outcome.token.expires).toMatch(/^20\d\d-12$/);
  expect(at.books().charges).toBe(1);
});

describe('the simulator', () => {
  const good = {
    operation: 'Sale',
    amount: 150_000,
    currency: 'ISK',
    virtualCardNumber: crypto.randomUUID(),
    systemCalling: 'Test 1.0',
    correlationId: crypto.randomUUID(),
  };
  const headers = {
    authorization: 'APIKey Test.c2ltdWxhdG9yLWtleQ==',
    'valitorpay-api-version': '2.0',
    'content-type': 'application/json',
  };

  it.each([
    ['a whole request', {}, {}, 200],
    ['an unknown field', { cvc2: '1' }, {}, 400],
    ['a missing field', { amount: undefined }, {}, 400],
    ['an amount as text', { amount: '150000' }, {}, 400],
    ['a fraction', { amount: 1500.5 }, {}, 400],
    ['a name without version', { systemCalling: 'Test' }, {}, 400],
    ['an agreement that is not of the key', { agreementNumber: '1', terminalId: '1' }, {}, 400],
    ['another version', {}, { 'valitorpay-api-version': '1.0' }, 400],
    ['another key', {}, { authorization: 'APIKey other' }, 401],
    ['a form', {}, { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('answers %s as the documents say', async (_what, body, change, status) => {
    const { simulator } = await start();
    const response = await fetch(new URL('Payment/VirtualCardPayment', simulator.origin), {
      method: 'POST',
      headers: { ...headers, ...change },
      body: JSON.stringify({ ...good, ...body }),
    });
    expect(response.status).toBe(status);
    await response.body?.cancel();
    expect(simulator.complaints).toHaveLength(status === 200 ? 0 : 1);
  });
});
