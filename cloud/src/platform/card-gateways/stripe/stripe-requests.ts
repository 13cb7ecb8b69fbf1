import type Stripe from 'stripe';
import type { CardSource, GatewayOrder } from '../gateway.ts';
import { EXPAND } from './stripe-answers.ts';
import type { StripeSettings } from './stripe-settings.ts';

/** A card that Stripe has: typed into its own field on the page, or stored for us. */
export interface StripeCard {
  paymentMethod: string;
  /** The customer at Stripe who has the stored card; null: none. */
  customer: string | null;
}

/** Names in Stripe's metadata, which only Hlið uses: others may use the same account. */
export const ORDER_KEY = 'hlid_order';
export const REFUND_KEY = 'hlid_refund';

const STORED = /^(cus_\w{1,200})\.(pm_\w{1,200})$/;
const PAYMENT_METHOD = /^pm_\w{1,200}$/;

/** The border of gateways has one text for a token. */
export function writeStoredCard(customer: string, paymentMethod: string): string {
  return `${customer}.${paymentMethod}`;
}

/** Null: it is not a token of this gateway. */
export function readStoredCard(token: string): { customer: string; paymentMethod: string } | null {
  const [, customer, paymentMethod] = STORED.exec(token) ?? [];
  return customer === undefined || paymentMethod === undefined ? null : { customer, paymentMethod };
}

/** Null: a bare card, which never goes to Stripe from here, or what is not of this account. */
export function readCard(source: CardSource, { publishableKey }: StripeSettings): StripeCard | null {
  switch (source.kind) {
    case 'encrypted': {
      const { encryptedCard: paymentMethod, publicKeyAlias } = source;
      const isOurs = publicKeyAlias === publishableKey && PAYMENT_METHOD.test(paymentMethod);
      return isOurs ? { paymentMethod, customer: null } : null;
    }
    case 'token':
      return readStoredCard(source.token);
    case 'card':
      return null;
    default:
      return source satisfies never;
  }
}

/** The fields of every payment intent. The id of the order finds it again. */
function orderFields(
  { id, currency }: GatewayOrder,
  amount: number,
  { paymentMethod, customer }: StripeCard,
) {
  return {
    amount,
    currency: currency.toLowerCase(),
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    metadata: { [ORDER_KEY]: id },
    // Each attempt to pay is made by us: after a challenge it waits for the charge.
    confirmation_method: 'manual',
    ...(customer !== null && { customer }),
    ...EXPAND,
  } satisfies Stripe.PaymentIntentCreateParams;
}

/**
 * The fields by which the card is authenticated, or authorised if the bank requires no challenge. Nothing is
 * captured.
 */
export function authenticationFields(
  order: GatewayOrder,
  amount: number,
  card: StripeCard,
  { storesCard, request }: { storesCard: boolean; request: StripeSettings['requestAuthentication'] },
) {
  return {
    ...orderFields(order, amount, card),
    confirm: true,
    capture_method: 'manual',
    use_stripe_sdk: true,
    payment_method_options: { card: { request_three_d_secure: request } },
    ...(storesCard && { setup_future_usage: 'off_session' }),
  } satisfies Stripe.PaymentIntentCreateParams;
}

/**
 * The fields of a charge without the driver. A second call confirms it, so that it can be found whatever
 * happens to that.
 */
export function storedChargeFields(order: GatewayOrder, amount: number, card: StripeCard) {
  return {
    ...orderFields(order, amount, card),
    capture_method: 'automatic',
  } satisfies Stripe.PaymentIntentCreateParams;
}

export const CONFIRM_STORED = {
  off_session: true,
  ...EXPAND,
} satisfies Stripe.PaymentIntentConfirmParams;

/** The confirmation after a challenge. It captures at once. */
export const CONFIRM_PROVEN = {
  capture_method: 'automatic',
  use_stripe_sdk: true,
  ...EXPAND,
} satisfies Stripe.PaymentIntentConfirmParams;

export const CAPTURE = EXPAND satisfies Stripe.PaymentIntentCaptureParams;

export function customerFields({ id }: GatewayOrder) {
  return { metadata: { [ORDER_KEY]: id } } satisfies Stripe.CustomerCreateParams;
}

export function refundFields(paymentIntent: string, amount: number, id: string) {
  return {
    payment_intent: paymentIntent,
    amount,
    reason: 'requested_by_customer',
    metadata: { [REFUND_KEY]: id },
  } satisfies Stripe.RefundCreateParams;
}
