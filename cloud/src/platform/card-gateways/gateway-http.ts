import { exchangeHttp } from '@hlid/node/http-exchange';
import type { z } from 'zod';

const TOO_MANY_REQUESTS = 429;
/** A timeout of the server, a request with the same key at work, one that came too early: it may be done, or be done yet. */
const UNCERTAIN: readonly number[] = [408, 409, 425];

/** The provider has refused a request, and done nothing. */
export interface Refusal {
  kind: 'refused';
  status: number;
  /** The problem, for operators. It repeats nothing that was sent or answered. */
  problem: string;
}

/** A call that was not done, or with an unknown outcome. No problem repeats what was sent or answered. */
export type Failure<Refused extends Refusal = Refusal> =
  | Refused
  /** It certainly did not arrive, or was not worked on. */
  | { kind: 'not-sent'; problem: string }
  /** It may have arrived, and may have been done: no answer, part of one, one that cannot be read, a fault there. */
  | { kind: 'lost'; problem: string };

/** The outcome of a call to a provider. */
export type Reply<Answer, Refused extends Refusal = Refusal> =
  | { kind: 'ok'; answer: Answer }
  | Failure<Refused>;

export interface GatewayCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after the dialect's address. */
  path: string;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  json?: object | undefined;
  form?: URLSearchParams;
  /** Absent: the gateway's. */
  timeoutMs?: number;
  /** Ends the call: nothing more is sent, and no answer is awaited. */
  signal?: AbortSignal | undefined;
}

/** The peculiarities of one provider. */
export interface GatewayDialect<Refused extends Refusal> {
  /** The base address of all calls, without a slash at the end. */
  address: string;
  /** The headers of every call. */
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  maxAnswerBytes: number;
  /**
   * The meaning of a whole answer with a status that is not 2xx; null: the provider defines none for it. Then
   * 429 was not worked on, and any other may have been done. `body`: its JSON; null: it is empty; undefined:
   * it is not JSON.
   */
  readRefusal(status: number, body: unknown): Failure<Refused> | null;
}

/**
 * The calls to one provider: each is sent once, and its outcome is the same whichever provider it is. Only a request that
 * was not sent, or an answer that reports it, is certain to have done nothing. Never throws.
 */
export class GatewayHttp<Refused extends Refusal = Refusal> {
  readonly #dialect: GatewayDialect<Refused>;

  constructor(dialect: GatewayDialect<Refused>) {
    this.#dialect = dialect;
  }

  async send<Schema extends z.ZodType>(
    call: GatewayCall,
    schema: Schema,
  ): Promise<Reply<z.output<Schema>, Refused>> {
    const { address, timeoutMs, maxAnswerBytes } = this.#dialect;
    const outcome = await exchangeHttp({
      method: call.method,
      url: new URL(`${address}${call.path}${call.query ? `?${call.query}` : ''}`),
      headers: this.#headersOf(call),
      body: bodyOf(call),
      maxAnswerBytes,
      timeoutMs: call.timeoutMs ?? timeoutMs,
      signal: call.signal,
    });
    return outcome.kind === 'answered' ? this.#read(outcome, schema) : outcome;
  }

  #headersOf({ json, form, headers }: GatewayCall): Record<string, string> {
    return {
      accept: 'application/json',
      ...this.#dialect.headers,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    };
  }

  #read<Schema extends z.ZodType>(
    { status, text }: { status: number; text: string },
    schema: Schema,
  ): Reply<z.output<Schema>, Refused> {
    const body = text === '' ? null : readJson(text);
    if (status >= 200 && status < 300) {
      const { data, success } = schema.safeParse(body);
      return success ? { kind: 'ok', answer: data } : lost(`the answer ${status} cannot be read`);
    }
    const refusal = UNCERTAIN.includes(status) ? null : this.#dialect.readRefusal(status, body);
    if (refusal !== null) return refusal;
    if (status === TOO_MANY_REQUESTS) return { kind: 'not-sent', problem: 'answered 429, too many requests' };
    return lost(`answered ${status}`);
  }
}

function lost(problem: string): { kind: 'lost'; problem: string } {
  return { kind: 'lost', problem };
}

function bodyOf({ json, form }: GatewayCall): string | null {
  if (json !== undefined) return JSON.stringify(json);
  return form?.toString() ?? null;
}

/** Undefined: it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
