import { z } from 'zod';
import { type GatewayCall, GatewayHttp, type Refusal } from '../gateway-http.ts';
import {
  ChangeSchema,
  EnrollmentSchema,
  MultiTokenSchema,
  TransactionSchema,
  ValidationSchema,
} from './borgun-answers.ts';

/** The longest answer is the bank's form. */
const MAX_ANSWER_BYTES = 512 * 1024;

/** The card or token of a payment, in the form of the requests. */
export type PaymentMethod =
  | { PaymentType: 'Card'; PAN: string; ExpYear: string; ExpMonth: string; CVC2?: string }
  | { PaymentType: 'TokenMulti'; Token: string };

export interface EnrollmentRequest {
  CardDetails: PaymentMethod;
  PurchAmount: number;
  Exponent: number;
  Currency: string;
  TermUrl: string;
  MD: string;
  TDS2ThreeDSMethodNotificationURL: string;
}

export interface PaymentRequest {
  TransactionType: 'PreAuthorization';
  Amount: number;
  Currency: string;
  TransactionDate: string;
  OrderId: string;
  PaymentMethod: PaymentMethod;
  ThreeDSecure?: { DataType: 'Token'; MpiToken: string };
}

export interface CardRequest {
  PAN: string;
  ExpMonth: string;
  ExpYear: string;
}

interface BorgunAccess {
  address: string;
  privateKey: string;
  timeoutMs: number;
}

/** The calls of Borgun's Restful Payment Gateway (RPG), each made once. None of them throws. */
export class BorgunCalls {
  readonly #http: GatewayHttp;
  readonly #signal: AbortSignal | undefined;

  /** @param signal once it aborts, nothing is sent and no answer is awaited */
  constructor(http: GatewayHttp, signal?: AbortSignal) {
    this.#http = http;
    this.#signal = signal;
  }

  /** The same calls, as long as a signal does not abort. */
  within(signal: AbortSignal | undefined): BorgunCalls {
    return new BorgunCalls(this.#http, signal);
  }

  createMultiToken(card: CardRequest) {
    return this.#call('POST', 'token/multi', MultiTokenSchema, card);
  }

  disableMultiToken(token: string) {
    return this.#call('PUT', `token/multi/${encodeURIComponent(token)}/disable`, z.unknown());
  }

  enroll(request: EnrollmentRequest | { XId: string; TxId: string; TDS2ThreeDSCompInd: 'Y' | 'N' }) {
    return this.#call('POST', 'mpi/v2/enrollment', EnrollmentSchema, request);
  }

  validate(result: { PARes: string } | { CRes: string }) {
    return this.#call('POST', 'mpi/v2/validation', ValidationSchema, result);
  }

  pay(request: PaymentRequest) {
    return this.#call('POST', 'payment', TransactionSchema, request);
  }

  find(transactionId: string) {
    return this.#call('GET', `payment/${encodeURIComponent(transactionId)}`, TransactionSchema);
  }

  capture(transactionId: string) {
    return this.#call('PUT', `payment/${encodeURIComponent(transactionId)}/capture`, ChangeSchema);
  }

  cancel(transactionId: string) {
    return this.#call('PUT', `payment/${encodeURIComponent(transactionId)}/cancel`, ChangeSchema);
  }

  /** @param amount absent: the whole */
  refund(transactionId: string, amount?: number) {
    const part = amount === undefined ? {} : { PartialAmount: amount };
    return this.#call('PUT', `payment/${encodeURIComponent(transactionId)}/refund`, ChangeSchema, part);
  }

  #call<Schema extends z.ZodType>(
    method: GatewayCall['method'],
    path: string,
    schema: Schema,
    json?: object,
  ) {
    return this.#http.send({ method, path: `/api/${path}`, json, signal: this.#signal }, schema);
  }
}

export function openBorgun({ address, privateKey, timeoutMs }: BorgunAccess): BorgunCalls {
  const http = new GatewayHttp({
    address: address.replace(/\/+$/, ''),
    // The key is the name, and there is no password.
    headers: { authorization: `Basic ${Buffer.from(`${privateKey}:`).toString('base64')}` },
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    readRefusal,
  });
  return new BorgunCalls(http);
}

/** It understood the request, and did nothing. */
function readRefusal(status: number): Refusal | null {
  if (status < 400 || status >= 500 || status === 429) return null;
  return { kind: 'refused', status, problem: `answered ${status}` };
}
