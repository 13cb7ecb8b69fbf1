import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { GatewayChargeback } from '../gateway.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { readJson } from './stripe-calls.ts';

/** "Verify events": older ones may be replayed by somebody. */
const TOLERANCE_SECONDS = 300;

export type StripeEvent =
  /** `id`: of the event, which may come several times. `dispute` null: it is about something else. */
  | { ok: true; id: string; dispute: GatewayChargeback | null }
  /** It is not from Stripe, too old, or not readable: it changes nothing. */
  | { ok: false; reason: 'not-signed' | 'forged' | 'stale' | 'unreadable' };

const EventSchema = z.object({
  id: z.string().max(255),
  type: z.string().max(255),
  data: z.object({ object: z.unknown() }),
});

const DisputeSchema = z.object({
  id: z.string().max(255),
  payment_intent: z.string().max(255),
  amount: z.int(),
  currency: z.string().regex(/^[a-z]{3}$/),
  reason: z.string().max(100),
  status: z.string().max(100),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish(),
});
const DISPUTE_EVENTS = ['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'];

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
  if (!DISPUTE_EVENTS.includes(type)) return { ok: true, id, dispute: null };
  const object = DisputeSchema.safeParse(data.object).data;
  // An inquiry takes no money. It may become a dispute, which is another event.
  if (object?.status.startsWith('warning_')) return { ok: true, id, dispute: null };
  const currency = object?.currency.toUpperCase() ?? '';
  const amountMinor = object ? fromStripeAmount(object.amount, currency) : null;
  if (object === undefined || amountMinor === null) return { ok: false, reason: 'unreadable' };
  const { id: reference, payment_intent: transactionId, reason: reasonCode, status } = object;
  const dueBy = object.evidence_details?.due_by ?? null;
  return {
    ...{ ok: true, id },
    dispute: {
      ...{ transactionId, reference, amountMinor, currency, reasonCode },
      deadline: dueBy === null ? null : new Date(dueBy * 1000).toISOString().slice(0, 10),
      state: status === 'won' || status === 'lost' ? status : 'open',
    },
  };
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
