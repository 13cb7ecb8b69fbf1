import { z } from 'zod';
import { type Failure, GatewayHttp } from '../gateway-http.ts';

/** A verification carries a whole page; everything else is short. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** The request was not processed at all; another try may succeed once the operator has mended the cause. */
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
  /** Scaled as in requests: no document confirms it, and a small sale at installation proves it. */
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

/** ValitorPay, API version 2.0. */
export function openValitorPay({
  url,
  apiKey,
  timeoutMs,
}: {
  url: string;
  apiKey: string;
  timeoutMs: number;
}): GatewayHttp {
  return new GatewayHttp({
    address: url.replace(/\/+$/, ''),
    headers: { authorization: `APIKey ${apiKey}`, 'valitorpay-api-version': '2.0' },
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    readRefusal,
  });
}

function readRefusal(status: number, body: unknown): Failure | null {
  const notServed = NOT_SERVED[status];
  if (notServed !== undefined) return { kind: 'not-sent', problem: `${notServed} (HTTP ${status})` };
  if (status < 400 || status >= 500) return null;
  const { data } = RefusalSchema.safeParse(body);
  const names = Object.keys(data?.errors ?? {}).filter((name) => /^[\w.]{1,60}$/.test(name));
  const problem = `it refuses the request (HTTP ${status} ${names.join(', ')})`;
  return { kind: 'refused', status, problem };
}
