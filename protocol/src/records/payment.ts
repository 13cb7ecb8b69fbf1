import { z } from 'zod';
import { TypedTextSchema } from '../base/card-number.ts';
import { LanguageSchema } from '../base/language.ts';
import { AmountMinorSchema, CurrencySchema } from '../base/money.ts';
import { PAYMENT_STATES } from '../base/statuses.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { type TaxedAmount, vatOf, vatTerms } from '../base/vat.ts';
import { VAT_TERMS_SHAPE } from '../base/vat-schema.ts';
import { PriceLineSchema } from '../tariff/price-line.ts';
import { type PricedBy, PricedBySchema } from '../tariff/product.ts';

/**
 * State of a movement of money. `unknown`: only the terminal or the provider knows the outcome; such a payment is never
 * repeated and never shown as declined.
 */
export const PaymentStateSchema = z.enum(PAYMENT_STATES).meta({ id: 'PaymentState' });
export type PaymentState = z.infer<typeof PaymentStateSchema>;

const NEXT: Record<PaymentState, readonly PaymentState[]> = {
  // A bank may decline before anything is ordered: in 3-D Secure.
  created: ['sent', 'declined', 'cancelled'],
  sent: ['approved', 'declined', 'cancelled', 'unknown'],
  approved: ['settled', 'reversed', 'unknown'],
  // Resolved by a query: booked, not booked, or reversed by the terminal itself.
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

/** A payment in one of these states is in progress and blocks another one for its terminal and its visit. */
export function isUnderWay(state: PaymentState): boolean {
  return state === 'created' || state === 'sent' || state === 'approved' || state === 'unknown';
}

/** The brands of the specification. */
export const CardBrandSchema = z
  .enum(['visa', 'mastercard', 'amex', 'discover', 'other', 'electron', 'maestro'])
  .meta({ id: 'CardBrand' });
export type CardBrand = z.infer<typeof CardBrandSchema>;

/** The stored details of a card: never its number. */
export const ReceiptCardSchema = z
  .strictObject({
    type: CardBrandSchema,
    /** Null if the terminal did not report it. */
    lastFour: z
      .string()
      .regex(/^\d{4}$/)
      .nullable(),
  })
  .meta({ id: 'ReceiptCard' });
export type ReceiptCard = z.infer<typeof ReceiptCardSchema>;

/** One movement of money at a card terminal, as the site knows it. */
export const PaymentSchema = z
  .strictObject({
    /** The id, which is also the idempotency key. */
    id: z.uuid(),
    visitId: z.uuid(),
    terminalId: z.string().min(1),
    state: PaymentStateSchema,
    amountMinor: AmountMinorSchema,
    currency: CurrencySchema,
    /** Units of 24 hours that it covers. */
    units: z.int().min(0),
    /** Identifiers of the terminal and its host. */
    transaction: z
      .strictObject({
        reference: z.string(),
        authorisation: z.string().nullable(),
        card: ReceiptCardSchema,
        /** The tip beside the amount: no price of parking; absent: none. */
        tipMinor: AmountMinorSchema.optional(),
      })
      .nullable(),
    /** Why it was declined, cancelled, unknown or reversed; a code. */
    reason: z.string().nullable(),
    /** The outcome could not be found out by queries, and needs a person. */
    needsPerson: z.boolean(),
    /** The customer receipt as printed by the terminal; contains no card number. */
    receipt: z.array(TypedTextSchema),
    /** The price lines, as shown to the driver. */
    lines: z.array(PriceLineSchema).optional(),
    /** The part of the amount that is a fee and not the price of the stay; absent: none. */
    feesMinor: AmountMinorSchema.optional(),
    /** The VAT of that part; absent: in payments of before this was kept, that of the product. */
    feesVat: z.strictObject(VAT_TERMS_SHAPE).optional(),
    /** The product that priced it. */
    product: PricedBySchema.optional(),
    /** 128 random bits; they give access to the receipt on the cloud's page. */
    receiptKey: z
      .string()
      .regex(/^[\w-]{22}$/)
      .optional(),
    language: LanguageSchema,
    createdAt: UtcTimeSchema,
    changedAt: UtcTimeSchema,
  })
  .meta({ id: 'SitePayment' });
export type Payment = z.infer<typeof PaymentSchema>;

/** The amounts of a payment with their VAT: of what it pays for, and of its fees. */
export function taxedAmounts({
  amountMinor,
  feesMinor = 0,
  feesVat,
  product,
}: Pick<Payment, 'amountMinor' | 'feesMinor' | 'feesVat'> & {
  product?: PricedBy | null | undefined;
}): TaxedAmount[] {
  const ofPrice = vatTerms(vatOf(product ?? {}));
  const price = { ...ofPrice, amountMinor: amountMinor - feesMinor };
  if (feesMinor === 0) return [price];
  const ofFees = feesVat === undefined ? ofPrice : vatTerms(vatOf(feesVat));
  return [price, { ...ofFees, amountMinor: feesMinor }];
}
