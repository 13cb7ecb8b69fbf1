import { createHmac } from 'node:crypto';
import type { Clock } from '@hlid/node/clock';
import { Fault } from '@hlid/protocol/base/fault';
import type {
  Authentication,
  Beginning,
  CardGateway,
  CardSource,
  ChargeOutcome,
  Finding,
  GatewayDiagnosis,
  GatewayEvent,
  GatewayMessage,
  GatewayOrder,
  GatewayState,
  GatewayTransaction,
  PageSources,
  RefundOutcome,
  StoredToken,
} from '../gateway.ts';
import type { Reply } from '../gateway-http.ts';
import { fromStripeAmount, scaleOf, toStripeAmount } from './stripe-amount.ts';
import {
  CustomerSchema,
  cardOf,
  DomainListSchema,
  EXPAND,
  expiryOf,
  type Intent,
  IntentListSchema,
  IntentSchema,
  RefundListSchema,
  transactionOf,
} from './stripe-answers.ts';
import { type Refused, StripeCalls } from './stripe-calls.ts';
import { StripeLedger } from './stripe-ledger.ts';
import { declined, declineOf, failedCharge, failedStep, type NotCharged } from './stripe-outcome.ts';
import {
  authenticationFields,
  CAPTURE,
  CONFIRM_PROVEN,
  CONFIRM_STORED,
  customerFields,
  ORDER_KEY,
  readCard,
  readStoredCard,
  type StripeCard,
  storedChargeFields,
  writeStoredCard,
} from './stripe-requests.ts';
import { hostsOf, modeOf, type StripeSettings } from './stripe-settings.ts';
import { boundTo, readState, type StateAtStripe } from './stripe-state.ts';
import { readStripeEvent } from './stripe-webhook.ts';

/** "Security guide", content policy: Stripe.js, its frames, and the frames in which banks authenticate. */
const PAGE_SOURCES: PageSources = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  form: [],
};

/** "Register domains for payment methods": Apple looks for it on the domain of the page. */
const APPLE_FILE = 'apple-developer-merchantid-domain-association';

/**
 * Stripe, by its API reference and the guides "Finalize payments on the server", "Place a hold on a payment
 * method", "Idempotent requests", "Decline codes" and "Supported currencies".
 *
 * The card is typed into Stripe's own field on the page (Payment Element), so neither this program nor the
 * page ever has its number. `encryptedCard` is the id of a PaymentMethod, and `publicKeyAlias` the
 * publishable key. How one payment maps to one PaymentIntent:
 *
 * - `authenticate` creates it, confirmed, with `confirmation_method` and `capture_method` both manual. If the
 *   bank requires a challenge, it waits for that and for another confirmation. Otherwise the bank holds the
 *   amount.
 * - `charge` is that other confirmation, or the capture. Only this takes money.
 * - A charge without the driver creates the intent first and confirms it in a second call, so that it can be
 *   found.
 * - An unknown outcome is looked up, and the intent is cancelled where it is not paid (`StripeLedger`).
 */
export class StripeGateway implements CardGateway {
  readonly kind = 'stripe';
  readonly cardInput = 'encrypted';
  readonly storesCards = true;
  readonly pageSources: PageSources;
  readonly domainFiles: Readonly<Record<string, string>>;
  readonly #settings: StripeSettings;
  readonly #tokens: Readonly<Record<string, string>>;
  readonly #clock: Clock;
  readonly #calls: StripeCalls;
  readonly #ledger: StripeLedger;

  constructor(settings: StripeSettings, { clock }: { clock: Clock }) {
    const { api, script } = hostsOf(settings);
    this.#settings = settings;
    this.#tokens = { publishableKey: settings.publishableKey, script };
    this.#calls = new StripeCalls(api, settings);
    this.#clock = clock;
    this.#ledger = new StripeLedger(this.#calls, clock);
    const { appleDomainAssociation: file } = settings;
    this.domainFiles = file === undefined ? {} : { [APPLE_FILE]: file };
    const own = [new URL(script).origin];
    this.pageSources = settings.hosts ? { script: own, connect: own, frame: own, form: own } : PAGE_SOURCES;
  }

  /** `scale`: the field names the amount to wallets, in Stripe's. */
  cardField(currency: string): Readonly<Record<string, string>> {
    return { ...this.#tokens, scale: String(scaleOf(currency)) };
  }

  async begin(order: GatewayOrder, { storeCard }: { storeCard: boolean }): Promise<Beginning> {
    void this.#ledger.releaseAbandoned();
    return {
      kind: 'tokens',
      tokens: this.#tokens,
      state: { step: 'begun', ...boundTo(order), storeCard },
    };
  }

  async authenticate(
    order: GatewayOrder,
    step: { state: GatewayState; source: CardSource },
  ): Promise<Authentication> {
    const begun = readState(step.state, order);
    if (begun?.step !== 'begun') return declined('not-authenticated', 'state');
    const card = readCard(step.source, this.#settings);
    if (card === null) return declined('merchant', 'card-not-from-stripe');
    const amount = toStripeAmount(order.amountMinor, order.currency);
    if (amount === null) return declined('merchant', 'amount');
    const owned = begun.storeCard ? await this.#withCustomer(order, card) : card;
    if ('kind' in owned) return asStep(owned);
    const reply = await this.#calls.send(
      {
        method: 'POST',
        path: '/v1/payment_intents',
        idempotencyKey: `${order.id}:authenticate`,
        fields: authenticationFields(order, amount, owned, {
          storesCard: begun.storeCard,
          request: this.#settings.requestAuthentication,
        }),
      },
      IntentSchema,
    );
    if (reply.kind !== 'ok') return asStep(failedStep(reply));
    const { id: intent, status, client_secret: payload } = reply.answer;
    const atStripe = { ...boundTo(order), intent, cardMark: this.#markOf(card) };
    if (status !== 'requires_action') return stepOf(reply.answer, atStripe);
    if (!payload) return { kind: 'unavailable', problem: 'the intent has no client secret' };
    return {
      kind: 'challenge',
      challenge: { kind: 'script', acsUrl: '', payload, transactionId: intent },
      state: { step: 'challenge', ...atStripe },
    };
  }

  /** The browser only reports that the challenge is over; its result comes from Stripe. */
  async verify(
    order: GatewayOrder,
    { state, threedsToken }: { state: GatewayState; threedsToken: string },
  ): Promise<Authentication> {
    const challenged = readState(state, order);
    if (challenged?.step !== 'challenge') return declined('not-authenticated', 'state');
    if (threedsToken !== challenged.intent) return declined('not-authenticated', 'another-intent');
    const path = `/v1/payment_intents/${challenged.intent}`;
    const reply = await this.#calls.send({ method: 'GET', path, fields: EXPAND }, IntentSchema);
    if (reply.kind !== 'ok') return asStep(failedStep(reply));
    const { amount, currency, metadata } = reply.answer;
    const isItsOwn = metadata[ORDER_KEY] === order.id && currency === order.currency;
    if (!isItsOwn || fromStripeAmount(amount, currency) !== order.amountMinor)
      return declined('not-authenticated', 'another-payment');
    return stepOf(reply.answer, challenged);
  }

  async charge(
    order: GatewayOrder,
    step: {
      signal?: AbortSignal;
      state: GatewayState;
      source: CardSource;
      storeCard: boolean;
      initiator: 'driver' | 'merchant';
    },
  ): Promise<ChargeOutcome> {
    const { signal } = step;
    const card = readCard(step.source, this.#settings);
    if (card === null) {
      const isStored = step.source.kind === 'token';
      return declined(isStored ? 'card-data' : 'merchant', 'card-not-from-stripe');
    }
    if (step.initiator === 'merchant' && card.customer !== null)
      return await this.#chargeStored(order, card, signal);
    const state = readState(step.state, order);
    if (state?.step !== 'proven' && state?.step !== 'authorized')
      return { kind: 'authenticate-again', code: 'state' };
    if (state.cardMark !== this.#markOf(card)) return { kind: 'authenticate-again', code: 'another-card' };
    const isProven = state.step === 'proven';
    const reply = await this.#book(
      order,
      `${state.intent}/${isProven ? 'confirm' : 'capture'}`,
      isProven ? CONFIRM_PROVEN : CAPTURE,
      signal,
    );
    return reply.kind === 'ok' ? readCharge(order, reply.answer, step.storeCard) : failedCharge(reply);
  }

  async findOut(
    order: GatewayOrder,
    { state, signal }: { state: GatewayState; signal?: AbortSignal },
  ): Promise<Finding> {
    const known = readState(state, order);
    return await this.#ledger.findOut(order, known && known.step !== 'begun' ? known.intent : null, signal);
  }

  refund(
    _order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number; signal?: AbortSignal },
  ): Promise<RefundOutcome> {
    return this.#ledger.refund(transaction, refund);
  }

  readEvent({ body, header }: GatewayMessage): GatewayEvent | null {
    const { webhookSecret } = this.#settings;
    if (webhookSecret === undefined) return null;
    const read = readStripeEvent(body, header('stripe-signature'), webhookSecret, this.#clock.now());
    return read.ok ? { id: read.id, chargeback: read.dispute, refund: read.refund } : null;
  }

  /** @throws Fault: Stripe may still have the card */
  async forget(token: string): Promise<void> {
    const stored = readStoredCard(token);
    if (!stored) return;
    const path = `/v1/customers/${stored.customer}`;
    const reply = await this.#calls.send({ method: 'DELETE', path }, CustomerSchema);
    if (reply.kind === 'ok' || (reply.kind === 'refused' && reply.status === 404)) return;
    throw new Fault('link-lost', `Stripe did not delete a stored card: ${reply.problem}`);
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    const fields = { limit: 1 };
    const read = (path: string) =>
      this.#calls.send(
        { method: 'GET', path, fields },
        path.endsWith('refunds') ? RefundListSchema : IntentListSchema,
      );
    const payments = await read('/v1/payment_intents');
    const refunds = await read('/v1/refunds');
    const { secretKey, webhookSecret } = this.#settings;
    const lines = [
      `payments: ${payments.kind === 'ok' ? 'answers' : payments.problem}`,
      `refunds: ${refunds.kind === 'ok' ? 'answers' : refunds.problem}`,
      modeOf(secretKey) === 'live' ? 'keys of the live mode' : 'keys for tests: no money comes',
      webhookSecret === undefined
        ? 'no webhookSecret: disputes, and refunds made in the dashboard, are not reported'
        : 'disputes, and refunds made in the dashboard, are reported',
      ...(await this.#walletLines()),
    ];
    const broken = [payments, refunds].find(({ kind }) => kind !== 'ok');
    return { problem: broken && broken.kind !== 'ok' ? broken.problem : null, lines };
  }

  /** Wallets are offered on domains that are registered at Stripe. */
  async #walletLines(): Promise<string[]> {
    const fields = { limit: 20 };
    const reply = await this.#calls.send(
      { method: 'GET', path: '/v1/payment_method_domains', fields },
      DomainListSchema,
    );
    if (reply.kind !== 'ok') return [`wallets: ${reply.problem}`];
    const { data } = reply.answer;
    if (data.length === 0) return ['wallets: no domain is registered, so none is offered'];
    return data.map(
      ({ domain_name: name, apple_pay: apple, google_pay: google }) =>
        `wallets at ${name}: Apple Pay ${apple.status}, Google Pay ${google.status}`,
    );
  }

  async #chargeStored(
    order: GatewayOrder,
    card: StripeCard,
    signal: AbortSignal | undefined,
  ): Promise<ChargeOutcome> {
    const amount = toStripeAmount(order.amountMinor, order.currency);
    if (amount === null) return declined('merchant', 'amount');
    const made = await this.#calls.send(
      {
        method: 'POST',
        path: '/v1/payment_intents',
        idempotencyKey: `${order.id}:create`,
        signal,
        fields: storedChargeFields(order, amount, card),
      },
      IntentSchema,
    );
    // It is not confirmed, so nothing is booked even where the answer is lost.
    if (made.kind !== 'ok') return failedStep(made);
    const reply = await this.#book(order, `${made.answer.id}/confirm`, CONFIRM_STORED, signal);
    return reply.kind === 'ok' ? readCharge(order, reply.answer, false) : failedCharge(reply);
  }

  /** The one call that takes money. */
  #book(
    order: GatewayOrder,
    path: string,
    fields: object,
    signal: AbortSignal | undefined,
  ): Promise<Reply<Intent, Refused>> {
    return this.#calls.send(
      {
        method: 'POST',
        path: `/v1/payment_intents/${path}`,
        idempotencyKey: `${order.id}:charge`,
        fields,
        signal,
      },
      IntentSchema,
    );
  }

  /** Stripe stores cards for a customer, and there is one for each stored card, so that both are forgotten together. */
  async #withCustomer(order: GatewayOrder, card: StripeCard): Promise<StripeCard | NotCharged> {
    if (card.customer !== null) return card;
    const reply = await this.#calls.send(
      {
        method: 'POST',
        path: '/v1/customers',
        idempotencyKey: `${order.id}:customer`,
        fields: customerFields(order),
      },
      CustomerSchema,
    );
    return reply.kind === 'ok' ? { ...card, customer: reply.answer.id } : failedStep(reply);
  }

  /** A mark that shows only whether two cards are the same. */
  #markOf({ paymentMethod }: StripeCard): string {
    const mark = createHmac('sha256', this.#settings.secretKey).update(paymentMethod).digest('base64url');
    return mark.slice(0, 22);
  }
}

/** How an intent stands before the charge. */
function stepOf(intent: Intent, { step: _step, ...state }: Partial<StateAtStripe> & object): Authentication {
  switch (intent.status) {
    case 'requires_capture':
      return { kind: 'authenticated', state: { ...state, step: 'authorized' } };
    case 'requires_confirmation':
      return { kind: 'authenticated', state: { ...state, step: 'proven' } };
    case 'requires_payment_method':
      return asStep(declineOf(intent));
    case 'processing':
      return { kind: 'unavailable', problem: 'the bank has not answered Stripe yet' };
    default:
      return declined('not-authenticated', intent.status);
  }
}

/** A bank that requires 3-D Secure again before the charge has not authenticated the driver. */
function asStep(outcome: NotCharged): Exclude<NotCharged, { kind: 'authenticate-again' }> {
  return outcome.kind === 'authenticate-again' ? declined('not-authenticated', outcome.code) : outcome;
}

/** Reads the outcome of a charge from its answer. */
function readCharge(order: GatewayOrder, intent: Intent, storeCard: boolean): ChargeOutcome {
  if (intent.metadata[ORDER_KEY] !== order.id)
    return { kind: 'unknown', problem: 'the answer is of another payment' };
  switch (intent.status) {
    case 'succeeded': {
      const transaction = transactionOf(intent);
      if (transaction === null) return { kind: 'unknown', problem: 'the amount is none of its currency' };
      return { kind: 'approved', transaction, ...(storeCard && storedToken(intent)) };
    }
    case 'requires_action':
      return { kind: 'authenticate-again', code: intent.status };
    case 'requires_payment_method':
    case 'canceled':
      return declineOf(intent);
    default:
      return { kind: 'unknown', problem: `the intent is ${intent.status}` };
  }
}

function storedToken(intent: Intent): { token?: StoredToken } {
  const { customer, payment_method: paymentMethod } = intent;
  if (!customer || !paymentMethod) return {};
  const token = writeStoredCard(customer, paymentMethod);
  return { token: { token, card: cardOf(intent), expires: expiryOf(intent) } };
}
