import { deadline } from '@hlid/node/deadline';
import { fetchErrorCode, isUnsent } from '@hlid/node/errors';
import { readAtMost } from '@hlid/node/read-at-most';
import { z } from 'zod';
import { fetchProvider } from '../provider-fetch.ts';

/** Answers have a few KiB; a page of transactions has a few dozen. */
const MAX_ANSWER_BYTES = 512 * 1024;

/** The body of an error; its texts go no further, they may repeat what was sent. */
const RefusalSchema = z.object({
  details: z.unknown().optional(),
  reversal_status: z.enum(['NONE', 'REQUIRED', 'COMPLETED']).catch('NONE').default('NONE'),
});
type Reversal = z.infer<typeof RefusalSchema>['reversal_status'];

/** What came of a call. No text in it repeats what was sent or answered. */
export type Reply<Answer> =
  | { kind: 'ok'; answer: Answer }
  /** The service has not done it. `reversal` COMPLETED: it had begun, and has taken it back. */
  | { kind: 'refused'; status: number; fields: readonly string[]; reversal: Reversal }
  /** It certainly never arrived, or was not looked at. */
  | { kind: 'not-sent'; problem: string }
  /** It may have arrived, and may have been done. */
  | { kind: 'lost'; problem: string };

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  idempotencyKey?: string;
  /** Once it aborts, nothing is sent and no answer is waited for. */
  signal?: AbortSignal | undefined;
}

/**
 * The calls of Verifone's eCommerce and 3-D Secure API by HTTP Basic ("Obtaining API keys": user id and API key).
 * Nothing is sent twice.
 */
export class VerifoneCalls {
  readonly #base: string;
  readonly #authorization: string;
  readonly #timeoutMs: number;

  constructor(base: string, user: { userId: string; apiKey: string }, timeoutMs: number) {
    this.#base = base;
    this.#authorization = `Basic ${Buffer.from(`${user.userId}:${user.apiKey}`).toString('base64')}`;
    this.#timeoutMs = timeoutMs;
  }

  async send<Schema extends z.ZodType>(call: Call, schema: Schema): Promise<Reply<z.output<Schema>>> {
    if (call.signal?.aborted) return { kind: 'not-sent', problem: 'its time is over' };
    const signal = deadline(this.#timeoutMs, call.signal);
    try {
      const response = await fetchProvider(this.#address(call), {
        method: call.method,
        headers: this.#headers(call),
        ...(call.body && { body: JSON.stringify(call.body) }),
        signal,
      });
      return readReply(response.status, await readAtMost(response, MAX_ANSWER_BYTES), schema);
    } catch (error) {
      if (signal.aborted) return { kind: 'lost', problem: `no answer in ${this.#timeoutMs} ms` };
      const problem = fetchErrorCode(error) ?? 'connection broken';
      return { kind: isUnsent(error) ? 'not-sent' : 'lost', problem };
    }
  }

  #address({ path, query }: Call): string {
    return query ? `${this.#base}${path}?${new URLSearchParams(query)}` : this.#base + path;
  }

  #headers({ body, idempotencyKey }: Call): Record<string, string> {
    return {
      accept: 'application/json',
      authorization: this.#authorization,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'x-vfi-api-idempotencykey': idempotencyKey }),
    };
  }
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
  const refusal = RefusalSchema.safeParse(body);
  const { reversal_status: reversal, details } = refusal.success
    ? refusal.data
    : { reversal_status: 'NONE' as const, details: null };
  if (reversal === 'COMPLETED' || [400, 401, 403, 404].includes(status)) {
    // Something was begun: only a reversal ends it.
    if (reversal === 'REQUIRED')
      return { kind: 'lost', problem: `answered ${status}, a reversal is required` };
    return { kind: 'refused', status, fields: fieldsIn(details), reversal };
  }
  if (status === 429) return { kind: 'not-sent', problem: 'answered 429, too many requests' };
  return { kind: 'lost', problem: `answered ${status}` };
}

/** Names of fields that the service complains about, such as `body.encrypted_card`. Their values are left alone. */
function fieldsIn(details: unknown): string[] {
  if (typeof details !== 'object' || details === null) return [];
  return Object.keys(details)
    .filter((name) => /^[a-z_.]{1,60}$/i.test(name))
    .slice(0, 20);
}

function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A reply that is no answer, in words. */
export function problemOf(reply: Exclude<Reply<unknown>, { kind: 'ok' }>): string {
  if (reply.kind !== 'refused') return reply.problem;
  const fields = reply.fields.length > 0 ? ` for ${reply.fields.join(', ')}` : '';
  return `answered ${reply.status}${fields}`;
}
