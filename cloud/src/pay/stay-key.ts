import { createHmac, timingSafeEqual } from 'node:crypto';
import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import { z } from 'zod';

/** What a key of the payment page gives access to. */
const StayClaimSchema = z.strictObject({
  visitId: z.string(),
  /** The plate as its driver sees it; see `PayStay`. */
  plate: z.string(),
  match: z.enum(['equal', 'similar']),
  /** The driver has proved that the car is theirs: picture and times are shown. */
  proved: z.boolean(),
  /** It was proved by a kiosk's screen only, which anybody can see: enough to pay, not to store a card for the vehicle. */
  byKiosk: z.boolean(),
  /** Milliseconds since 1970. */
  expires: z.int(),
});
export type StayClaim = z.infer<typeof StayClaimSchema>;

/** A claim with our signature, for the page. It is a proof by itself, so it is only in bodies. */
export function signStayKey(secret: string, claim: StayClaim): string {
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
  return `${payload}.${signatureOf(secret, payload).toString('base64url')}`;
}

/** Null: not signed by us, or expired. */
export function readStayKey(secret: string, key: string, now: UtcTime): StayClaim | null {
  const [payload = '', signed = ''] = key.split('.');
  const given = Buffer.from(signed, 'base64url');
  const signature = signatureOf(secret, payload);
  if (given.length !== signature.length || !timingSafeEqual(given, signature)) return null;
  const claim = StayClaimSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return claim.expires > millis(now) ? claim : null;
}

function signatureOf(secret: string, payload: string): Buffer {
  return createHmac('sha256', secret).update(`pay-page\nstay\n${payload}`).digest();
}
