import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { seal, unseal } from '../../platform/seal.ts';

/** The object of a key of the payment page. */
const StayClaimSchema = z.strictObject({
  visitId: z.string(),
  /** The plate as its driver sees it; see `PayStay`. */
  plate: z.string(),
  match: z.enum(['equal', 'similar']),
  /**
   * How the driver has shown that the car is theirs. `time`: by the time of entry, which anybody can know who saw the car
   * come. `kiosk`: by a kiosk's screen, which anybody can see: enough to pay, not to store a card for the vehicle. `link`:
   * by a link that was sent to the driver or holder. Null: not yet, and picture and times are not shown.
   */
  proof: z.enum(['time', 'kiosk', 'link']).nullable(),
  /** Milliseconds since 1970. */
  expires: z.int(),
});
export type StayClaim = z.infer<typeof StayClaimSchema>;

/** The same of an invoice: whoever has its link may pay it. */
const InvoiceClaimSchema = z.strictObject({ invoiceId: z.string(), expires: z.int() });
type InvoiceClaim = z.infer<typeof InvoiceClaimSchema>;
const ClaimSchema = z.union([StayClaimSchema, InvoiceClaimSchema]);

const PURPOSE = 'stay key';

/**
 * A claim, sealed for the page. It is a proof by itself, so it is only in bodies. It is unreadable because
 * the id of a visit contains its time of entry, which proves a stay.
 */
export function sealStayKey(secret: string, claim: StayClaim | InvoiceClaim): string {
  return seal(secret, PURPOSE, Buffer.from(JSON.stringify(claim)));
}

/** Null: not sealed by us, or expired. */
export function readStayKey(secret: string, key: string, now: UtcTime): StayClaim | InvoiceClaim | null {
  const content = unseal(secret, PURPOSE, key);
  if (content === null) return null;
  const claim = ClaimSchema.parse(JSON.parse(content.toString()));
  return claim.expires > millis(now) ? claim : null;
}
