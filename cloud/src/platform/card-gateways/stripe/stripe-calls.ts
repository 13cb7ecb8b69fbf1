import { z } from 'zod';
import { type Failure, GatewayHttp, type Refusal } from '../gateway-http.ts';

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
export interface Refused extends Refusal {
  /** Stripe's, such as `card_declined`; the type of the error where it names none. */
  code: string;
  /** The bank's reason in Stripe's words. */
  declineCode: string | null;
  /** The parameter that it complains about. */
  param: string | null;
}

/** A field of a form: `a[b]=c` is `{ a: { b: 'c' } }`. */
type FormValue = string | number | boolean | readonly FormValue[] | { readonly [name: string]: FormValue };

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  fields?: object;
  /** A call with the same key and the same fields is done once, and answered the same, for a day at least. */
  idempotencyKey?: string;
  /** Ends the call: it is not sent, and no answer is awaited. */
  signal?: AbortSignal | undefined;
}

/** The calls of Stripe's API. Nothing is sent twice. */
export class StripeCalls {
  readonly #http: GatewayHttp<Refused>;

  constructor(origin: string, { secretKey, timeoutMs }: { secretKey: string; timeoutMs: number }) {
    this.#http = new GatewayHttp({
      address: origin,
      headers: { authorization: `Bearer ${secretKey}`, 'stripe-version': STRIPE_VERSION },
      timeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      readRefusal,
    });
  }

  send<Schema extends z.ZodType>(
    { method, path, fields = {}, idempotencyKey, signal }: Call,
    schema: Schema,
  ) {
    const form = encodeForm(fields);
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const sent = method === 'POST' ? { form } : { query: form.toString() };
    return this.#http.send({ method, path, headers, signal, ...sent }, schema);
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

/** "Errors": these have done nothing, if it is Stripe that answers. */
function readRefusal(status: number, body: unknown): Failure<Refused> | null {
  if (![400, 401, 402, 403, 404].includes(status)) return null;
  const refusal = RefusalSchema.safeParse(body);
  if (!refusal.success) return { kind: 'lost', problem: `answered ${status}, and not by Stripe` };
  const { type, code: named, decline_code: declineCode = null, param = null } = refusal.data.error;
  const code = named ?? type ?? String(status);
  const isKey = status === 401 || status === 403;
  const why = `answered ${status}: ${code}${param === null ? '' : ` (${param})`}`;
  return {
    kind: 'refused',
    status,
    problem: isKey ? 'refuses the secret key' : why,
    code,
    declineCode,
    param,
  };
}
