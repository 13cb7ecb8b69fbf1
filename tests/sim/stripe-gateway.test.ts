import { readFileSync } from 'node:fs';
import type { CardSource, GatewayOrder, GatewayState } from '@hlid/cloud/platform/card-gateways/gateway';
import { namedGatewaySchema } from '@hlid/cloud/platform/card-gateways/gateway-kinds';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { waitFor } from '../harness/wait.ts';
import { newId, STRIPE_ACCOUNT, STRIPE_CARDS, type StripeTestCard } from './stripe-books.ts';
import { type StripeRig, startStripeRig } from './stripe-rig.ts';

const AMOUNT = 1500;

let now: number;
let rig: StripeRig;

beforeEach(async () => {
  now = Date.now();
  rig = await startStripeRig({ clock: { now: () => new Date(now) } });
});

afterEach(async () => {
  await rig.close();
  expect(rig.complaints()).toEqual([]);
});

function newOrder(fields: Partial<GatewayOrder> = {}): GatewayOrder {
  return {
    id: crypto.randomUUID(),
    amountMinor: AMOUNT,
    currency: 'ISK',
    language: 'is',
    email: null,
    createdAt: utcTime(now),
    ...fields,
  };
}

async function authenticate(order: GatewayOrder, source: CardSource, storeCard = false) {
  const { state } = await begun(order, storeCard);
  return await rig.gateway.authenticate(order, { state, source });
}

async function begun(order: GatewayOrder, storeCard = false): Promise<{ state: GatewayState }> {
  const step = await rig.gateway.begin(order, { storeCard });
  if (step.kind !== 'tokens') throw new Error(JSON.stringify(step));
  return step;
}

async function authenticated(order: GatewayOrder, card: StripeTestCard = 'good', storeCard = false) {
  const source = rig.typed(card);
  const step = await authenticate(order, source, storeCard);
  if (step.kind !== 'authenticated') throw new Error(JSON.stringify(step));
  return { state: step.state, source };
}

async function challenged(order: GatewayOrder, card: StripeTestCard = 'challenged') {
  const source = rig.typed(card);
  const step = await authenticate(order, source);
  if (step.kind !== 'challenge' || step.challenge.kind !== 'script') throw new Error(JSON.stringify(step));
  return { state: step.state, source, challenge: step.challenge };
}

const charge = (
  order: GatewayOrder,
  paying: { state: GatewayState; source: CardSource },
  storeCard = false,
) => rig.gateway.charge(order, { ...paying, storeCard, initiator: 'driver' });
const chargeStored = (order: GatewayOrder, token: string) =>
  rig.gateway.charge(order, {
    state: {},
    source: { kind: 'token', token },
    storeCard: false,
    initiator: 'merchant',
  });

async function paid(order = newOrder(), storeCard = false) {
  const outcome = await charge(order, await authenticated(order, 'good', storeCard), storeCard);
  if (outcome.kind !== 'approved') throw new Error(JSON.stringify(outcome));
  return outcome;
}

async function storedToken(): Promise<string> {
  const { token } = await paid(newOrder(), true);
  if (!token) throw new Error('No token');
  return token.token;
}

describe('a payment', () => {
  it('is held by the bank until the charge captures it, in Stripe’s amount', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    const [held] = rig.sim.service.books.held();
    expect(held).toMatchObject({ amount: 150_000, currency: 'isk', metadata: { hlid_order: order.id } });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
    expect(await charge(order, paying)).toMatchObject({
      kind: 'approved',
      transaction: { amountMinor: AMOUNT },
    });
    expect(rig.sim.service.books.held()).toEqual([]);
  });

  it('is not held before the charge if it has a challenge', async () => {
    const order = newOrder();
    const { state, source, challenge } = await challenged(order);
    rig.sim.service.books.answerChallenge(challenge.transactionId, 'accept');
    const step = await rig.gateway.verify(order, { state, threedsToken: challenge.transactionId });
    if (step.kind !== 'authenticated') throw new Error(JSON.stringify(step));
    expect(rig.sim.service.books.held()).toEqual([]);
    expect(await charge(order, { state: step.state, source })).toMatchObject({ kind: 'approved' });
  });

  it('is declined where the money is gone after the challenge', async () => {
    const order = newOrder();
    const { state, source, challenge } = await challenged(order, 'no-funds-later');
    rig.sim.service.books.answerChallenge(challenge.transactionId, 'accept');
    const step = await rig.gateway.verify(order, { state, threedsToken: challenge.transactionId });
    if (step.kind !== 'authenticated') throw new Error(JSON.stringify(step));
    const outcome = await charge(order, { state: step.state, source });
    expect(outcome).toMatchObject({ kind: 'declined', reason: 'insufficient-funds' });
  });

  it('may be tried again where the bank did not decide', async () => {
    expect(await authenticate(newOrder(), rig.typed('busy-bank'))).toMatchObject({ kind: 'unavailable' });
  });

  it('is charged with the card that was authenticated, and with no other', async () => {
    const order = newOrder();
    const { state } = await authenticated(order);
    const outcome = await charge(order, { state, source: rig.typed('good') });
    expect(outcome).toEqual({ kind: 'authenticate-again', code: 'another-card' });
    expect(rig.books().charges).toBe(0);
  });

  it('has a state that is worth nothing for another order, amount or currency', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    for (const other of [newOrder(), { ...order, amountMinor: 15 }, { ...order, currency: 'EUR' }])
      expect(await charge(other, paying)).toMatchObject({ kind: 'authenticate-again' });
    expect(rig.books().charges).toBe(0);
  });

  it('takes no bare card, no key of another account, and no text that is no payment method', async () => {
    const source = rig.typed('good');
    for (const wrong of [
      { ...source, publicKeyAlias: 'pk_test_another' },
      { ...source, encryptedCard: '../refunds' },
    ])
      expect(await authenticate(newOrder(), wrong)).toMatchObject({ kind: 'declined', reason: 'merchant' });
    expect(rig.sim.calls).not.toContain('create-intent');
  });

  it('accepts a payment method once', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    await charge(order, paying);
    const again = await authenticate(newOrder(), paying.source);
    expect(again).toMatchObject({ kind: 'declined', reason: 'card-data' });
  });
});

describe('a challenge', () => {
  it('is no authentication until the bank has answered, whatever the browser reports', async () => {
    const order = newOrder();
    const { state, challenge } = await challenged(order);
    const verified = await rig.gateway.verify(order, { state, threedsToken: challenge.transactionId });
    expect(verified).toMatchObject({ kind: 'declined', reason: 'not-authenticated' });
  });

  it('is refused for another payment', async () => {
    const order = newOrder();
    const { state } = await challenged(order);
    const other = newOrder();
    const { challenge } = await challenged(other);
    rig.sim.service.books.answerChallenge(challenge.transactionId, 'accept');
    const forged = await rig.gateway.verify(order, { state, threedsToken: challenge.transactionId });
    expect(forged).toMatchObject({ kind: 'declined', code: 'another-intent' });
    const mixed = { ...state, intent: challenge.transactionId };
    const swapped = await rig.gateway.verify(order, { state: mixed, threedsToken: challenge.transactionId });
    expect(swapped).toMatchObject({ kind: 'declined', code: 'another-payment' });
  });

  it('reports the reason when the driver fails', async () => {
    const order = newOrder();
    const { state, challenge } = await challenged(order);
    rig.sim.service.books.answerChallenge(challenge.transactionId, 'refuse');
    const verified = await rig.gateway.verify(order, { state, threedsToken: challenge.transactionId });
    expect(verified).toEqual({
      kind: 'declined',
      reason: 'not-authenticated',
      code: 'payment_intent_authentication_failure',
    });
  });
});

describe('an unknown outcome', () => {
  it('is certain when it is found out: a charge that arrives later books nothing', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    rig.sim.fail(['capture'], { kind: 'held' });
    expect(await charge(order, paying)).toMatchObject({ kind: 'unknown' });
    expect(await rig.gateway.findOut(order, paying)).toEqual({ kind: 'not-booked' });
    rig.sim.release();
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
    expect(await rig.gateway.findOut(order, paying)).toEqual({ kind: 'not-booked' });
  });

  it('is found in the list after a process died, however long the list is', async () => {
    const token = await storedToken();
    const order = newOrder();
    expect(await chargeStored(order, token)).toMatchObject({ kind: 'approved' });
    for (let others = 0; others < 150; others++) {
      const [intent] = rig.sim.service.books.intents;
      if (intent) rig.sim.service.books.intents.push({ ...intent, id: newId('pi'), metadata: {} });
    }
    expect(await rig.gateway.findOut(order, { state: {} })).toMatchObject({ kind: 'booked' });
    expect(rig.sim.calls.filter((call) => call === 'list-intents')).toHaveLength(2);
    expect(await rig.gateway.findOut(newOrder(), { state: {} })).toEqual({ kind: 'not-booked' });
  });

  it('waits while the bank has not answered Stripe', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    const [intent] = rig.sim.service.books.held();
    if (intent) intent.status = 'processing';
    expect(await rig.gateway.findOut(order, paying)).toMatchObject({ kind: 'unavailable' });
  });

  it('is found out for a charge that Stripe refuses because it was made before', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    const [intent] = rig.sim.service.books.held();
    if (intent) Object.assign(intent, { status: 'succeeded', received: intent.amount });
    expect(await charge(order, paying)).toMatchObject({ kind: 'unknown' });
    expect(await rig.gateway.findOut(order, paying)).toMatchObject({ kind: 'booked' });
  });

  it.each([
    [409, 'unknown'],
    [429, 'unavailable'],
    [503, 'unknown'],
  ])('HTTP %i at the charge is %s', async (status, kind) => {
    const order = newOrder();
    const paying = await authenticated(order);
    rig.sim.fail(['capture'], { kind: 'status', acts: false, status });
    expect(await charge(order, paying)).toMatchObject({ kind });
  });

  it('is found out by others once the time of the charge is over: nothing more is sent', async () => {
    const order = newOrder();
    const paying = await authenticated(order);
    const over = AbortSignal.abort();
    const driver = { ...paying, storeCard: false, initiator: 'driver', signal: over } as const;
    expect(await rig.gateway.charge(order, driver)).toMatchObject({ kind: 'unavailable' });
    const source = { kind: 'token', token: await storedToken() } as const;
    const calls = rig.sim.calls.length;
    const merchant = { state: {}, source, storeCard: false, initiator: 'merchant', signal: over } as const;
    expect(await rig.gateway.charge(newOrder(), merchant)).toMatchObject({ kind: 'unavailable' });
    expect(await rig.gateway.findOut(order, { ...paying, signal: over })).toMatchObject({
      kind: 'unavailable',
    });
    const waiting = new AbortController();
    rig.sim.fail(['capture'], { kind: 'held' });
    const charging = rig.gateway.charge(order, { ...driver, signal: waiting.signal });
    await waitFor(() => rig.sim.calls.length > calls, { what: 'the charge' });
    waiting.abort();
    expect(await charging).toMatchObject({ kind: 'unknown' });
  });

  it('is for a person where Stripe does not know the payment, or names another', async () => {
    const order = newOrder();
    const { state } = await authenticated(order);
    const lost = { state: { ...state, intent: 'pi_none' } };
    expect(await rig.gateway.findOut(order, lost)).toMatchObject({ kind: 'needs-person' });
    const other = await authenticated(newOrder());
    const mixed = { state: { ...state, intent: other.state['intent'] ?? null } };
    expect(await rig.gateway.findOut(order, mixed)).toMatchObject({ kind: 'needs-person' });
  });
});

describe('what the bank holds for a driver who never came back', () => {
  const holds = () => rig.sim.service.books.held().length;

  it('is released when it cannot be charged any more, and not before', async () => {
    await authenticated(newOrder());
    now += 20 * MINUTE_MS;
    await begun(newOrder());
    await waitFor(() => rig.sim.calls.includes('search-intents'), { what: 'a search' });
    expect(holds()).toBe(1);
    now += 20 * MINUTE_MS;
    await begun(newOrder());
    await waitFor(() => holds() === 0, { what: 'its release' });
  });

  it('stays where another person holds it by the same account', async () => {
    await authenticated(newOrder());
    const [other] = rig.sim.service.books.held();
    if (other) other.metadata = { order: '1042' };
    await authenticated(newOrder());
    now += 40 * MINUTE_MS;
    await begun(newOrder());
    await waitFor(() => rig.sim.calls.includes('cancel'), { what: 'a release' });
    await waitFor(() => holds() === 1, { what: 'the other one' });
    expect(rig.sim.service.books.held()).toEqual([other]);
  });
});

describe('a refund', () => {
  it('is not made again when Stripe has forgotten its idempotency key', async () => {
    const order = newOrder();
    const { transaction } = await paid(order);
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    expect(await rig.gateway.refund(order, transaction, part)).toEqual({ kind: 'refunded' });
    rig.sim.service.forgetKeys();
    expect(await rig.gateway.refund(order, transaction, part)).toEqual({ kind: 'already-refunded' });
    expect(rig.books().takenMinor).toBe(1000);
  });

  it('counts as made if it was made by hand', async () => {
    const order = newOrder();
    const { transaction } = await paid(order);
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    const byHand = { ...whole, id: crypto.randomUUID() };
    expect(await rig.gateway.refund(order, transaction, byHand)).toEqual({ kind: 'refunded' });
    expect(await rig.gateway.refund(order, transaction, whole)).toEqual({ kind: 'already-refunded' });
    expect(rig.books().takenMinor).toBe(0);
    expect(await rig.gateway.findOut(order, { state: {} })).toEqual({ kind: 'reversed' });
  });

  it('is not possible if the bank has sent it back', async () => {
    const order = newOrder();
    const { transaction } = await paid(order);
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    await rig.gateway.refund(order, transaction, whole);
    for (const refund of rig.sim.service.books.refunds) refund.status = 'failed';
    expect(await rig.gateway.refund(order, transaction, whole)).toEqual({
      kind: 'not-possible',
      code: 'failed',
    });
  });
});

describe('a stored card', () => {
  it('is not stored without the consent to store it', async () => {
    await paid();
    expect(rig.sim.service.books.customers.size).toBe(0);
  });

  it('names card and expiry, and is charged no more when it is forgotten', async () => {
    const { token } = await paid(newOrder(), true);
    if (!token) throw new Error('No token');
    expect(token).toMatchObject({ card: { type: 'visa', lastFour: '4242' }, expires: '2030-12' });
    expect(await chargeStored(newOrder(), token.token)).toMatchObject({ kind: 'approved' });
    await rig.gateway.forget(token.token);
    await rig.gateway.forget(token.token);
    expect(rig.sim.service.books.customers.size).toBe(0);
    const charged = await chargeStored(newOrder(), token.token);
    expect(charged).toMatchObject({ kind: 'declined', reason: 'card-data' });
  });

  it('is not charged without the driver if its bank requires the driver', async () => {
    const order = newOrder();
    const paying = await authenticated(order, 'asks-off-session', true);
    const first = await charge(order, paying, true);
    const token = first.kind === 'approved' ? (first.token?.token ?? '') : '';
    const again = await chargeStored(newOrder(), token);
    expect(again).toEqual({ kind: 'authenticate-again', code: 'authentication_required' });
    expect(rig.books().charges).toBe(1);
  });

  it('is authenticated like any other where the driver pays with it', async () => {
    const source = { kind: 'token', token: await storedToken() } as const;
    const order = newOrder();
    expect(await charge(order, { state: {}, source })).toMatchObject({ kind: 'authenticate-again' });
    const step = await authenticate(order, source);
    if (step.kind !== 'authenticated') throw new Error(JSON.stringify(step));
    expect(await charge(order, { state: step.state, source })).toMatchObject({ kind: 'approved' });
  });

  it('is not charged where the answer that would name the payment is lost', async () => {
    const token = await storedToken();
    rig.sim.fail(['create-intent'], { kind: 'reset', acts: true });
    expect(await chargeStored(newOrder(), token)).toMatchObject({ kind: 'unavailable' });
    expect(rig.books().charges).toBe(1);
  });
});

describe('the configuration', () => {
  const read = (fields: object, environment = {}) => {
    const { secretKey: _key, webhookSecret: _secret, ...entry } = rig.sim.settings();
    return namedGatewaySchema(environment).safeParse({ ...entry, ...fields });
  };
  const secrets = { HLID_STRIPE_SECRET_KEY: STRIPE_ACCOUNT.secretKey };

  it('has its secrets from the environment', () => {
    expect(read({}, secrets).data).toMatchObject({
      id: 'stripe',
      config: { secretKey: STRIPE_ACCOUNT.secretKey },
    });
    expect(read({}).success).toBe(false);
    expect(read({ unknown: 1 }, secrets).success).toBe(false);
  });

  it('refuses keys of two modes, and addresses without TLS', () => {
    expect(read({ publishableKey: 'pk_live_abc' }, secrets).success).toBe(false);
    const hosts = { api: 'http://stripe.example', script: 'https://stripe.example/stripe.js' };
    expect(read({ hosts }, secrets).success).toBe(false);
  });

  it('is as the manual shows', () => {
    const manual = readFileSync(new URL('../../deploy/OPERATING.md', import.meta.url), 'utf8');
    const [, sample = ''] = /```yaml\n(cardGateways:\n {2}- kind: stripe.*?)```/s.exec(manual) ?? [];
    const { cardGateways } = z.object({ cardGateways: z.array(z.unknown()) }).parse(parse(sample));
    const live = { HLID_STRIPE_SECRET_KEY: 'rk_live_abc' };
    for (const entry of cardGateways) expect(namedGatewaySchema(live).parse(entry).id).toBe('stripe');
  });
});

it('diagnoses keys, and where wallets are offered', async () => {
  const lines = async () => (await rig.gateway.diagnose()).lines;
  expect(await lines()).toContain('wallets: no domain is registered, so none is offered');
  rig.sim.service.domains.push({
    domain_name: 'park.example.is',
    apple_pay: { status: 'active' },
    google_pay: { status: 'inactive' },
  });
  expect(await lines()).toContain('wallets at park.example.is: Apple Pay active, Google Pay inactive');
  expect(await lines()).toContain('keys for tests: no money comes');
});

it('never has a card number', async () => {
  await paid();
  expect(JSON.stringify(rig.sim.service.books.intents)).not.toContain(STRIPE_CARDS.good);
});
