import { createHmac, timingSafeEqual } from 'node:crypto';
import { millis, type UtcTime } from '@hlid/protocol/utc-time';

/** `pay`: for whoever pays; `return`: for the bank's form, which comes to us by any browser. */
export type ReferencePurpose = 'pay' | 'return';

/** What a reference is bound to. */
export interface ReferencedPayment {
  /** Of its invoice too. */
  id: string;
  amountMinor: number;
  currency: string;
  nonce: string;
  expiresAt: UtcTime;
}

const PURPOSES: Readonly<Record<ReferencePurpose, string>> = { pay: 'p', return: 'r' };
const SHAPE = /^([pr])\.([\w-]{22})\.([\w-]{43})$/;

/**
 * A reference to a payment: its id with a signature that binds it to the payment, its invoice, its amount, its time of
 * expiry and what the reference is for. Whoever has it needs no other proof.
 */
export function signReference(secret: string, purpose: ReferencePurpose, payment: ReferencedPayment): string {
  const id = Buffer.from(payment.id.replaceAll('-', ''), 'hex').toString('base64url');
  return `${PURPOSES[purpose]}.${id}.${signatureOf(secret, purpose, payment).toString('base64url')}`;
}

/** The id of the payment that a reference names, whether it is signed or not; null: it is no reference of that purpose. */
export function referencedId(text: string, purpose: ReferencePurpose): string | null {
  const [, kind, packed = ''] = SHAPE.exec(text) ?? [];
  if (kind !== PURPOSES[purpose]) return null;
  const hex = Buffer.from(packed, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether a reference was signed by us for the payment as it is stored. */
export function isSigned(
  secret: string,
  purpose: ReferencePurpose,
  text: string,
  payment: ReferencedPayment,
): boolean {
  const given = Buffer.from(SHAPE.exec(text)?.[3] ?? '', 'base64url');
  const signature = signatureOf(secret, purpose, payment);
  return given.length === signature.length && timingSafeEqual(given, signature);
}

export function isExpired({ expiresAt }: Pick<ReferencedPayment, 'expiresAt'>, now: UtcTime): boolean {
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
