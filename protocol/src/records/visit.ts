import { z } from 'zod';
import { AmountMinorSchema, CurrencySchema } from '../base/money.ts';
import { PAYMENT_STATUSES, VISIT_STATUSES } from '../base/statuses.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { PriceLineSchema } from '../tariff/price-line.ts';
import { PricedBySchema } from '../tariff/product.ts';

export const VisitStatusSchema = z.enum(VISIT_STATUSES).meta({ id: 'VisitStatus' });
export type VisitStatus = z.infer<typeof VisitStatusSchema>;

/** How a visit was settled; null while it is not. */
export const PaymentStatusSchema = z.enum(PAYMENT_STATUSES).meta({ id: 'PaymentStatus' });
export type PaymentStatus = z.infer<typeof PaymentStatusSchema>;

/** How money came in that a person has received: in place of the card terminal and the payment page. */
export const PaidWithSchema = z.enum(['cash', 'transfer', 'other-card', 'other']).meta({ id: 'PaidWith' });
export type PaidWith = z.infer<typeof PaidWithSchema>;

/** Why a visit needs a review. */
export const ReviewFlagSchema = z
  .enum([
    'lost-exit',
    /** It left by an exit, but the site received the read long after. */
    'late-exit',
    'uncertain-plate',
    'uncertain-permit',
    'blocklist-lookalike',
    'unreadable-plate',
    'gate-unconfirmed',
    /** The site's clock was set while it was inside, so the length of the stay is unknown. */
    'clock-set',
    /** The gate opened for it, and the loops detected that it turned back. */
    'turned-back',
    'quota-exceeded',
    /** A payment at a terminal has an unknown outcome. */
    'payment-unknown',
    /** Voided, but an invoice that was issued for it remains. */
    'invoice-stands',
    /** Paid at a terminal after it was settled or voided elsewhere, unknown to the site. */
    'settled-twice',
    /** A car without an open visit, with a certain plate that is near this one: perhaps the same car. */
    'near-exit',
    /** A driver at an exit denied that the visit is theirs, and the exit opened. */
    'not-mine',
    /** Its driver or holder contests it, and waits for the answer: it is answered as a dispute, not resolved. */
    'disputed',
  ])
  .meta({ id: 'ReviewFlag' });
export type ReviewFlag = z.infer<typeof ReviewFlagSchema>;

/** How the plate of a read matches the plate of a visit. */
export const FoundBySchema = z.enum(['equal', 'confusable', 'near']);
export type FoundBy = z.infer<typeof FoundBySchema>;

/** The price of a visit and how it was calculated. */
export const VisitPriceSchema = z
  .strictObject({
    /** Due, after payments. */
    amountMinor: AmountMinorSchema,
    currency: CurrencySchema,
    lines: z.array(PriceLineSchema),
    product: PricedBySchema,
    pricedAt: UtcTimeSchema,
  })
  .meta({ id: 'VisitPrice' });
export type VisitPrice = z.infer<typeof VisitPriceSchema>;

/** One stay, as the site knows it. */
export const VisitSchema = z
  .strictObject({
    id: z.uuid(),
    /** Normalised; null while unknown. */
    plate: z.string().min(1).nullable(),
    status: VisitStatusSchema,
    paymentStatus: PaymentStatusSchema.nullable(),
    startedAt: UtcTimeSchema,
    endedAt: UtcTimeSchema.nullable(),
    createdAt: UtcTimeSchema,
    price: VisitPriceSchema.nullable(),
    /** Units covered by settlements so far. */
    unitsMet: z.int().min(0),
    /** Amount paid that is not for whole units; payments for units are in `unitsMet`. */
    paidMinor: AmountMinorSchema,
    /** The time until which it may leave on its payment. */
    paidUntil: UtcTimeSchema.nullable(),
    flags: z.array(ReviewFlagSchema),
    entryLaneId: z.string().nullable(),
    exitLaneId: z.string().nullable(),
    entryReadId: z.uuid().nullable(),
    exitReadId: z.uuid().nullable(),
    /** How the exit was matched to this visit. */
    exitFoundBy: FoundBySchema.nullable(),
    permitId: z.string().nullable(),
    /** The part covered by the customer's quota so far; null: no quota is used. */
    quota: z.strictObject({ id: z.string().min(1), units: z.int().min(0) }).nullable(),
  })
  .meta({ id: 'SiteVisit' });
export type Visit = z.infer<typeof VisitSchema>;

/** One line of a visit's history. */
export const VisitStepSchema = z
  .strictObject({
    from: VisitStatusSchema.nullable(),
    to: VisitStatusSchema,
    /** A reason code of the decision, or the text of a person. */
    reason: z.string(),
    /** `lane:<id>`, `account:<id>`, `kiosk` or `cloud`. */
    by: z.string(),
    at: UtcTimeSchema,
  })
  .meta({ id: 'VisitStep' });
export type VisitStep = z.infer<typeof VisitStepSchema>;
