import { deadline } from '@hlid/node/deadline';
import { fetchErrorCode, isUnsent } from '@hlid/node/errors';
import { readAtMost } from '@hlid/node/read-at-most';
import { messageOf } from '@hlid/protocol/base/fault';
import type { z } from 'zod';
import { fetchProvider } from '../provider-fetch.ts';
import {
  ChangeSchema,
  EnrollmentSchema,
  MultiTokenSchema,
  TransactionSchema,
  ValidationSchema,
} from './borgun-answers.ts';

/** The longest answer is the bank's form. */
const MAX_ANSWER_BYTES = 512 * 1024;
const REQUEST_TIMEOUT = 408;
const FIRST_SERVER_ERROR = 500;

/** No variant contains anything that the provider wrote, since it may repeat a card. */
export type Reply<T> =
  | { kind: 'ok'; value: T }
  /** It understood the request, and did nothing. */
  | { kind: 'refused'; status: number }
  /** The request certainly did not arrive. */
  | { kind: 'unreachable'; problem: string }
  /** It may have been done: no answer, a broken one, a fault of the server. */
  | { kind: 'lost'; problem: string };

/** What a card is paid with, as the requests name it. */
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
  readonly #address: string;
  readonly #authorization: string;
  readonly #options: BorgunAccess;
  readonly #signal: AbortSignal | undefined;

  /** @param signal once it aborts, nothing is sent and no answer is waited for */
  constructor(options: BorgunAccess, signal?: AbortSignal) {
    this.#address = options.address.replace(/\/+$/, '');
    // The key is the name, and there is no password.
    this.#authorization = `Basic ${Buffer.from(`${options.privateKey}:`).toString('base64')}`;
    this.#options = options;
    this.#signal = signal;
  }

  /** The same calls, as long as a signal does not abort. */
  within(signal: AbortSignal | undefined): BorgunCalls {
    return new BorgunCalls(this.#options, signal);
  }

  createMultiToken(card: CardRequest) {
    return this.#call('POST', 'token/multi', MultiTokenSchema, card);
  }

  disableMultiToken(token: string) {
    return this.#call('PUT', `token/multi/${encodeURIComponent(token)}/disable`, null);
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

  /** @param schema null: the answer has no content that anybody needs */
  async #call<T = null>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    schema: z.ZodType<T> | null,
    body?: object,
  ): Promise<Reply<T>> {
    const { timeoutMs } = this.#options;
    if (this.#signal?.aborted) return { kind: 'unreachable', problem: 'its time is over' };
    const signal = deadline(timeoutMs, this.#signal);
    try {
      const response = await fetchProvider(`${this.#address}/api/${path}`, {
        method,
        headers: {
          authorization: this.#authorization,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      });
      const { status } = response;
      if (status >= FIRST_SERVER_ERROR || status === REQUEST_TIMEOUT || (status >= 300 && status < 400)) {
        await response.body?.cancel();
        return { kind: 'lost', problem: `Borgun answered ${status}` };
      }
      if (!response.ok) {
        await response.body?.cancel();
        return { kind: 'refused', status };
      }
      return read(await readAtMost(response, MAX_ANSWER_BYTES), schema);
    } catch (error) {
      if (signal.aborted) return { kind: 'lost', problem: `no answer within ${timeoutMs} ms` };
      const problem = fetchErrorCode(error) ?? messageOf(error);
      return { kind: isUnsent(error) ? 'unreachable' : 'lost', problem };
    }
  }
}

function read<T>(text: string | null, schema: z.ZodType<T> | null): Reply<T> {
  if (text === null) return { kind: 'lost', problem: 'an answer without end' };
  try {
    // Without a schema, T is null.
    if (schema === null) return { kind: 'ok', value: null as T };
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return { kind: 'ok', value: parsed.data };
  } catch {
    // Not JSON.
  }
  return { kind: 'lost', problem: 'an answer that cannot be read' };
}
