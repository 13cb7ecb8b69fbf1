import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import type { GatewayState } from '../gateway.ts';

/** Texts of 3-D Secure, none longer than a certificate. An empty one is none. */
const ResultTextSchema = z
  .string()
  .max(200)
  .nullish()
  .transform((text) => text?.trim() || null);

/** The result of 3-D Secure, as both `lookup` and `jwt/validate` give it. */
export const ThreedsResultSchema = z.object({
  enrolled: ResultTextSchema,
  pares_status: ResultTextSchema,
  eci_flag: ResultTextSchema,
  cavv: ResultTextSchema,
  xid: ResultTextSchema,
  ds_transaction_id: ResultTextSchema,
  threeds_version: ResultTextSchema,
  signature_verification: ResultTextSchema,
});
export type ThreedsResult = z.infer<typeof ThreedsResultSchema>;

/** The order of a state: a state of one payment is worth nothing for another. */
const BOUND = { orderId: z.string(), amountMinor: z.int(), currency: z.string() };
/** `cardMark`: a keyed hash of the encrypted card, since one card must not be authenticated and another charged. */
const PROVEN = { ...BOUND, cardMark: z.string(), cardSeenAt: UtcTimeSchema, authenticationId: z.string() };
const NullableText = z.string().nullable();
const RESULT = {
  enrolled: NullableText,
  pares_status: NullableText,
  eci_flag: NullableText,
  cavv: NullableText,
  xid: NullableText,
  ds_transaction_id: NullableText,
  threeds_version: NullableText,
  signature_verification: NullableText,
};

/** The data that the adapter remembers between the steps. */
export const VerifoneStateSchema = z.discriminatedUnion('step', [
  z.object({ step: z.literal('begun'), ...BOUND }),
  z.object({ step: z.literal('challenge'), ...PROVEN, ...RESULT }),
  z.object({ step: z.literal('authenticated'), ...PROVEN, ...RESULT }),
]);
export type VerifoneState = z.infer<typeof VerifoneStateSchema>;

/** Null: it is not a state of this order. */
export function readState(
  state: GatewayState,
  order: { id: string; amountMinor: number; currency: string },
): VerifoneState | null {
  const read = VerifoneStateSchema.safeParse(state);
  if (!read.success) return null;
  const { orderId, amountMinor, currency } = read.data;
  const isItsOwn = orderId === order.id && amountMinor === order.amountMinor && currency === order.currency;
  return isItsOwn ? read.data : null;
}

/** ECI of Mastercard and of the other schemes: fully authenticated, and attempted. 00 and 07 prove nothing. */
const PROVING_ECI = new Set(['02', '05', '01', '06']);

export type AuthenticationStep =
  | { kind: 'go-on' }
  | { kind: 'challenge' }
  /** `code` names the field that decided. */
  | { kind: 'stop'; code: string };

/**
 * Decides by a result of 3-D Secure ("Understanding the impact of the different 3D Secure responses").
 *
 * The documents leave the choice to the merchant if nothing is proved. The cases are `pares_status` U, a card
 * that is not enrolled (N, U or B), and Y or A without the ECI and the CAVV that prove it. The setting
 * `acceptUnauthenticated` decides all of these together, since all of them leave the liability with the
 * merchant.
 */
export function decideAuthentication(
  result: ThreedsResult,
  acceptUnauthenticated: boolean,
): AuthenticationStep {
  const { enrolled, pares_status: status, eci_flag: eci, cavv, signature_verification: signature } = result;
  const unproved = (code: string): AuthenticationStep =>
    acceptUnauthenticated ? { kind: 'go-on' } : { kind: 'stop', code };
  if (signature === 'N') return { kind: 'stop', code: 'signature-N' };
  if (status === 'N' || status === 'R') return { kind: 'stop', code: `pares-${status}` };
  if (enrolled === 'N' || enrolled === 'U' || enrolled === 'B') return unproved(`enrolled-${enrolled}`);
  if (enrolled !== 'Y') return { kind: 'stop', code: 'enrolled-unknown' };
  switch (status) {
    case 'C':
      return { kind: 'challenge' };
    case 'Y':
    case 'A':
      return PROVING_ECI.has(eci ?? '') && cavv !== null
        ? { kind: 'go-on' }
        : unproved(`eci-${eci ?? 'none'}`);
    case 'U':
      return unproved('pares-U');
    default:
      return { kind: 'stop', code: 'pares-unknown' };
  }
}

/** The fields of a result that the service gave, for the payment. */
export function threedAuthentication(result: ThreedsResult): Record<string, string> {
  const { enrolled, pares_status, eci_flag, cavv, xid, ds_transaction_id, threeds_version } = result;
  const { signature_verification } = result;
  const fields = {
    enrolled,
    pares_status,
    eci_flag,
    cavv,
    xid,
    ds_transaction_id,
    threeds_version,
    signature_verification,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** Whether the bank has authenticated the driver, or tried to. */
export function isProved(result: ThreedsResult): boolean {
  return decideAuthentication(result, false).kind === 'go-on';
}
