import { nowUtc } from '@hlid/node/clock';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import { Card } from '../../platform/card-gateways/card.ts';
import type { Browser, CardSource } from '../../platform/card-gateways/gateway.ts';
import { addressOf } from '../../platform/http/address-of.ts';
import {
  ALL_ROWS,
  callerName,
  type OwnRows,
  ownRows,
  type RequestCaller,
  seesEverything,
} from '../../platform/http/caller.ts';
import { type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import {
  conflict,
  errorBody,
  inputError,
  notFound,
  REFUSALS,
  refusal,
  tooManyRequests,
} from '../../platform/http/errors.ts';
import { json, jsonBody } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import {
  AuthenticateSchema,
  type BrowserInput,
  type CardInput,
  FinalizeSchema,
  InitSchema,
  type OnlinePaymentJson,
  OnlinePaymentSchema,
  type PurchaseInput,
  PurchaseSchema,
} from './online-payment.ts';
import type { OnlinePayments } from './online-payments.ts';
import type { OfferRefusal, VisitToPay } from './order-payment.ts';
import type { Payer } from './payer.ts';
import type { PaymentTerms, Stepped } from './payment-steps.ts';
import { RETURN_POLICY, refusedPage, returnedPage } from './return-page.ts';

const tags = ['Payments'];
/** The most beginnings within 15 minutes, so that they do not reveal which cars are inside. */
const BEGINNINGS = { own: 60, all: 1200 };

const STEP_RESPONSES = {
  200: { description: 'The payment and its next step', content: json(OnlinePaymentSchema) },
  ...REFUSALS.input,
  ...REFUSALS.auth,
  ...REFUSALS.notFound,
  409: refusal('A payment of that visit or invoice is under way, or this step cannot be taken now'),
  503: refusal('The provider cannot be reached; nothing was charged'),
};

const initRoute = createRoute({
  method: 'post',
  path: '/payments/init',
  tags,
  summary: 'Begin a card payment online',
  description:
    'For a vehicle, or for an issued `invoice` (customers: of their own). The cloud computes the price. The answer has `tokens` for the provider’s script, a `form` or a ' +
    '`challenge` of the bank, or none of these: then call `/payments/process/finalize`. The intent ' +
    'is stored before the provider is called, and no money moves yet.',
  request: { body: jsonBody(InitSchema) },
  responses: { ...STEP_RESPONSES, ...REFUSALS.tooMany },
});

const authenticateRoute = createRoute({
  method: 'post',
  path: '/payments/process/3dSecure',
  tags,
  summary: 'Begin 3-D Secure with a card that the browser has encrypted',
  request: { body: jsonBody(AuthenticateSchema) },
  responses: STEP_RESPONSES,
});

const finalizeRoute = createRoute({
  method: 'post',
  path: '/payments/process/finalize',
  tags,
  summary: 'Charge the card',
  description:
    'Charges once, and repeated calls get the same answer. `unknown`: the provider has not answered; ' +
    'the cloud finds out the outcome, and a later call of this route returns it.',
  request: { body: jsonBody(FinalizeSchema) },
  responses: STEP_RESPONSES,
});

const purchaseRoute = createRoute({
  method: 'post',
  path: '/purchase-product',
  tags,
  summary: 'Pay by card in one step',
  description:
    '`/payments/init` and `/payments/process/finalize` in one call. If the bank requires a ' +
    'challenge, the answer is that of `/payments/init`, and `/payments/process/finalize` completes ' +
    'the payment.',
  request: { body: jsonBody(PurchaseSchema) },
  responses: { ...STEP_RESPONSES, ...REFUSALS.tooMany },
});

const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });
const returnRoute = createRoute({
  method: 'post',
  path: '/payments/return/{reference}',
  tags,
  summary: 'Receive the bank’s answer to a challenge from the browser',
  description: 'The signed reference identifies the payment. A repeated form changes nothing.',
  request: {
    params: z.object({
      reference: z
        .string()
        .max(100)
        .openapi({ param: { name: 'reference', in: 'path' }, example: 'r.…' }),
    }),
    body: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: z.record(z.string().max(100), z.string().max(20_000)),
          example: { cres: '…' },
        },
      },
    },
  },
  responses: {
    200: page('Accepted; the page notifies the payment page'),
    400: page('The reference is not valid'),
    503: page('The provider cannot be reached'),
  },
});

/** The calls for payments by card online. */
export function onlinePaymentRoutes(
  { db, clock, publicUrl }: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>,
  payments: OnlinePayments,
) {
  return createRouter()
    .openapi(initRoute, async (c) => await begin(c, c.req.valid('json'), 'begin'))
    .openapi(purchaseRoute, async (c) => await begin(c, c.req.valid('json'), 'purchase'))
    .openapi(authenticateRoute, async (c) => {
      const { context, browser } = c.req.valid('json');
      const { reference, encryptedCard, publicKeyAlias, sessionId = null } = context;
      const source = { kind: 'encrypted', encryptedCard, publicKeyAlias } as const;
      const step = { source, sessionId, browser: browserOf(c, browser) };
      return answer(c, await payments.authenticate(payerOf(c), reference, step), publicUrl());
    })
    .openapi(finalizeRoute, async (c) => {
      const { context, threedsToken = null } = c.req.valid('json');
      const { reference, encryptedCard, publicKeyAlias } = context;
      const source = readSource(context.card, { encryptedCard, publicKeyAlias });
      if (source !== null && 'mistakes' in source) return inputError(c, ...source.mistakes);
      return answer(c, await payments.finalize(payerOf(c), reference, { source, threedsToken }), publicUrl());
    })
    .openapi(returnRoute, async (c) => {
      const returned = await payments.readReturn(c.req.valid('param').reference, c.req.valid('form'));
      const headers = { 'Content-Security-Policy': RETURN_POLICY, 'Cache-Control': 'no-store' };
      if (returned.ok) return c.html(returnedPage(returned), 200, headers);
      return returned.reason === 'unavailable'
        ? c.html(refusedPage('busy'), 503, headers)
        : c.html(refusedPage('refused'), 400, headers);
    });

  async function begin(c: Context<CloudEnv>, body: PurchaseInput, how: 'begin' | 'purchase') {
    const wait = await countBeginning(c);
    if (wait !== null) return tooManyRequests(c, wait);
    const source = readSource(body.card, {});
    if (source !== null && 'mistakes' in source) return inputError(c, ...source.mistakes);
    const payer = payerOf(c);
    const customer = await customerOf(c, body.customer);
    if (customer === null) return notFound(c, 'customer');
    const terms: PaymentTerms = {
      provider: body.provider,
      source,
      browser: browserOf(c, body.browser),
      ...customer,
    };
    const { vehicle, product } = body;
    const invoice = 'invoice' in body ? body.invoice : undefined;
    if (vehicle !== undefined && invoice === undefined) {
      const order = { vehicle: vehicleOf(vehicle), product: productOf(product), ...terms };
      return answer(c, await payments[how](payer, order), publicUrl());
    }
    if (invoice === undefined || vehicle !== undefined || product !== undefined)
      return inputError(c, mistake('invoice-or-vehicle', invoice === undefined ? 'vehicle' : 'invoice'));
    const found = await db.read((q) => findInvoice(q, invoice, ownOf(requestCaller(c))));
    if (found === null) return notFound(c, 'invoice');
    return answer(c, await payments[how](payer, { invoiceId: invoice, ...terms }), publicUrl());
  }

  async function countBeginning(c: Context<CloudEnv>): Promise<number | null> {
    const caller = requestCaller(c);
    const limit = {
      key: `online ${callerName(caller)}`,
      limit: seesEverything(caller) ? BEGINNINGS.all : BEGINNINGS.own,
    };
    return await db.write((tx) => countAttempt(tx.q, [limit], nowUtc(clock)));
  }

  /** @returns null: there is no such customer, or not for this caller */
  async function customerOf(c: Context<CloudEnv>, given: PurchaseInput['customer']) {
    const { id, name, email, language } = typeof given === 'object' ? given : { id: given };
    const caller = requestCaller(c);
    const known = id === undefined ? null : await db.read((q) => findCustomer(q, id, ownOf(caller)));
    if (id !== undefined && known === null) return null;
    return {
      ...(known !== null && { customerId: known.id }),
      payerName: name ?? known?.name ?? null,
      email: email ?? known?.email ?? null,
      language: language ?? known?.language ?? ('is' as const),
    };
  }
}

function ownOf(caller: RequestCaller): OwnRows {
  return caller.kind === 'api-key' ? ALL_ROWS : ownRows(caller);
}

function requestCaller(c: Context<CloudEnv>): RequestCaller {
  return callerOf(c, 'account', 'api-key');
}

function payerOf(c: Context<CloudEnv>): Payer {
  return { kind: 'caller', caller: requestCaller(c) };
}

function vehicleOf(given: NonNullable<PurchaseInput['vehicle']>): VisitToPay['vehicle'] {
  if (typeof given === 'string') return { plate: given };
  if ('plate' in given) return given;
  return 'visit' in given ? { visitId: given.visit } : { vehicleId: given.id };
}

function productOf(given: PurchaseInput['product']): VisitToPay['product'] {
  return typeof given === 'string' ? { id: given } : given;
}

/** The card of a call; null: none is given. A mistake never repeats the typed text. */
function readSource(
  card: CardInput | undefined,
  {
    encryptedCard,
    publicKeyAlias = '',
  }: { encryptedCard?: string | undefined; publicKeyAlias?: string | undefined },
): CardSource | { mistakes: Mistake[] } | null {
  if (card === undefined) {
    return encryptedCard === undefined ? null : { kind: 'encrypted', encryptedCard, publicKeyAlias };
  }
  const read = Card.read(card);
  if (read instanceof Card) return { kind: 'card', card: read };
  return { mistakes: read.mistakes.map((field) => CARD_MISTAKES[field]) };
}

const CARD_MISTAKES = {
  number: mistake('no-card-number', 'card.number'),
  brand: mistake('brand-not-taken', 'card.number'),
  expire: mistake('card-expired-or-wrong', 'card.expire'),
  ccv: mistake('wrong-ccv', 'card.ccv'),
} as const;

/** The driver's browser: as the caller describes it, or as the request comes. */
function browserOf(c: Context<CloudEnv>, given: BrowserInput = {}): Browser {
  const { screenWidth, screenHeight, colorDepth, timeZoneOffset } = given;
  return {
    ip: given.ip ?? addressOf(c),
    userAgent: given.userAgent ?? c.req.header('user-agent') ?? '',
    acceptHeader: given.acceptHeader ?? c.req.header('accept') ?? '*/*',
    language: given.language ?? c.req.header('accept-language')?.split(',')[0] ?? 'is',
    ...(screenWidth !== undefined && { screenWidth }),
    ...(screenHeight !== undefined && { screenHeight }),
    ...(colorDepth !== undefined && { colorDepth }),
    ...(timeZoneOffset !== undefined && { timeZoneOffset }),
  };
}

function answer(c: Context<CloudEnv>, stepped: Stepped, publicUrl: string) {
  if (stepped.ok) return c.json(shown(stepped, publicUrl), 200);
  switch (stepped.reason) {
    case 'offer':
      return stepped.refusal === 'no-visit'
        ? notFound(c, 'unpaid-vehicle')
        : stepped.refusal === 'payment-under-way'
          ? conflict(c, mistake('payment-under-way'))
          : inputError(c, OFFER_MISTAKES[stepped.refusal]);
    case 'no-gateway':
      return inputError(c, mistake('no-provider', 'provider'));
    case 'no-card':
      return inputError(c, mistake('card-needed', 'card'));
    case 'no-reference':
      return notFound(c, 'valid-reference');
    case 'under-way':
      return conflict(c, mistake('payment-under-way'), mistake('see-invoice', [], { id: stepped.id }));
    case 'wrong-step':
      return conflict(c, mistake(STEP_CODES[stepped.step]));
    case 'unavailable':
      return c.json(errorBody('Provider unavailable', mistake('provider-away')), 503);
    default:
      return stepped satisfies never;
  }
}

const OFFER_MISTAKES: Readonly<Record<OfferRefusal, Mistake>> = {
  'no-visit': mistake('no-visit', 'vehicle'),
  'too-late': mistake('too-late', 'vehicle'),
  'several-visits': mistake('several-visits', 'vehicle'),
  'visit-ended': mistake('visit-ended', 'vehicle'),
  'nothing-due': mistake('nothing-due', 'vehicle'),
  'amount-changed': mistake('amount-changed', 'vehicle'),
  'no-invoice': mistake('not-found', 'invoice', { what: 'invoice' }),
  'invoice-paid': mistake('invoice-paid', 'invoice'),
  'not-payable': mistake('invoice-not-payable', 'invoice'),
  'no-product': mistake('not-found', 'product', { what: 'product' }),
  'quota-product': mistake('quota-product', 'product'),
  currency: mistake('currency', 'product'),
  'not-for-sale': mistake('not-for-sale', 'product'),
  'too-little': mistake('too-little', 'product'),
  'payment-under-way': mistake('payment-under-way'),
};

const STEP_CODES = {
  begun: 'provider-not-answered',
  tokens: 'card-not-authenticated',
  form: 'challenge-not-answered',
  script: 'challenge-token-needed',
  authenticated: 'step-taken',
} as const;

function shown({ payment, next }: Extract<Stepped, { ok: true }>, publicUrl: string): OnlinePaymentJson {
  const {
    id,
    invoiceId,
    reference,
    state,
    reason,
    amountMinor: amount,
    currency,
    transaction,
    card,
  } = payment;
  const challenge = next.kind === 'challenge' ? next.challenge : null;
  const hasReceipt = state === 'settled' && payment.receiptKey !== null;
  return {
    paymentId: id,
    invoiceId,
    reference,
    state,
    reason,
    status: payment.invoiceStatus,
    price: { amount, currency },
    payment: transaction && { amount, currency, ...transaction },
    receipt: card && { type: card.type, last_four: card.lastFour },
    receiptUrl: hasReceipt ? `${publicUrl}/receipt/${payment.receiptKey}` : null,
    expiresOn: payment.expiresAt,
    ...(next.kind === 'tokens' && { tokens: { ...next.tokens } }),
    ...(challenge?.kind === 'form' && {
      form: { ...challenge.form, fields: [...challenge.form.fields], scripts: [...challenge.form.scripts] },
    }),
    ...(challenge?.kind === 'script' && {
      challenge: {
        acsUrl: challenge.acsUrl,
        payload: challenge.payload,
        transactionId: challenge.transactionId,
      },
    }),
  };
}
