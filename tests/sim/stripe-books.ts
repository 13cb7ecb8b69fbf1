import { randomBytes } from 'node:crypto';

/** The merchant's account in the simulator. */
export const STRIPE_ACCOUNT = {
  secretKey: 'sk_test_simAccount4eC39HqLyjWDarjtT1zdp7dc',
  publishableKey: 'pk_test_simAccountTYooMQauvdEDq54NiTphI7jx',
  webhookSecret: 'whsec_simAccount8a1c000000000000000000',
} as const;

/** The behaviour of a test card's bank. */
interface Bank {
  challenges?: true;
  /** Stripe's code and the bank's. */
  declines?: { code: string; declineCode: string };
  /** It declines without the driver, whatever was proved before. */
  declinesOffSession?: true;
}

const declined = (declineCode: string, code = 'card_declined') => ({ declines: { code, declineCode } });

/** Numbers of Stripe's page "Test card numbers", and some of our own for what it has none for. */
export const STRIPE_CARDS = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  challenged: '4000002500003155',
  refused: '4000000000000002',
  'no-funds': '4000000000009995',
  expired: '4000000000000069',
  stolen: '4000000000009979',
  'busy-bank': '4000000000000119',
  'authenticate-again': '4000003800000446',
  'no-funds-later': '4000008260003178',
  'asks-off-session': '4000002760003184',
} as const;
export type StripeTestCard = keyof typeof STRIPE_CARDS;

const BANKS: Readonly<Record<StripeTestCard, Bank>> = {
  good: {},
  mastercard: {},
  challenged: { challenges: true },
  refused: declined('generic_decline'),
  'no-funds': declined('insufficient_funds'),
  expired: declined('expired_card', 'expired_card'),
  stolen: declined('stolen_card'),
  'busy-bank': declined('processing_error', 'processing_error'),
  'authenticate-again': {
    challenges: true,
    ...declined('authentication_required', 'authentication_required'),
  },
  'no-funds-later': { challenges: true, ...declined('insufficient_funds') },
  'asks-off-session': { declinesOffSession: true },
};

export function bankOf(number: string): Bank {
  const found = Object.entries(STRIPE_CARDS).find(([, known]) => known === number);
  return found ? BANKS[found[0] as StripeTestCard] : declined('incorrect_number', 'incorrect_number');
}

export interface SimMethod {
  id: string;
  number: string;
  customer: string | null;
  /** The intent that used it, without a customer: it cannot be used again. */
  usedBy: string | null;
  wallet: 'apple_pay' | 'google_pay' | null;
}

export interface SimIntent {
  id: string;
  secret: string;
  amount: number;
  currency: string;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'requires_capture'
    | 'succeeded'
    | 'canceled';
  captureMethod: string;
  confirmationMethod: string;
  customer: string | null;
  method: string | null;
  metadata: Record<string, string>;
  setupFutureUsage: string | null;
  created: number;
  received: number;
  /** The driver has passed the challenge. */
  isProven: boolean;
  error: { code: string; declineCode: string } | null;
  authorization: string;
}

export interface SimRefund {
  id: string;
  intent: string;
  amount: number;
  status: 'succeeded' | 'pending' | 'failed';
  metadata: Record<string, string>;
}

/** The cards, authorisations and bookings of a simulated Stripe. */
export class StripeBooks {
  readonly methods = new Map<string, SimMethod>();
  readonly intents: SimIntent[] = [];
  readonly refunds: SimRefund[] = [];
  readonly customers = new Map<string, { metadata: Record<string, string> }>();
  /** Its clock. */
  now = () => new Date();

  /** Makes a payment method from a card, as the page's field does. */
  createMethod(number: string, wallet: SimMethod['wallet'] = null): SimMethod {
    const method: SimMethod = { id: newId('pm'), number, customer: null, usedBy: null, wallet };
    this.methods.set(method.id, method);
    return method;
  }

  createCustomer(metadata: Record<string, string>): string {
    const id = newId('cus');
    this.customers.set(id, { metadata });
    return id;
  }

  /** A customer takes its cards along. */
  deleteCustomer(id: string): boolean {
    for (const method of this.methods.values()) if (method.customer === id) method.customer = 'gone';
    return this.customers.delete(id);
  }

  intent(id: string): SimIntent | null {
    return this.intents.find((intent) => intent.id === id) ?? null;
  }

  captured(): SimIntent[] {
    return this.intents.filter(({ status }) => status === 'succeeded');
  }

  /** The intents that banks hold and that are not captured. */
  held(): SimIntent[] {
    return this.intents.filter(({ status }) => status === 'requires_capture');
  }

  refundedOf(intent: string): number {
    const refunds = this.refunds.filter((refund) => refund.intent === intent && refund.status !== 'failed');
    return refunds.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Taken and not given back, in Stripe's amounts. */
  taken(): number {
    return this.captured().reduce((sum, { id, received }) => sum + received - this.refundedOf(id), 0);
  }

  /** The driver at the bank's page. */
  answerChallenge(id: string, act: 'accept' | 'refuse'): SimIntent | null {
    const intent = this.intent(id);
    if (intent?.status !== 'requires_action') return null;
    const isAccepted = act === 'accept';
    intent.isProven = isAccepted;
    intent.status = isAccepted ? 'requires_confirmation' : 'requires_payment_method';
    const code = 'payment_intent_authentication_failure';
    intent.error = isAccepted ? null : { code, declineCode: '' };
    return intent;
  }
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
