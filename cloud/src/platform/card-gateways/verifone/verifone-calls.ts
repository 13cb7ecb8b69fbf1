import { z } from 'zod';
import { type Failure, GatewayHttp, type Refusal, type Reply as ReplyOf } from '../gateway-http.ts';

/** Answers have a few KiB; a page of transactions has a few dozen. */
const MAX_ANSWER_BYTES = 512 * 1024;

/** The body of an error; its texts go no further, they may repeat what was sent. */
const RefusalSchema = z.object({
  details: z.unknown().optional(),
  reversal_status: z.enum(['NONE', 'REQUIRED', 'COMPLETED']).catch('NONE').default('NONE'),
});
type Reversal = z.infer<typeof RefusalSchema>['reversal_status'];
const NO_DETAILS = { reversal_status: 'NONE', details: null } as const;

/** The service has not done it. `reversal` COMPLETED: it had begun, and has taken it back. */
export interface Refused extends Refusal {
  fields: readonly string[];
  reversal: Reversal;
}
export type Reply<Answer> = ReplyOf<Answer, Refused>;

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  idempotencyKey?: string;
}

/**
 * The calls of Verifone's eCommerce and 3-D Secure API by HTTP Basic ("Obtaining API keys": user id and API key).
 * Nothing is sent twice.
 */
export class VerifoneCalls {
  readonly #http: GatewayHttp<Refused>;
  readonly #signal: AbortSignal | undefined;

  /** @param signal once it aborts, nothing is sent and no answer is awaited */
  constructor(http: GatewayHttp<Refused>, signal?: AbortSignal) {
    this.#http = http;
    this.#signal = signal;
  }

  /** The same calls, as long as a signal does not abort. */
  within(signal: AbortSignal | undefined): VerifoneCalls {
    return new VerifoneCalls(this.#http, signal);
  }

  send<Schema extends z.ZodType>({ method, path, query, body, idempotencyKey }: Call, schema: Schema) {
    return this.#http.send(
      {
        method,
        path,
        query: new URLSearchParams(query).toString(),
        json: body,
        headers: idempotencyKey === undefined ? {} : { 'x-vfi-api-idempotencykey': idempotencyKey },
        signal: this.#signal,
      },
      schema,
    );
  }
}

export function openVerifone(
  address: string,
  { userId, apiKey, timeoutMs }: { userId: string; apiKey: string; timeoutMs: number },
): VerifoneCalls {
  const http = new GatewayHttp({
    address,
    headers: { authorization: `Basic ${Buffer.from(`${userId}:${apiKey}`).toString('base64')}` },
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    readRefusal,
  });
  return new VerifoneCalls(http);
}

function readRefusal(status: number, body: unknown): Failure<Refused> | null {
  const { reversal_status: reversal, details } = RefusalSchema.safeParse(body).data ?? NO_DETAILS;
  // Something was begun: only a reversal ends it.
  if (reversal === 'REQUIRED') return { kind: 'lost', problem: `answered ${status}, a reversal is required` };
  if (reversal !== 'COMPLETED' && ![400, 401, 403, 404].includes(status)) return null;
  const fields = fieldsIn(details);
  const about = fields.length > 0 ? ` for ${fields.join(', ')}` : '';
  const isUser = status === 401 || status === 403;
  const problem = isUser ? 'refuses the user id and the API key' : `answered ${status}${about}`;
  return { kind: 'refused', status, problem, fields, reversal };
}

/** Names of fields that the service complains about, such as `body.encrypted_card`. Their values are left alone. */
function fieldsIn(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return [];
  return Object.keys(details)
    .filter((name) => /^[a-z_.]{1,60}$/i.test(name))
    .slice(0, 20);
}
