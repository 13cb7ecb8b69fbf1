import type { GatewayOrder } from '@hlid/cloud/platform/card-gateways/gateway';
import { STRIPE_VERSION, StripeCalls } from '@hlid/cloud/platform/card-gateways/stripe/stripe-calls';
import { StripeGateway } from '@hlid/cloud/platform/card-gateways/stripe/stripe-gateway';
import { StripeSettingsSchema } from '@hlid/cloud/platform/card-gateways/stripe/stripe-settings';
import { systemClock } from '@hlid/node/clock';
import { utcTime } from '@hlid/protocol/base/utc-time';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitFor } from '../harness/wait.ts';
import { STRIPE_ACCOUNT, STRIPE_CARDS } from './stripe-books.ts';
import { StripeSimulator } from './stripe-gateway.ts';
import { STRIPE_MOCK_INSTALLED, startStripeMock } from './stripe-mock.ts';

const newOrder = (): GatewayOrder => ({
  id: crypto.randomUUID(),
  amountMinor: 1500,
  currency: 'ISK',
  language: 'is',
  email: null,
  createdAt: utcTime(Date.now()),
});

/** An independent judge of our simulator: Stripe's own client must get along with it. */
describe('Stripe’s own client, at our simulator', () => {
  let sim: StripeSimulator;
  let stripe: Stripe;

  beforeEach(async () => {
    sim = new StripeSimulator();
    await sim.start();
    const { hostname, port } = new URL(sim.origin);
    stripe = new Stripe(STRIPE_ACCOUNT.secretKey, {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    });
  });
  afterEach(() => sim.stop());

  const methodOf = (card: keyof typeof STRIPE_CARDS) => sim.service.books.createMethod(STRIPE_CARDS[card]).id;
  const create = (fields: Partial<Stripe.PaymentIntentCreateParams>, options?: Stripe.RequestOptions) =>
    stripe.paymentIntents.create({ amount: 150_000, currency: 'isk', ...fields }, options);

  it('pays by hold and capture, refunds, and lists what it did', async () => {
    const held = await create({
      payment_method: methodOf('good'),
      confirm: true,
      capture_method: 'manual',
      expand: ['latest_charge'],
      metadata: { order: 'a' },
    });
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 150_000 });
    const captured = await stripe.paymentIntents.capture(held.id);
    expect(captured).toMatchObject({
      status: 'succeeded',
      amount_received: 150_000,
      metadata: { order: 'a' },
    });
    const refund = await stripe.refunds.create({ payment_intent: held.id, amount: 50_000 });
    expect(refund.status).toBe('succeeded');
    const refunds = await stripe.refunds.list({ payment_intent: held.id });
    expect(refunds.data.map(({ id }) => id)).toEqual([refund.id]);
    await create({});
    const listed: string[] = [];
    for await (const { id } of stripe.paymentIntents.list({ limit: 1 })) listed.push(id);
    expect(listed).toHaveLength(2);
    expect(listed.at(-1)).toBe(held.id);
  });

  it('stores a card with a customer, charges it, and forgets both', async () => {
    const { id: customer } = await stripe.customers.create({ metadata: { order: 'a' } });
    const method = methodOf('good');
    await create({ customer, payment_method: method, confirm: true, setup_future_usage: 'off_session' });
    const again = await create({ customer, payment_method: method, confirm: true, off_session: true });
    expect(again.status).toBe('succeeded');
    expect((await stripe.customers.del(customer)).deleted).toBe(true);
    await expect(create({ customer, payment_method: method, confirm: true })).rejects.toThrow(/No such/);
  });

  it('is refused as by Stripe', async () => {
    const { errors } = Stripe;
    await expect(create({ amount: 150_050 })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'invalid_charge_amount_no_decimal_compatible',
    });
    const { id } = await create({}, { idempotencyKey: 'k' });
    expect((await create({}, { idempotencyKey: 'k' })).id).toBe(id);
    const other = create({ amount: 200 }, { idempotencyKey: 'k' });
    await expect(other).rejects.toBeInstanceOf(errors.StripeIdempotencyError);
    const declined = create({ payment_method: methodOf('no-funds'), confirm: true });
    await expect(declined).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    });
    const unknown = stripe.rawRequest('POST', '/v1/payment_intents', {
      amount: 100,
      currency: 'isk',
      bogus: 1,
    });
    await expect(unknown).rejects.toMatchObject({ code: 'parameter_unknown', param: 'bogus' });
    await expect(stripe.paymentIntents.capture(id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id },
    });
    const stranger = new Stripe('sk_test_stranger', {
      host: '127.0.0.1',
      port: new URL(sim.origin).port,
      protocol: 'http',
    });
    await expect(stranger.balance.retrieve()).rejects.toThrow();
    await expect(stranger.paymentIntents.list()).rejects.toBeInstanceOf(errors.StripeAuthenticationError);
  });

  it('has the version of the API that our requests name', () => {
    expect(Stripe.API_VERSION ?? new Stripe('sk_test_x').getApiField('version')).toBe(STRIPE_VERSION);
  });
});

describe.skipIf(!STRIPE_MOCK_INSTALLED)(
  'Stripe’s own mock (skipped: stripe-mock is not installed), as judge of our requests',
  () => {
    it('takes every request that the gateway makes', async () => {
      const mock = await startStripeMock();
      try {
        const hosts = { api: mock.url, script: `${mock.url}/stripe.js` };
        const settings = StripeSettingsSchema.parse({ kind: 'stripe', ...STRIPE_ACCOUNT, hosts });
        const gateway = new StripeGateway(settings, { clock: systemClock });
        const order = newOrder();
        const { publishableKey: publicKeyAlias } = STRIPE_ACCOUNT;
        const source = { kind: 'encrypted', encryptedCard: 'pm_1', publicKeyAlias } as const;
        const begun = await gateway.begin(order, { storeCard: true });
        if (begun.kind !== 'tokens') throw new Error(JSON.stringify(begun));
        const step = await gateway.authenticate(order, { state: begun.state, source });
        if (step.kind !== 'challenge') throw new Error(JSON.stringify(step));
        const proved = step.state;
        await gateway.verify(order, { state: proved, threedsToken: String(proved['intent']) });
        for (const way of ['proven', 'authorized'])
          await gateway.charge(order, {
            state: { ...proved, step: way },
            source,
            storeCard: true,
            initiator: 'driver',
          });
        const token = { kind: 'token', token: 'cus_1.pm_1' } as const;
        await gateway.charge(order, { state: {}, source: token, storeCard: false, initiator: 'merchant' });
        await gateway.findOut(order, { state: { ...proved, step: 'proven' } });
        await gateway.findOut(order, { state: {} });
        const transaction = {
          transactionId: 'pi_1',
          authorizationId: null,
          amountMinor: 1500,
          currency: 'ISK',
          state: {},
          card: { type: 'visa', lastFour: '4242' } as const,
        };
        await gateway.refund(order, transaction, { id: crypto.randomUUID(), amountMinor: 500 });
        await gateway.forget('cus_1.pm_1');
        await gateway.diagnose();
        const lines = () => new Set(mock.calls.map(({ line }) => line.replace(/\/(?:pi|cus)_\w+/, '/{id}')));
        const intents = '/v1/payment_intents';
        const all = [
          `GET ${intents}`,
          `GET ${intents}/search`,
          `GET ${intents}/{id}`,
          `POST ${intents}`,
          `POST ${intents}/{id}/confirm`,
          `POST ${intents}/{id}/capture`,
          'GET /v1/payment_method_domains',
          'GET /v1/refunds',
          'POST /v1/refunds',
          'POST /v1/customers',
          'DELETE /v1/customers/{id}',
        ];
        await waitFor(() => expect([...lines()]).toEqual(expect.arrayContaining(all)), {
          what: 'every call',
        });
        expect(mock.calls.filter(({ problem }) => problem !== null)).toEqual([]);
      } finally {
        await mock.stop();
      }
    });

    it('refuses the same as our simulator', async () => {
      const mock = await startStripeMock();
      const sim = new StripeSimulator();
      await sim.start();
      try {
        const wrong = [
          ['/v1/payment_intents', { amount: 100, currency: 'isk', bogus: 1 }],
          ['/v1/payment_intents', { currency: 'isk' }],
          ['/v1/payment_intents', { amount: 'much', currency: 'isk' }],
          ['/v1/payment_intents', { amount: 100, currency: 'isk', capture_method: 'never' }],
          ['/v1/payment_intents', { amount: 100, currency: 'isk', metadata: 'none' }],
          ['/v1/refunds', { payment_intent: 'pi_1', amount: 'all' }],
          ['/v1/refunds', { payment_intent: 'pi_1', reason: 'rain' }],
        ] as const;
        for (const [path, fields] of wrong) {
          for (const origin of [mock.url, sim.origin]) {
            const { secretKey } = STRIPE_ACCOUNT;
            const calls = new StripeCalls(origin, { secretKey, timeoutMs: 5000 });
            const reply = await calls.send({ method: 'POST', path, fields }, z.unknown());
            const what = `${origin === sim.origin ? 'simulator' : 'mock'}: ${JSON.stringify(fields)}`;
            expect(reply, what).toMatchObject({ kind: 'refused', status: 400 });
          }
        }
      } finally {
        await sim.stop();
        await mock.stop();
      }
    });
  },
);
