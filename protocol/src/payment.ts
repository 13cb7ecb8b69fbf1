import { z } from 'zod';
import { TypedTextSchema } from './card-number.ts';
import { AmountMinorSchema, CurrencySchema } from './money.ts';
import { PriceLineSchema } from './price-line.ts';
import { PricedBySchema } from './product.ts';
import { UtcTimeSchema } from './utc-time.ts';

/**
 * Where a movement of money stands. `unknown`: nobody knows yet, and only the terminal or the provider can say; it is
 * never tried again and never called declined.
 */
export const PaymentStateSchema = z
  .enum(['created', 'sent', 'approved', 'declined', 'cancelled', 'unknown', 'settled', 'reversed'])
  .meta({ id: 'PaymentState' });
export type PaymentState = z.infer<typeof PaymentStateSchema>;

const NEXT: Record<PaymentState, readonly PaymentState[]> = {
  created: ['sent', 'cancelled'],
  sent: ['approved', 'declined', 'cancelled', 'unknown'],
  approved: ['settled', 'reversed', 'unknown'],
  // Resolved by asking: it was booked, it was not, or the terminal has taken it back by itself.
  unknown: ['approved', 'declined', 'cancelled', 'reversed'],
  settled: ['reversed'],
  declined: [],
  cancelled: [],
  reversed: [],
};

/** Whether a payment may go from one state to the other. */
export function mayBecome(from: PaymentState, to: PaymentState): boolean {
  return NEXT[from].includes(to);
}

/** A payment in one of these is under way: neither its terminal nor its visit takes another. */
export function isUnderWay(state: PaymentState): boolean {
  return state === 'created' || state === 'sent' || state === 'approved' || state === 'unknown';
}

/** The brands of the specification. */
export const CardBrandSchema = z
  .enum(['visa', 'mastercard', 'amex', 'discover', 'other', 'electron', 'maestro'])
  .meta({ id: 'CardBrand' });
export type CardBrand = z.infer<typeof CardBrandSchema>;

/** What is kept of a card: never its number. */
export const ReceiptCardSchema = z
  .strictObject({
    type: CardBrandSchema,
    /** Null where the terminal did not say. */
    lastFour: z
      .string()
      .regex(/^\d{4}$/)
      .nullable(),
  })
  .meta({ id: 'ReceiptCard' });
export type ReceiptCard = z.infer<typeof ReceiptCardSchema>;

/** One movement of money at a card terminal of the site, as the site knows it. */
export const PaymentSchema = z
  .strictObject({
    /** Also the key by which nothing is done twice. */
    id: z.uuid(),
    visitId: z.uuid(),
    terminalId: z.string().min(1),
    state: PaymentStateSchema,
    amountMinor: AmountMinorSchema,
    currency: CurrencySchema,
    /** Units of 24 hours that it meets. */
    units: z.int().min(0),
    /** As the terminal and its host call it. */
    transaction: z
      .strictObject({
        reference: z.string(),
        authorisation: z.string().nullable(),
        card: ReceiptCardSchema,
      })
      .nullable(),
    /** Why it was declined, cancelled, unknown or reversed; a code. */
    reason: z.string().nullable(),
    /** A person must look at it: asking did not settle what became of it. */
    needsPerson: z.boolean(),
    /** What the terminal had printed for the customer; no card number stands in it. */
    receipt: z.array(TypedTextSchema),
    /** What it was for, as it was shown to the driver. */
    lines: z.array(PriceLineSchema).optional(),
    /** What of the amount is a fee, not a price of the stay; absent: nothing. */
    feesMinor: AmountMinorSchema.optional(),
    /** What priced it. */
    product: PricedBySchema.optional(),
    /** 128 random bits, made with it: whoever has them may read its receipt on the cloud's page. */
    receiptKey: z
      .string()
      .regex(/^[\w-]{22}$/)
      .optional(),
    language: z.enum(['is', 'en']),
    createdAt: UtcTimeSchema,
    changedAt: UtcTimeSchema,
  })
  .meta({ id: 'SitePayment' });
export type Payment = z.infer<typeof PaymentSchema>;
