import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { gatewayTimeout } from '../gateway-timeout.ts';

const AGREEMENT =
  'agreementNumber and terminalId belong together: both for a payment facilitator’s key, none for a merchant’s own key';

/** Addresses without encryption are allowed only for a simulator on the same machine. */
const SAFE_ADDRESS = /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?(?:\/|$))/;

/** How we use ValitorPay. */
export const ValitorPayOptionsSchema = z
  .strictObject({
    kind: z.literal('valitor-pay'),
    /** `https://uat.valitorpay.com` is the test system. */
    url: z
      .url()
      .regex(SAFE_ADDRESS, 'an address with https: cards travel there')
      .default('https://valitorpay.com'),
    /** A secret: from the environment variable `HLID_VALITOR_PAY_API_KEY`. Without the word `APIKey`. */
    apiKey: z.string('its API key is missing').regex(/^[\x21-\x7e]{8,500}$/, 'an API key has no blanks'),
    /** Needed with the key of a payment facilitator, and refused with the key of a merchant. */
    agreementNumber: z
      .string()
      .regex(/^\d{1,15}$/, 'the agreement’s number, its digits in quotes')
      .optional(),
    terminalId: z
      .string()
      .regex(/^\d{1,15}$/, 'the terminal’s number, its digits in quotes')
      .optional(),
    /**
     * Whether a card may pay that takes no part in 3-D Secure (mdStatus 2 and 3), if Valitor's own answer says that it is
     * outside of strong authentication (`outOfScaScope`). The bank then accepts no liability for fraud: chargebacks cost
     * us the payment.
     */
    acceptNotEnrolled: z.boolean().default(false),
    /**
     * How long a request may take, within the time of its charge or refund. The public samples wait 70 seconds, since the
     * card's bank answers in between.
     */
    timeoutMs: gatewayTimeout(70_000),
    /** The time for which a payment with a lost answer may still be on its way, and be booked after all. */
    lateMs: z
      .int()
      .min(0)
      .max(10 * MINUTE_MS)
      .default(MINUTE_MS),
  })
  .refine(
    ({ agreementNumber, terminalId }) => (agreementNumber === undefined) === (terminalId === undefined),
    AGREEMENT,
  );
export type ValitorPayOptions = z.infer<typeof ValitorPayOptionsSchema>;
