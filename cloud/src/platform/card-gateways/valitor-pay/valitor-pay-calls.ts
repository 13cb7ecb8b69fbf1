import { deadline } from '@hlid/node/deadline';
import { fetchErrorCode, isUnsent } from '@hlid/node/errors';
import { readAtMost } from '@hlid/node/read-at-most';
import { z } from 'zod';
import { fetchProvider } from '../provider-fetch.ts';

/** A verification carries a whole page; everything else is short. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** It has not looked at the request at all; another try may succeed once somebody has put that right. */
const NOT_SERVED: Readonly<Record<number, string>> = {
  401: 'it does not accept the API key',
  403: 'it does not accept the API key',
  404: 'there is no ValitorPay at this address',
  405: 'there is no ValitorPay at this address',
  429: 'it gets too many requests',
};

const ResultSchema = z.object({
  isSuccess: z.boolean(),
  responseCode: z.string().min(2),
  /** The samples write `correlationId` and `correlationID`. */
  correlationId: z.string().nullish(),
  correlationID: z.string().nullish(),
});

const InformationSchema = z.object({
  cardScheme: z.string().nullish(),
  /** The law asks for no strong authentication: such as a card from outside of the European Economic Area. */
  outOfScaScope: z.boolean().nullish().catch(null),
});

/** "Payment": the answer to a payment or a refund. Approvals carry the ids; newer answers name the amount, too. */
export const PaymentAnswerSchema = ResultSchema.extend({
  acquirerReferenceNumber: z.string().nullish(),
  transactionID: z.string().nullish(),
  authorizationCode: z.string().nullish(),
  transactionLifecycleId: z.string().nullish(),
  maskedCardNumber: z.string().nullish(),
  cardInformation: InformationSchema.nullish(),
  /** Scaled as in requests: no document says so, and a small sale at installation proves it. */
  authorizedAmount: z.number().nullish(),
  currency: z.string().nullish(),
});
export type PaymentAnswer = z.infer<typeof PaymentAnswerSchema>;

/** "Card verification". */
export const VerificationAnswerSchema = ResultSchema.extend({
  cardVerificationRawResponse: z.string().nullish(),
  postUrl: z.string().nullish(),
  verificationFields: z.array(z.object({ name: z.string().min(1), value: z.string().nullable() })).nullish(),
  scriptPath: z.string().nullish(),
  cardInformation: InformationSchema.nullish(),
});
export type VerificationAnswer = z.infer<typeof VerificationAnswerSchema>;

export const VirtualCardAnswerSchema = ResultSchema.extend({ virtualCard: z.string().min(1).nullish() });
export const VirtualCardDataAnswerSchema = ResultSchema;

/** A refusal of the request's format: which fields. The messages stay out of it, since they may repeat a value. */
const RefusalSchema = z.object({ errors: z.record(z.string(), z.unknown()) });

export type Reply<T> =
  | { kind: 'answered'; answer: T }
  /** It does not accept the request as such: nothing was done. */
  | { kind: 'refused'; problem: string }
  /** The request was not sent, or certainly not worked on. */
  | { kind: 'unreachable'; problem: string }
  /** It may have been done. */
  | { kind: 'lost'; problem: string };

export interface ValitorPayAccess {
  url: string;
  apiKey: string;
  timeoutMs: number;
  /** Once it aborts, nothing is sent and no answer is waited for. */
  signal?: AbortSignal | undefined;
}

/**
 * One POST to ValitorPay, API version 2.0. Never throws. Bodies hold card data, so no problem quotes a request, an answer
 * or an error that may quote one.
 */
export async function callValitorPay<T extends z.ZodType>(
  { url, apiKey, timeoutMs, signal: until }: ValitorPayAccess,
  path: string,
  body: Readonly<Record<string, unknown>>,
  schema: T,
): Promise<Reply<z.infer<T>>> {
  if (until?.aborted) return { kind: 'unreachable', problem: 'its time is over' };
  const signal = deadline(timeoutMs, until);
  try {
    const response = await fetchProvider(new URL(path, url), {
      method: 'POST',
      headers: {
        authorization: `APIKey ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'valitorpay-api-version': '2.0',
      },
      body: JSON.stringify(body),
      signal,
    });
    return await readResponse(response, schema);
  } catch (error) {
    if (signal.aborted) return { kind: 'lost', problem: `no answer within ${timeoutMs} ms` };
    const code = fetchErrorCode(error) ?? 'no reason';
    if (isUnsent(error)) return { kind: 'unreachable', problem: `it cannot be reached (${code})` };
    return { kind: 'lost', problem: `the connection broke (${code})` };
  }
}

async function readResponse<T extends z.ZodType>(response: Response, schema: T): Promise<Reply<z.infer<T>>> {
  const { status } = response;
  const notServed = NOT_SERVED[status];
  if (notServed !== undefined) {
    await response.body?.cancel();
    return { kind: 'unreachable', problem: `${notServed} (HTTP ${status})` };
  }
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  if (!response.ok && !isRefusal) {
    await response.body?.cancel();
    return { kind: 'lost', problem: `it answers with HTTP ${status}` };
  }
  const text = await readAtMost(response, MAX_ANSWER_BYTES);
  const json = text === null ? undefined : parsed(text);
  if (isRefusal) {
    const { data } = RefusalSchema.safeParse(json);
    const names = Object.keys(data?.errors ?? {}).filter((name) => /^[\w.]{1,60}$/.test(name));
    return { kind: 'refused', problem: `it refuses the request (HTTP ${status} ${names.join(', ')})` };
  }
  const { data } = schema.safeParse(json);
  return data === undefined
    ? { kind: 'lost', problem: 'its answer cannot be read' }
    : { kind: 'answered', answer: data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
