import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { GatewayChargeback, GatewayRefund } from '../gateway.ts';
import { readJson } from '../gateway-http.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { REFUND_KEY } from './stripe-requests.ts';

/** "Verify events": older ones may be replayed by an attacker. */
const TOLERANCE_SECONDS = 300;

export type StripeEvent =
  /** `id`: of the event, which may come several times. Both null: it is about something else. */
  | { ok: true; id: string; dispute: GatewayChargeback | null; refund: GatewayRefund | null }
  /** It is not from Stripe, too old, or not readable: it changes nothing. */
  | { ok: false; reason: 'not-signed' | 'forged' | 'stale' | 'unreadable' };

const EventSchema = z.object({
  id: z.string().max(255),
  type: z.string().max(255),
  data: z.object({ object: z.unknown() }),
});

const DisputeSchema = z.object({
  id: z.string().max(255),
  payment_intent: z.string().max(255).nullish(),
  amount: z.int(),
  currency: z.string().regex(/^[a-z]{3}$/),
  reason: z.string().max(100),
  status: z.string().max(100),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish(),
});
/** A dispute that was closed may be reinstated or withdrawn later: an appeal, or a bank that changes its mind. */
const DISPUTE_EVENTS = 'charge.dispute.';

const CurrencySchema = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((currency) => currency.toUpperCase());

/** `payment_intent` null: of a charge that we did not make. */
const RefundSchema = z.object({
  id: z.string().max(255),
  payment_intent: z.string().max(255).nullish(),
  amount: z.int(),
  currency: CurrencySchema,
  status: z.string().max(100).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
/** `charge.refund.updated` is its name before 2024. */
const REFUND_EVENTS = ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'];

const RefundedChargeSchema = z.object({
  payment_intent: z.string().max(255).nullish(),
  amount_refunded: z.int(),
  currency: CurrencySchema,
});
const REFUNDED_EVENT = 'charge.refunded';

/**
 * An event of Stripe's webhook.
 *
 * @param body as it came, before it is parsed: the signature is over it
 * @param signature the header `Stripe-Signature`
 */
export function readStripeEvent(
  body: string,
  signature: string | null,
  secret: string,
  now: Date,
): StripeEvent {
  const problem = problemOfSignature(body, signature, secret, now);
  if (problem !== null) return { ok: false, reason: problem };
  const event = EventSchema.safeParse(readJson(body)).data;
  if (event === undefined) return { ok: false, reason: 'unreadable' };
  const { id, type, data } = event;
  const read = readObject(type, data.object);
  if (read === undefined) return { ok: false, reason: 'unreadable' };
  return { ok: true, id, dispute: null, refund: null, ...read };
}

/** Undefined: it cannot be read. */
function readObject(
  type: string,
  object: unknown,
): { dispute?: GatewayChargeback | null; refund?: GatewayRefund | null } | undefined {
  if (type.startsWith(DISPUTE_EVENTS)) {
    const dispute = readDispute(object);
    return dispute === undefined ? undefined : { dispute };
  }
  const refund = REFUND_EVENTS.includes(type)
    ? readRefund(object)
    : type === REFUNDED_EVENT
      ? readRefundedCharge(object)
      : null;
  return { refund };
}

function readDispute(object: unknown): GatewayChargeback | null | undefined {
  const dispute = DisputeSchema.safeParse(object).data;
  // An inquiry takes no money. It may become a dispute, which is another event.
  if (dispute?.status.startsWith('warning_')) return null;
  const currency = dispute?.currency.toUpperCase() ?? '';
  const amountMinor = dispute ? fromStripeAmount(dispute.amount, currency) : null;
  if (dispute === undefined || amountMinor === null) return undefined;
  if (!dispute.payment_intent) return null;
  const { id: reference, payment_intent: transactionId, reason: reasonCode, status } = dispute;
  const dueBy = dispute.evidence_details?.due_by ?? null;
  return {
    transactionId,
    reference,
    amountMinor,
    currency,
    reasonCode,
    deadline: dueBy === null ? null : new Date(dueBy * 1000).toISOString().slice(0, 10),
    state: stateOfDispute(status),
  };
}

function stateOfDispute(status: string): GatewayChargeback['state'] {
  return status === 'won' || status === 'prevented' || status === 'lost' ? status : 'open';
}

/** Null: it concerns no payment of this cloud. */
function readRefund(object: unknown): GatewayRefund | null {
  const refund = RefundSchema.safeParse(object).data;
  if (refund === undefined) return null;
  const { payment_intent: transactionId, currency, status, metadata } = refund;
  const amountMinor = fromStripeAmount(refund.amount, currency);
  if (amountMinor === null || !transactionId) return null;
  return {
    kind: 'one',
    transactionId,
    currency,
    amountMinor,
    reference: refund.id,
    refundId: metadata?.[REFUND_KEY] ?? null,
    state: stateOfRefund(status),
  };
}

/**
 * The state of a refund at Stripe, by "The Refund object". One without a status is an old one, which is done.
 */
export function stateOfRefund(status: string | null | undefined): 'pending' | 'refunded' | 'failed' {
  switch (status) {
    case 'failed':
    case 'canceled':
      return 'failed';
    case 'pending':
    case 'requires_action':
      return 'pending';
    default:
      return 'refunded';
  }
}

function readRefundedCharge(object: unknown): GatewayRefund | null {
  const charge = RefundedChargeSchema.safeParse(object).data;
  if (charge === undefined) return null;
  const { payment_intent: transactionId, currency } = charge;
  const amountMinor = fromStripeAmount(charge.amount_refunded, currency);
  if (amountMinor === null) return null;
  return transactionId ? { kind: 'sum', transactionId, currency, amountMinor } : null;
}

/** `t=…,v1=…`: an HMAC over the time and the body; several while the secret is changed. */
function problemOfSignature(
  body: string,
  signature: string | null,
  secret: string,
  now: Date,
): 'not-signed' | 'forged' | 'stale' | null {
  const parts = (signature ?? '').split(',').map((part) => part.split('='));
  const values = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [time] = values('t');
  const signatures = values('v1');
  if (time === undefined || !/^\d{1,12}$/.test(time) || signatures.length === 0) return 'not-signed';
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  const isGenuine = signatures.some((given) => {
    const bytes = Buffer.from(given, 'hex');
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!isGenuine) return 'forged';
  return Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_SECONDS ? 'stale' : null;
}
