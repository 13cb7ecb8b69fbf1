import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChargeFault, PostForm } from './gateway-rigs.ts';
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
  /** Of a payment facilitator's key; null: the key of a merchant. */
  agreement?: ValitorAgreement | null;
  now?: () => Date;
}

/** What the next requests meet. */
interface Faults {
  charge: ChargeFault | null;
  /** The next refund is booked, and its answer lost. */
  losesRefund: boolean;
  /** The next sales are answered with these codes, in their order; booked or not. */
  codes: { code: string; books: boolean; isSuccess?: boolean }[];
  /** In the next approval. */
  lie: Record<string, unknown> | null;
  /** The next sale waits on the way until it is let through. */
  holdsSale: boolean;
  /** By which the bank's form for the next verification comes to us, before the verification is answered. */
  callsBackFirst: PostForm | null;
  storesNoCards: boolean;
  /** Every sale is looked at only after so long, whether anybody still waits for its answer or not. */
  saleMs: number;
  /** Every call is answered with this status. */
  status: number | null;
}

/** Where redirects lead. */
const ELSEWHERE = '/elsewhere';

const NO_FAULTS: Faults = {
  charge: null,
  losesRefund: false,
  codes: [],
  lie: null,
  holdsSale: false,
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
export class ValitorGatewaySimulator {
  readonly books: ValitorBooks;
  readonly faults: Faults = structuredClone(NO_FAULTS);
  /** Well-formed requests, in their order. */
  readonly requests: ValitorRequest[] = [];
  /** What it refused by its format, and why. */
  readonly complaints: string[] = [];
  readonly #options: ValitorGatewayOptions;
  readonly #held: (() => void)[] = [];
  #server: Server | null = null;
  #port = 0;

  constructor(options: ValitorGatewayOptions) {
    this.#options = options;
    this.books = new ValitorBooks(options.now ?? (() => new Date()));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** At the same address as before, if it was started before. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.complaints.push(String(error));
        response.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** Lets the sales through that were held on the way. */
  letThrough(): void {
    for (const go of this.#held.splice(0)) go();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = new URL(request.url ?? '/', this.url).pathname.toLowerCase();
    if (path.startsWith('/bank')) return this.#serveBank(path, new URLSearchParams(text), response);
    const { status } = this.faults;
    if (status !== null && path !== ELSEWHERE) {
      // Only a redirect is one, and nobody may follow it with a card.
      response.setHeader('location', ELSEWHERE);
      return send(response, status, {});
    }
    const refusal = this.#whyRefused(request, path);
    if (refusal !== null) {
      this.complaints.push(`${path}: HTTP ${refusal}`);
      return send(response, refusal, { title: 'refused' });
    }
    const read = readValitorRequest(path, parsed(text), this.#options.agreement ?? null);
    if ('errors' in read) {
      // The real one may quote values in its messages, so this one does: the whole body.
      this.complaints.push(`${path}: ${JSON.stringify(read.errors)}`);
      const errors = Object.fromEntries(
        Object.entries(read.errors).map(([name, why]) => [name, [...why, text]]),
      );
      return send(response, 400, { title: 'One or more validation errors occurred.', status: 400, errors });
    }
    this.requests.push(read);
    await this.#answer(read, response);
  }

  #whyRefused({ method, headers }: IncomingMessage, path: string): number | null {
    if (headers.authorization !== `APIKey ${this.#options.apiKey}`) return 401;
    if (!(path in VALITOR_CALLS)) return 404;
    if (method !== 'POST') return 405;
    if (!headers['content-type']?.startsWith('application/json')) return 415;
    return headers['valitorpay-api-version'] === '2.0' ? null : 400;
  }

  async #answer(request: ValitorRequest, response: ServerResponse): Promise<void> {
    if (!isSale(request)) {
      const answer = this.#answerOf(request);
      if (request.path === '/cardverification') await this.#callBack();
      const isRefund = 'originalCorrelationId' in request.body || 'operation' in request.body;
      const isLost = this.faults.losesRefund && isRefund;
      if (isLost) this.faults.losesRefund = false;
      if (isLost) response.socket?.resetAndDestroy();
      else send(response, 200, answer);
    } else if (this.faults.holdsSale) {
      this.faults.holdsSale = false;
      this.#held.push(() => this.#answerSale(request, response));
    } else if (this.faults.saleMs > 0) {
      setTimeout(() => this.#answerSale(request, response), this.faults.saleMs);
    } else this.#answerSale(request, response);
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
    const fields = { _charset_: 'UTF-8', creq: id, MD: body.MD, TermUrl: `${this.url}/bank` };
    return {
      ...result('C1', true, body.correlationId),
      cardVerificationRawResponse: '<!doctype html><title>3-D Secure</title>',
      postUrl: `${this.url}/bank`,
      verificationFields: Object.entries(fields).map(([name, value]) => ({ name, value })),
      additionalFields: [],
      scriptPath: `${this.url}/bank.js`,
      cardInformation: cardInformation(body.cardNumber),
    };
  }

  /** The bank has decided, and the browser was faster than our answer. */
  async #callBack(): Promise<void> {
    const { callsBackFirst } = this.faults;
    const verification = [...this.books.verifications.values()].at(-1);
    if (callsBackFirst === null || verification === undefined) return;
    this.faults.callsBackFirst = null;
    this.books.decide(verification, true);
    const { action, fields } = readForm(returnPage(verification));
    await callsBackFirst(action, fields);
  }

  #answerSale(sale: ValitorSale, response: ServerResponse): void {
    const fault = this.faults.charge;
    this.faults.charge = null;
    const scripted = fault === null ? this.faults.codes.shift() : undefined;
    const books = fault === null ? scripted?.books !== false : fault.endsWith('after-booking');
    const booking = books ? this.#sell(sale) : { code: '96' };
    if (fault !== null) misbehave(fault, response);
    else if (scripted !== undefined)
      send(response, 200, result(scripted.code, scripted.isSuccess ?? false, sale.body.correlationId));
    else send(response, 200, { ...this.#saleAnswer(sale, booking), ...(booking.payment && this.#takeLie()) });
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

  #sell({ path, body }: ValitorSale): Booking {
    return path === '/payment/cardpayment' ? this.books.sellByCard(body) : this.books.sellByVirtualCard(body);
  }

  /** What the browser sees: the bank's question, where it has one, and then the form that goes to us. */
  #serveBank(path: string, fields: URLSearchParams, response: ServerResponse): void {
    const verification = this.books.verifications.get(fields.get('creq') ?? '');
    const isDecided = path === '/bank/decision';
    if (verification === undefined || fields.get('MD') !== verification.request.MD) {
      send(response, 400, { title: 'no such verification' });
    } else if (verification.script.challenged && !isDecided) {
      sendPage(response, bankPage(verification));
    } else {
      this.books.decide(verification, !isDecided || fields.get('act') === 'accept');
      sendPage(response, returnPage(verification));
    }
  }
}

function misbehave(fault: ChargeFault, response: ServerResponse): void {
  if (fault.startsWith('silent')) return;
  if (fault.startsWith('reset')) response.socket?.resetAndDestroy();
  else if (fault.startsWith('error'))
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Server Error</h1>');
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{"isSuccess": tr');
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

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendPage(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
