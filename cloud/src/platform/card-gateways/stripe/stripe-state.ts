import { z } from 'zod';
import type { GatewayOrder, GatewayState } from '../gateway.ts';

/** The order of a state: a state of one payment is worth nothing for another. */
const BOUND = { orderId: z.string(), amountMinor: z.int(), currency: z.string() };
/** `cardMark`: a keyed hash of the payment method, since one card must not be authenticated and another charged. */
const AT_STRIPE = { ...BOUND, intent: z.string(), cardMark: z.string() };

/** The data that the adapter remembers between the steps. */
const StripeStateSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('begun'), ...BOUND, storeCard: z.boolean() }),
  z.object({ step: z.literal('challenge'), ...AT_STRIPE }),
  /** The bank has authenticated the driver: the charge confirms the intent once more. */
  z.object({ step: z.literal('proven'), ...AT_STRIPE }),
  /** The bank holds the amount: the charge captures it. */
  z.object({ step: z.literal('authorized'), ...AT_STRIPE }),
]);
export type StripeState = z.infer<typeof StripeStateSchema>;
export type StateAtStripe = Exclude<StripeState, { step: 'begun' }>;

/** Null: it is not a state of this order. */
export function readState(state: GatewayState, order: GatewayOrder): StripeState | null {
  const read = StripeStateSchema.safeParse(state);
  if (!read.success) return null;
  const { orderId, amountMinor, currency } = read.data;
  const isItsOwn = orderId === order.id && amountMinor === order.amountMinor && currency === order.currency;
  return isItsOwn ? read.data : null;
}

export function boundTo({ id, amountMinor, currency }: GatewayOrder) {
  return { orderId: id, amountMinor, currency };
}
