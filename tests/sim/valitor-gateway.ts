import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { PostForm } from './gateway-rigs.ts';
import {
  type ProviderAnswer,
  type ProviderCall,
  type ProviderRequest,
  ProviderServer,
  readJson,
  sendAnswer,
} from './provider-server.ts';
import { bankPage, readForm, returnPage } from './valitor-gateway-bank.ts';
import { type Booking, maskedNumber, VALITOR_CARDS, ValitorBooks } from './valitor-gateway-books.ts';
import {
  isSale,
  readValitorRequest,
  VALITOR_CALLS,
  type ValitorAgreement,
  type ValitorRequest,
  type ValitorSale,
  type Verification,
} from './valitor-gateway-requests.ts';

export interface ValitorGatewayOptions {
  apiKey: string;
  /** The agreement of a payment facilitator's key; null: the key is a merchant's. */
  agreement?: ValitorAgreement | null;
  now?: () => Date;
}

/** The faults of the next requests. */
interface Faults {
  /** The next sales are answered with these codes, in their order; booked or not. */
  codes: { code: string; books: boolean; isSuccess?: boolean }[];
  /** Fields that the next approval gets wrong; null: none. */
  lie: Record<string, unknown> | null;
  /** Posts the bank's form for the next verification to us before the verification is answered. */
  callsBackFirst: PostForm | null;
  storesNoCards: boolean;
  /** The time before a sale is processed, whether or not its answer is still awaited. */
  saleMs: number;
  /** Every call is answered with this status. */
  status: number | null;
}

export type ValitorOperation = 'verify' | 'sale' | 'refund' | 'create-token' | 'token-data';

/** The address to which redirects lead. */
const ELSEWHERE = '/elsewhere';

const NO_FAULTS: Faults = {
  codes: [],
  lie: null,
  callsBackFirst: null,
  storesNoCards: false,
  saleMs: 0,
  status: null,
};

/**
 * ValitorPay, API version 2.0, as its documents describe it ("Card verification", "Payment", "Response codes"), with the
 * 3-D Secure server and the bank's page. Strict: it refuses what the documents do not name. It keeps books, and
 * misbehaves on demand.
 */
export class ValitorGatewaySimulator extends ProviderServer<ValitorOperation> {
  readonly books: ValitorBooks;
  readonly faults: Faults = structuredClone(NO_FAULTS);
  /** Well-formed requests, in their order. */
  readonly requests: ValitorRequest[] = [];
  readonly complaints: string[] = [];
  readonly #options: ValitorGatewayOptions;

  constructor(options: ValitorGatewayOptions) {
    super();
    this.#options = options;
    this.books = new ValitorBooks(options.now ?? (() => new Date()));
  }

  protected override delayMs(operation: ValitorOperation): number {
    return operation === 'sale' ? this.faults.saleMs : 0;
  }

  /** The bank has decided, and the browser was faster than our answer. */
  protected override async beforeAnswer(operation: ValitorOperation): Promise<void> {
    const { callsBackFirst } = this.faults;
    const verification = [...this.books.verifications.values()].at(-1);
    if (operation !== 'verify' || callsBackFirst === null || verification === undefined) return;
    this.faults.callsBackFirst = null;
    this.books.decide(verification, true);
    const { action, fields } = readForm(returnPage(verification));
    await callsBackFirst(action, fields);
  }

  protected read(given: ProviderRequest): ProviderCall<ValitorOperation> | ProviderAnswer {
    const path = given.path.toLowerCase();
    const { status } = this.faults;
    // A call must not follow a redirect with a card.
    if (status !== null && path !== ELSEWHERE) return { status, body: {}, headers: { location: ELSEWHERE } };
    const refusal = this.#whyRefused(given, path);
    if (refusal !== null) {
      this.complaints.push(`${path}: HTTP ${refusal}`);
      return { status: refusal, body: { title: 'refused' } };
    }
    const request = readValitorRequest(path, readJson(given.text), this.#options.agreement ?? null);
    if ('errors' in request) {
      // The real one may quote values in its messages, so this one does: the whole body.
      this.complaints.push(`${path}: ${JSON.stringify(request.errors)}`);
      const quoted = Object.entries(request.errors).map(([name, why]) => [name, [...why, given.text]]);
      const title = 'One or more validation errors occurred.';
      return { status: 400, body: { title, status: 400, errors: Object.fromEntries(quoted) } };
    }
    this.requests.push(request);
    const body = () => (isSale(request) ? this.#sell(request) : this.#answerOf(request));
    return { operation: operationOf(request), act: () => ({ status: 200, body: body() }) };
  }

  #whyRefused({ method, headers }: ProviderRequest, path: string): number | null {
    if (headers.authorization !== `APIKey ${this.#options.apiKey}`) return 401;
    if (!(path in VALITOR_CALLS)) return 404;
    if (method !== 'POST') return 405;
    if (!headers['content-type']?.startsWith('application/json')) return 415;
    return headers['valitorpay-api-version'] === '2.0' ? null : 400;
  }

  #answerOf({ path, body }: Exclude<ValitorRequest, ValitorSale>): object {
    switch (path) {
      case '/cardverification':
        return this.#verify(body);
      case '/virtualcard/createvirtualcard': {
        const virtualCard = this.faults.storesNoCards ? null : this.books.createVirtualCard(body);
        const isSuccess = virtualCard !== null;
        return { ...result(isSuccess ? 'V1' : 'V3', isSuccess, body.correlationId), virtualCard };
      }
      case '/virtualcard/getvirtualcarddata': {
        const isThere = this.books.hasVirtualCard(body.virtualCard);
        return result(isThere ? '00' : 'B2', isThere, randomUUID());
      }
      case '/payment/refundwithcorrelationid':
        return paymentAnswer(this.books.refundWhole(body), body.correlationId, {});
      case '/payment/cardpayment':
      case '/payment/virtualcardpayment':
        return paymentAnswer(this.books.refundPart(body), body.correlationId, {});
      default:
        return path satisfies never;
    }
  }

  #verify(body: Verification): object {
    const { id } = this.books.verify(body);
    const fields = { _charset_: 'UTF-8', creq: id, MD: body.MD, TermUrl: `${this.origin}/bank` };
    return {
      ...result('C1', true, body.correlationId),
      cardVerificationRawResponse: '<!doctype html><title>3-D Secure</title>',
      postUrl: `${this.origin}/bank`,
      verificationFields: Object.entries(fields).map(([name, value]) => ({ name, value })),
      additionalFields: [],
      scriptPath: `${this.origin}/bank.js`,
      cardInformation: cardInformation(body.cardNumber),
    };
  }

  #sell(sale: ValitorSale): object {
    const scripted = this.faults.codes.shift();
    const booking = scripted?.books === false ? { code: '96' } : this.#book(sale);
    if (scripted !== undefined)
      return result(scripted.code, scripted.isSuccess ?? false, sale.body.correlationId);
    return { ...this.#saleAnswer(sale, booking), ...(booking.payment && this.#takeLie()) };
  }

  /** A payment by token names neither amount nor scheme. */
  #saleAnswer({ path, body }: ValitorSale, booking: Booking): object {
    const { payment } = booking;
    if (payment === undefined || path !== '/payment/cardpayment')
      return paymentAnswer(booking, body.correlationId, {});
    return paymentAnswer(booking, body.correlationId, {
      authorizedAmount: payment.amount,
      currency: payment.currency,
      isCardPresent: false,
      cardInformation: cardInformation(payment.cardNumber),
    });
  }

  #takeLie(): Record<string, unknown> | null {
    const { lie } = this.faults;
    this.faults.lie = null;
    return lie;
  }

  #book({ path, body }: ValitorSale): Booking {
    return path === '/payment/cardpayment' ? this.books.sellByCard(body) : this.books.sellByVirtualCard(body);
  }

  /** The browser's pages: the bank's question, where it has one, and then the form that goes to us. */
  protected override serveBrowser({ path, text }: ProviderRequest, response: ServerResponse): boolean {
    if (!path.startsWith('/bank')) return false;
    const fields = new URLSearchParams(text);
    const verification = this.books.verifications.get(fields.get('creq') ?? '');
    const isDecided = path === '/bank/decision';
    if (verification === undefined || fields.get('MD') !== verification.request.MD) {
      sendAnswer(response, { status: 400, body: { title: 'no such verification' } });
    } else if (verification.script.challenged && !isDecided) {
      sendPage(response, bankPage(verification));
    } else {
      this.books.decide(verification, !isDecided || fields.get('act') === 'accept');
      sendPage(response, returnPage(verification));
    }
    return true;
  }
}

function operationOf(request: ValitorRequest): ValitorOperation {
  if (isSale(request)) return 'sale';
  switch (request.path) {
    case '/cardverification':
      return 'verify';
    case '/virtualcard/createvirtualcard':
      return 'create-token';
    case '/virtualcard/getvirtualcarddata':
      return 'token-data';
    default:
      return 'refund';
  }
}

function result(responseCode: string, isSuccess: boolean, correlationID: string) {
  const responseDescription = isSuccess ? 'Success' : 'See the response code';
  return { isSuccess, responseCode, responseDescription, responseTime: '12:00:00', correlationID };
}

function paymentAnswer({ code, payment }: Booking, correlationId: string, more: object): object {
  if (payment === undefined) return { ...result(code, false, correlationId), acquirerReferenceNumber: null };
  return {
    ...result(code, true, correlationId),
    acquirerReferenceNumber: payment.acquirerReferenceNumber,
    transactionID: payment.transactionID,
    authorizationCode: payment.authorizationCode,
    transactionLifecycleId: 'MDJ7A1B2C1122',
    maskedCardNumber: maskedNumber(payment.cardNumber),
    authorizationIdentifier: randomUUID(),
    ...more,
  };
}

function cardInformation(cardNumber: string) {
  const isFromAbroad = cardNumber === VALITOR_CARDS.fromAbroad;
  const cardScheme = cardNumber.startsWith('4') ? 'V' : 'M';
  const use = { cardUsage: 'Credit', cardCategory: 'Consumer', outOfScaScope: isFromAbroad };
  return { cardScheme, issuingCountry: isFromAbroad ? 'US' : 'IS', ...use, cardProductCategory: null };
}

function sendPage(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}
