import { randomInt } from 'node:crypto';
import {
  bankOf,
  newId,
  type SimIntent,
  type SimMethod,
  type SimRefund,
  StripeBooks,
} from './stripe-books.ts';
import { STRIPE_FIELDS, type StripeFields, type StripeOperation } from './stripe-requests.ts';

export interface StripeAnswer {
  status: number;
  body: object;
  /** The first answer to that idempotency key. */
  isReplayed?: true;
}

export interface StripeRequest {
  operation: StripeOperation;
  /** The id in the path. */
  id: string;
  /** The fields as they came, before they are checked. */
  fields: unknown;
  idempotencyKey: string | null;
}

/** The currencies with amounts that must end in two zeros. */
const WITHOUT_FRACTIONS = ['isk', 'ugx'];

/** The documented behaviour behind the API: the paths a payment intent can go, and what is refused on them. */
export class StripeService {
  /** The amount that the next capture takes, whatever was ordered; null: the ordered one. */
  receives: number | null = null;
  readonly books = new StripeBooks();
  /** The domains at which wallets may be offered. */
  readonly domains: object[] = [];
  /** The faults in the format of requests. */
  readonly complaints: string[] = [];
  readonly #answered = new Map<string, { request: string; answer: StripeAnswer }>();

  act(request: StripeRequest): StripeAnswer {
    const { idempotencyKey: key, ...about } = request;
    const text = JSON.stringify(about);
    const before = key === null ? undefined : this.#answered.get(key);
    if (before && before.request !== text) {
      return refused(400, { type: 'idempotency_error', message: 'Keys for idempotent requests …' });
    }
    if (before) return { ...before.answer, isReplayed: true };
    const answer = this.#checked(request);
    // A request that is refused before it is worked on is not stored.
    const wasWorkedOn = answer.status !== 400 && answer.status !== 404;
    if (key !== null && wasWorkedOn) this.#answered.set(key, { request: text, answer });
    return answer;
  }

  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.#answered.clear();
  }

  #checked(request: StripeRequest): StripeAnswer {
    const { operation, fields } = request;
    const parsed = STRIPE_FIELDS[operation].safeParse(fields);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      this.complaints.push(`${operation}: ${issue?.message} (${issue?.path.join('.')})`);
      const isUnknown = issue?.code === 'unrecognized_keys';
      const code = isUnknown ? 'parameter_unknown' : 'parameter_invalid_string_blank';
      return invalid({ code, param: isUnknown ? issue.keys[0] : issue?.path.join('.') });
    }
    return this.#work(request, parsed.data);
  }

  /** The fields are those of the operation: they were parsed by its schema. */
  #work({ operation, id }: StripeRequest, fields: object): StripeAnswer {
    switch (operation) {
      case 'create-intent':
        return this.#create(fields as StripeFields<'create-intent'>);
      case 'list-intents':
        return this.#list(fields as StripeFields<'list-intents'>);
      case 'search-intents':
        return this.#search(fields as StripeFields<'search-intents'>);
      case 'refund':
        return this.#refund(fields as StripeFields<'refund'>);
      case 'list-refunds': {
        const { payment_intent: intent } = fields as StripeFields<'list-refunds'>;
        const refunds = this.books.refunds.filter(
          (refund) => intent === undefined || refund.intent === intent,
        );
        return ok({ object: 'list', has_more: false, data: refunds.map(refundJson) });
      }
      case 'create-customer': {
        const { metadata } = fields as StripeFields<'create-customer'>;
        return ok({ id: this.books.createCustomer(metadata), object: 'customer', metadata });
      }
      case 'delete-customer':
        return this.books.deleteCustomer(id)
          ? ok({ id, object: 'customer', deleted: true })
          : missing('customer', 'id');
      case 'list-domains':
        return ok({ object: 'list', has_more: false, data: this.domains });
      case 'read-intent':
      case 'confirm':
      case 'capture':
      case 'cancel': {
        const intent = this.books.intent(id);
        if (!intent) return missing('payment_intent', 'intent');
        return this.#move(operation, intent, fields as StripeFields<'confirm'>);
      }
      default:
        return operation satisfies never;
    }
  }

  #create(fields: StripeFields<'create-intent'>): StripeAnswer {
    const { amount, currency, customer = null, payment_method: method = null, expand } = fields;
    const fraction = this.#fractionIn(amount, currency);
    if (fraction) return fraction;
    if (fields.off_session !== undefined && !fields.confirm) return invalid({ param: 'off_session' });
    if (customer !== null && !this.books.customers.has(customer)) return missing('customer', 'customer');
    const id = newId('pi');
    const intent: SimIntent = {
      id,
      secret: `${id}_secret_${newId('s').slice(2)}`,
      amount,
      currency,
      customer,
      method: null,
      captureMethod: fields.capture_method,
      confirmationMethod: fields.confirmation_method,
      metadata: fields.metadata,
      setupFutureUsage: fields.setup_future_usage ?? null,
      created: Math.floor(this.books.now().getTime() / 1000),
      received: 0,
      isProven: false,
      error: null,
      status: 'requires_payment_method',
      authorization: String(randomInt(100_000, 999_999)),
    };
    if (method !== null) {
      const problem = this.#use(intent, method);
      if (problem) return problem;
    }
    this.books.intents.push(intent);
    return fields.confirm ? this.#confirm(intent, fields) : ok(this.intentJson(intent, expand));
  }

  /** A payment method pays once, unless it is a customer's: then it pays for that customer only. */
  #use(intent: SimIntent, id: string): StripeAnswer | null {
    const method = this.books.methods.get(id);
    if (!method) return missing('payment_method', 'payment_method');
    const isOwned = method.customer !== null;
    if (isOwned && method.customer !== intent.customer) return invalid({ param: 'payment_method' });
    if (!isOwned && method.usedBy !== null && method.usedBy !== intent.id)
      return invalid({ param: 'payment_method' });
    method.usedBy = intent.id;
    intent.method = id;
    intent.status = 'requires_confirmation';
    return null;
  }

  #move(
    operation: 'read-intent' | 'confirm' | 'capture' | 'cancel',
    intent: SimIntent,
    fields: StripeFields<'confirm'>,
  ): StripeAnswer {
    switch (operation) {
      case 'read-intent':
        return ok(this.intentJson(intent, fields.expand));
      case 'confirm':
        return this.#confirm(intent, fields);
      case 'capture':
        if (intent.status !== 'requires_capture') return this.#unexpected(intent);
        this.#capture(intent);
        return ok(this.intentJson(intent, fields.expand));
      case 'cancel':
        if (['succeeded', 'canceled', 'processing'].includes(intent.status)) return this.#unexpected(intent);
        intent.status = 'canceled';
        return ok(this.intentJson(intent, fields.expand));
      default:
        return operation satisfies never;
    }
  }

  #confirm(
    intent: SimIntent,
    fields: Pick<
      StripeFields<'confirm'>,
      'capture_method' | 'off_session' | 'payment_method' | 'use_stripe_sdk' | 'expand'
    >,
  ): StripeAnswer {
    if (intent.status !== 'requires_confirmation') return this.#unexpected(intent);
    const method = this.books.methods.get(intent.method ?? '');
    if (!method) return invalid({ param: 'payment_method' });
    if (fields.capture_method) intent.captureMethod = fields.capture_method;
    const bank = bankOf(method.number);
    const isOffSession = fields.off_session === true;
    if (isOffSession && (method.customer === null || bank.declinesOffSession))
      return this.#decline(intent, {
        code: 'authentication_required',
        declineCode: 'authentication_required',
      });
    if (bank.challenges && !intent.isProven && !isOffSession) {
      // Stripe.js carries it out; any other caller would have to give a `return_url`.
      if (fields.use_stripe_sdk !== true) return invalid({ param: 'return_url' });
      intent.status = 'requires_action';
      return ok(this.intentJson(intent, fields.expand));
    }
    if (bank.declines) return this.#decline(intent, bank.declines);
    if (intent.customer !== null && intent.setupFutureUsage !== null) method.customer = intent.customer;
    intent.error = null;
    if (intent.captureMethod === 'manual') intent.status = 'requires_capture';
    else this.#capture(intent);
    return ok(this.intentJson(intent, fields.expand));
  }

  #decline(intent: SimIntent, error: { code: string; declineCode: string }): StripeAnswer {
    intent.status = 'requires_payment_method';
    intent.error = error;
    return refused(402, {
      type: 'card_error',
      code: error.code,
      decline_code: error.declineCode,
      message: 'Your card was declined.',
      payment_intent: this.intentJson(intent, []),
    });
  }

  #capture(intent: SimIntent): void {
    intent.status = 'succeeded';
    intent.received = this.receives ?? intent.amount;
    this.receives = null;
  }

  #unexpected(intent: SimIntent): StripeAnswer {
    const payment_intent = this.intentJson(intent, []);
    return invalid({ code: 'payment_intent_unexpected_state', payment_intent });
  }

  #fractionIn(amount: number, currency: string): StripeAnswer | null {
    const isWrong = WITHOUT_FRACTIONS.includes(currency) && amount % 100 !== 0;
    return isWrong ? invalid({ code: 'invalid_charge_amount_no_decimal_compatible', param: 'amount' }) : null;
  }

  #refund(fields: StripeFields<'refund'>): StripeAnswer {
    const intent = this.books.intent(fields.payment_intent);
    if (!intent) return missing('payment_intent', 'payment_intent');
    if (intent.status !== 'succeeded') return invalid({ param: 'payment_intent' });
    const left = intent.received - this.books.refundedOf(intent.id);
    if (left === 0) return invalid({ code: 'charge_already_refunded' });
    const { amount = left } = fields;
    const fraction = this.#fractionIn(amount, intent.currency);
    if (fraction) return fraction;
    if (amount > left) return invalid({ param: 'amount' });
    const refund: SimRefund = {
      id: newId('re'),
      intent: intent.id,
      amount,
      status: 'succeeded',
      metadata: fields.metadata,
    };
    this.books.refunds.unshift(refund);
    return ok(refundJson(refund));
  }

  #list({ created, limit, starting_after: after }: StripeFields<'list-intents'>): StripeAnswer {
    const { gte = 0, lte = Number.POSITIVE_INFINITY } = created;
    const newest = this.books.intents
      .toReversed()
      .filter((each) => each.created >= gte && each.created <= lte);
    const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1;
    const data = newest.slice(from, from + limit).map((intent) => this.intentJson(intent, []));
    return ok({ object: 'list', has_more: from + limit < newest.length, data });
  }

  #search({ query, limit }: StripeFields<'search-intents'>): StripeAnswer {
    const [, status, before] = /^status:"(\w+)" AND created<(\d+)$/.exec(query) ?? [];
    if (status === undefined) return invalid({ param: 'query' });
    const found = this.books.intents.filter(
      (intent) => intent.status === status && intent.created < Number(before),
    );
    const data = found.slice(0, limit).map((intent) => this.intentJson(intent, []));
    return ok({ object: 'search_result', has_more: false, data });
  }

  intentJson(intent: SimIntent, expand: readonly string[]): object {
    const { id, status, amount, currency, captureMethod, customer, created, metadata, error } = intent;
    const method = this.books.methods.get(intent.method ?? '');
    const isAuthorized = status === 'requires_capture' || status === 'succeeded';
    const charge = method && isAuthorized ? this.#chargeJson(intent, method) : null;
    return {
      id,
      object: 'payment_intent',
      status,
      amount,
      currency,
      customer,
      created,
      metadata,
      amount_capturable: status === 'requires_capture' ? amount : 0,
      amount_received: intent.received,
      capture_method: captureMethod,
      confirmation_method: intent.confirmationMethod,
      livemode: false,
      client_secret: intent.secret,
      payment_method: intent.method,
      payment_method_types: ['card'],
      latest_charge: charge && (expand.includes('latest_charge') ? charge : charge.id),
      last_payment_error: error && {
        type: 'card_error',
        code: error.code,
        message: 'Your card was declined.',
        ...(error.declineCode !== '' && { decline_code: error.declineCode }),
      },
      next_action:
        status === 'requires_action'
          ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'stripe_3ds2_fingerprint' } }
          : null,
    };
  }

  #chargeJson(intent: SimIntent, { number, wallet }: SimMethod) {
    const { id, amount, currency, received, authorization } = intent;
    const refunded = this.books.refundedOf(id);
    return {
      id: id.replace('pi_', 'ch_'),
      object: 'charge',
      amount,
      currency,
      payment_intent: id,
      amount_captured: received,
      amount_refunded: refunded,
      refunded: received > 0 && refunded === received,
      payment_method_details: {
        type: 'card',
        card: {
          brand: number.startsWith('5') ? 'mastercard' : 'visa',
          last4: number.slice(-4),
          exp_month: 12,
          exp_year: 2030,
          authorization_code: authorization,
          wallet: wallet && { type: wallet },
        },
      },
    };
  }
}

function refundJson({ id, intent, amount, status, metadata }: SimRefund): object {
  return { id, object: 'refund', payment_intent: intent, amount, status, metadata };
}

function ok(body: object): StripeAnswer {
  return { status: 200, body };
}

/** Answers do not change after they are made, as those of a server. */
function refused(status: number, error: object): StripeAnswer {
  return { status, body: { error } };
}

function invalid(error: {
  code?: string;
  param?: string | undefined;
  payment_intent?: object;
}): StripeAnswer {
  return refused(400, { type: 'invalid_request_error', message: 'Not possible.', ...error });
}

function missing(what: string, param: string): StripeAnswer {
  const about = { code: 'resource_missing', param, message: `No such ${what}` };
  return refused(param === 'payment_method' || param === 'customer' ? 400 : 404, {
    type: 'invalid_request_error',
    ...about,
  });
}
