import { deadline } from '@hlid/node/deadline';
import { fetchErrorCode, isUnsent } from '@hlid/node/errors';
import { readAtMost } from '@hlid/node/read-at-most';
import { z } from 'zod';
import { fetchProvider } from '../provider-fetch.ts';

/** Answers and parameters change with the version, so it is fixed. */
export const STRIPE_VERSION = '2026-10-28.endive';
/** A payment intent has a few KiB, a list of a hundred of them some hundreds. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

const CodeSchema = z
  .string()
  .regex(/^[a-z_\d]{1,100}$/)
  .nullish()
  .catch(null);

/** The body of an error; its message goes no further, it may repeat what was sent. */
const RefusalSchema = z.object({
  error: z.object({
    type: CodeSchema,
    code: CodeSchema,
    decline_code: CodeSchema,
    param: z
      .string()
      .regex(/^[\w[\]]{1,100}$/)
      .nullish()
      .catch(null),
  }),
});

/** Stripe has not done it. */
export interface Refused {
  kind: 'refused';
  status: number;
  /** Stripe's, such as `card_declined`; the type of the error where it names none. */
  code: string;
  /** The bank's reason in Stripe's words. */
  declineCode: string | null;
  /** The parameter that it complains about. */
  param: string | null;
}

/** What came of a call. No text in it repeats what was sent or answered. */
export type Reply<Answer> =
  | { kind: 'ok'; answer: Answer }
  | Refused
  /** It certainly never arrived, or was not worked on. */
  | { kind: 'not-sent'; problem: string }
  /** It may have arrived, and may have been done. */
  | { kind: 'lost'; problem: string };

/** A field of a form: `a[b]=c` is `{ a: { b: 'c' } }`. */
type FormValue = string | number | boolean | readonly FormValue[] | { readonly [name: string]: FormValue };

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  fields?: object;
  /** A call with the same key and the same fields is done once, and answered the same, for a day at least. */
  idempotencyKey?: string;
  /** Once it aborts, the call is not sent, or not waited for any more. */
  signal?: AbortSignal | undefined;
}

/** The calls of Stripe's API. Nothing is sent twice. */
export class StripeCalls {
  readonly #origin: string;
  readonly #secretKey: string;
  readonly #timeoutMs: number;

  constructor(origin: string, { secretKey, timeoutMs }: { secretKey: string; timeoutMs: number }) {
    this.#origin = origin;
    this.#secretKey = secretKey;
    this.#timeoutMs = timeoutMs;
  }

  async send<Schema extends z.ZodType>(call: Call, schema: Schema): Promise<Reply<z.output<Schema>>> {
    if (call.signal?.aborted) return { kind: 'not-sent', problem: 'its time is over' };
    const signal = deadline(this.#timeoutMs, call.signal);
    const form = call.fields && encodeForm(call.fields);
    const query = form && call.method !== 'POST' ? `?${form}` : '';
    try {
      const response = await fetchProvider(this.#origin + call.path + query, {
        method: call.method,
        headers: {
          authorization: `Bearer ${this.#secretKey}`,
          'stripe-version': STRIPE_VERSION,
          ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
        },
        ...(call.method === 'POST' && { body: form ?? new URLSearchParams() }),
        signal,
      });
      return readReply(response.status, await readAtMost(response, MAX_ANSWER_BYTES), schema);
    } catch (error) {
      if (signal.aborted) return { kind: 'lost', problem: `no answer in ${this.#timeoutMs} ms` };
      const problem = fetchErrorCode(error) ?? 'connection broken';
      return { kind: isUnsent(error) ? 'not-sent' : 'lost', problem };
    }
  }
}

export function encodeForm(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  const add = (name: string, value: FormValue) => {
    if (typeof value !== 'object') form.append(name, String(value));
    else for (const [key, each] of Object.entries(value)) add(`${name}[${key}]`, each);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return form;
}

function readReply<Schema extends z.ZodType>(
  status: number,
  text: string | null,
  schema: Schema,
): Reply<z.output<Schema>> {
  if (text === null) return { kind: 'lost', problem: 'the answer is too long' };
  const body = readJson(text);
  if (status >= 200 && status < 300) {
    const answer = schema.safeParse(body);
    if (answer.success) return { kind: 'ok', answer: answer.data };
    return { kind: 'lost', problem: `the answer ${status} cannot be read` };
  }
  // 409: another call with the same key is at work. "Errors": 429 and these have done nothing.
  if (status === 429) return { kind: 'not-sent', problem: 'answered 429, too many requests' };
  if (![400, 401, 402, 403, 404].includes(status)) return { kind: 'lost', problem: `answered ${status}` };
  const refusal = RefusalSchema.safeParse(body);
  if (!refusal.success) return { kind: 'lost', problem: `answered ${status} by somebody else` };
  const { type, code, decline_code: declineCode = null, param = null } = refusal.data.error;
  return { kind: 'refused', status, code: code ?? type ?? String(status), declineCode, param };
}

/** Undefined: it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A reply that is no answer, in words. */
export function problemOf(reply: Exclude<Reply<unknown>, { kind: 'ok' }>): string {
  if (reply.kind !== 'refused') return reply.problem;
  if (reply.status === 401 || reply.status === 403) return 'refuses the secret key';
  return `answered ${reply.status}: ${reply.code}${reply.param === null ? '' : ` (${reply.param})`}`;
}
