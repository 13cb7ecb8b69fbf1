import { createHmac, timingSafeEqual } from 'node:crypto';
import { nowUtc } from '@hlid/node/clock';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { EVENTS } from '../../platform/events.ts';
import { ServerSecret } from '../../platform/http/server-secret.ts';
import { findOnlinePayment, type OnlinePayment } from './online-payment-store.ts';
import type { OnlineContext } from './payment-steps.ts';

/** `pay`: for the payer; `return`: for the bank's form, which may come from any browser. */
export type ReferencePurpose = 'pay' | 'return';

/** The payment and the caller to which a reference is bound. */
interface ReferencedPayment {
  /** The id of the payment and of its invoice. */
  id: string;
  amountMinor: number;
  currency: string;
  nonce: string;
  expiresAt: UtcTime;
}

const PURPOSES: Readonly<Record<ReferencePurpose, string>> = { pay: 'p', return: 'r' };
const SHAPE = /^([pr])\.([\w-]{22})\.([\w-]{43})$/;

/** Signs references to payments, and reads them. */
export class PaymentReferences {
  readonly #context: Pick<OnlineContext, 'db' | 'clock' | 'log'>;
  readonly #secret: ServerSecret;

  constructor(context: Pick<OnlineContext, 'db' | 'clock' | 'log'>) {
    this.#context = context;
    this.#secret = new ServerSecret(context, 'payment-references');
  }

  async sign(purpose: ReferencePurpose, payment: OnlinePayment): Promise<string> {
    return signReference(await this.#secret.get(), purpose, referencedOf(payment));
  }

  /** The payment that a reference was signed for, expired or not; null: it was not signed by us, or for another purpose. */
  async find(purpose: ReferencePurpose, reference: string): Promise<OnlinePayment | null> {
    const id = referencedId(reference, purpose);
    const payment = id && (await this.#context.db.read((q) => findOnlinePayment(q, id)));
    if (!payment) {
      this.refuse('malformed', null);
      return null;
    }
    if (isSigned(await this.#secret.get(), purpose, reference, referencedOf(payment))) return payment;
    this.refuse('forged', payment.payment.id);
    return null;
  }

  isExpired({ online }: OnlinePayment): boolean {
    return isExpired(online, nowUtc(this.#context.clock));
  }

  /** The caller does not learn the reason: it is in the log. */
  refuse(reason: 'malformed' | 'forged' | 'expired' | 'another-payer', id: string | null): void {
    this.#context.log.warn({ event: EVENTS.paymentReferenceRefused, reason, id });
  }
}

function referencedOf({ payment, online }: OnlinePayment): ReferencedPayment {
  const { id, amountMinor, currency } = payment;
  return { id, amountMinor, currency, nonce: online.nonce, expiresAt: online.expiresAt };
}

/**
 * A reference to a payment: its id with a signature that binds it to the payment, its invoice, its amount, its time of
 * expiry and what the reference is for. It is a proof by itself.
 */
function signReference(secret: string, purpose: ReferencePurpose, payment: ReferencedPayment): string {
  const id = Buffer.from(payment.id.replaceAll('-', ''), 'hex').toString('base64url');
  return `${PURPOSES[purpose]}.${id}.${signatureOf(secret, purpose, payment).toString('base64url')}`;
}

/** The id of the payment that a reference names, whether it is signed or not; null: it is no reference of that purpose. */
function referencedId(text: string, purpose: ReferencePurpose): string | null {
  const [, kind, packed = ''] = SHAPE.exec(text) ?? [];
  if (kind !== PURPOSES[purpose]) return null;
  const hex = Buffer.from(packed, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether a reference was signed by us for the payment as it is stored. */
function isSigned(
  secret: string,
  purpose: ReferencePurpose,
  text: string,
  payment: ReferencedPayment,
): boolean {
  const given = Buffer.from(SHAPE.exec(text)?.[3] ?? '', 'base64url');
  const signature = signatureOf(secret, purpose, payment);
  return given.length === signature.length && timingSafeEqual(given, signature);
}

export function isExpired({ expiresAt }: { expiresAt: UtcTime }, now: UtcTime): boolean {
  return millis(now) >= millis(expiresAt);
}

function signatureOf(
  secret: string,
  purpose: ReferencePurpose,
  { id, amountMinor, currency, nonce, expiresAt }: ReferencedPayment,
): Buffer {
  const signed = ['online-payment', purpose, id, amountMinor, currency, nonce, expiresAt].join('\n');
  return createHmac('sha256', secret).update(signed).digest();
}
