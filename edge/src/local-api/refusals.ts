import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { PAYMENT_REASON_WORDS } from '@hlid/protocol/base/mistakes/payment-reasons/payment-reason-words';
import { paymentReasonText } from '@hlid/protocol/base/mistakes/payment-words';
import { REFUSALS_EN } from '@hlid/protocol/base/mistakes/refusals/refusals-en';
import { refusalLine } from '@hlid/protocol/base/mistakes/say-refusal';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';

/** Answers with the reason of a refusal, in words for who made the call. */
export function refuse(c: Context, status: ContentfulStatusCode, message: string): Response {
  return c.json({ messages: [message] }, status);
}

/** The same for the kiosk; its page shows a separate text for each code. */
export function refuseKiosk(c: Context, fault: KioskFault, ...messages: string[]): Response {
  return c.json({ code: fault, messages: messages.length > 0 ? messages : [textOf(fault)] }, STATUS[fault]);
}

/** Parses what a kiosk sent; answers with all that is wrong with it, or as `handle` does. */
export async function withValid<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  input: unknown,
  handle: (valid: z.output<Schema>) => Response | Promise<Response>,
): Promise<Response> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return await handle(parsed.data);
  const mistakes = inputMistakes(parsed.error);
  return refuseKiosk(c, 'bad-input', ...mistakes.map((found) => refusalLine(found, REFUSALS_EN)));
}

/** The same for the body of the request. */
export async function withBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  handle: (body: z.output<Schema>) => Response | Promise<Response>,
): Promise<Response> {
  return withValid(c, schema, await readJson(c), handle);
}

/** The body of the request; undefined where it is not JSON. */
export async function readJson(c: Context): Promise<unknown> {
  return await c.req.json().catch(() => undefined);
}

const STATUS: Record<KioskFault, ContentfulStatusCode> = {
  'not-found': 404,
  'bad-input': 400,
  'too-many-requests': 429,
  'terminal-busy': 409,
  'terminal-away': 503,
  'payment-under-way': 409,
  'nothing-due': 409,
  'too-little': 400,
  'not-for-sale': 400,
  'amount-changed': 409,
  'key-reused': 422,
  'visit-ended': 409,
  'not-in-doubt': 409,
  'no-terminal': 503,
  'cloud-away': 503,
  'not-offered': 409,
  'wrong-code': 409,
  'code-expired': 409,
  failed: 500,
};

function textOf(fault: KioskFault): string {
  switch (fault) {
    case 'not-found':
      return 'There is nothing here.';
    case 'bad-input':
      return 'The request is not valid.';
    case 'too-many-requests':
      return 'Too many searches for visits just now. Try again in a minute.';
    case 'not-in-doubt':
      return 'No car with an uncertain plate waits at an exit for this visit.';
    case 'cloud-away':
      return 'The cloud does not answer, or does not have this visit yet.';
    case 'wrong-code':
      return 'This is no code of a payment for this visit.';
    case 'code-expired':
      return 'The code is too old.';
    case 'not-offered':
      return 'The payment page takes no cards for this site.';
    case 'failed':
      return 'This failed. The reason is in the log.';
    default:
      return paymentReasonText(fault, PAYMENT_REASON_WORDS.en);
  }
}
