import { z } from 'zod';
import { AmountMinorSchema, CurrencySchema } from './money.ts';
import { PriceLineSchema } from './price-line.ts';
import { PricedBySchema } from './product.ts';
import { UtcTimeSchema } from './utc-time.ts';

export const VisitStatusSchema = z
  .enum(['new', 'need-payment', 'need-plate', 'completed'])
  .meta({ id: 'VisitStatus' });
export type VisitStatus = z.infer<typeof VisitStatusSchema>;

/** How the due of a visit was met; null as long as nothing was settled. */
export const PaymentStatusSchema = z
  .enum(['whitelisted', 'kiosk', 'company-invoice', 'owner-invoice', 'failed', 'void'])
  .meta({ id: 'PaymentStatus' });
export type PaymentStatus = z.infer<typeof PaymentStatusSchema>;

/** Why a person should look at a visit. */
export const ReviewFlagSchema = z
  .enum([
    'lost-exit',
    /** An exit saw it leave, and the site heard of that only long after. */
    'late-exit',
    'uncertain-plate',
    'uncertain-permit',
    'blocklist-lookalike',
    'unreadable-plate',
    'gate-unconfirmed',
    /** The site's clock was set while it was inside: how long it stayed is not known. */
    'clock-set',
    /** The gate was opened for it, and the loops saw it turn back. */
    'turned-back',
    'quota-exceeded',
    /** Paid at a terminal, or not: asking it has not settled that. */
    'payment-unknown',
    /** Voided, and an invoice that was issued for it stands. */
    'invoice-stands',
    /** Paid at a terminal after it had been settled or voided elsewhere, which the site did not know. */
    'settled-twice',
    /** A car with nearly its plate, surely read and without a visit, left: perhaps it was this one. */
    'near-exit',
    /** A driver whom an exit asked to pay for it said that it is not his, and was let out. */
    'not-mine',
  ])
  .meta({ id: 'ReviewFlag' });
export type ReviewFlag = z.infer<typeof ReviewFlagSchema>;

/** How a read's plate and a visit's plate agree. */
export const FoundBySchema = z.enum(['equal', 'confusable', 'near']);
export type FoundBy = z.infer<typeof FoundBySchema>;

/** The price of a visit and what made it. */
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
    /** Normalised; null until somebody knows it. */
    plate: z.string().min(1).nullable(),
    status: VisitStatusSchema,
    paymentStatus: PaymentStatusSchema.nullable(),
    startedAt: UtcTimeSchema,
    endedAt: UtcTimeSchema.nullable(),
    createdAt: UtcTimeSchema,
    price: VisitPriceSchema.nullable(),
    /** Units met by settlements so far. */
    unitsMet: z.int().min(0),
    /** Paid towards the stay in money; what was paid for whole units stands in `unitsMet`. */
    paidMinor: AmountMinorSchema.default(0),
    /** Until when it may leave on what it has paid. */
    paidUntil: UtcTimeSchema.nullable(),
    flags: z.array(ReviewFlagSchema),
    entryLaneId: z.string().nullable(),
    exitLaneId: z.string().nullable(),
    entryReadId: z.uuid().nullable(),
    exitReadId: z.uuid().nullable(),
    /** How the exit was matched to this visit. */
    exitFoundBy: FoundBySchema.nullable(),
    permitId: z.string().nullable(),
    /** What its customer's quota meets of it so far; null: no quota stands for it. */
    quota: z
      .strictObject({ id: z.string().min(1), units: z.int().min(0) })
      .nullable()
      // Sites of before there were quotas do not say it.
      .default(null),
  })
  .meta({ id: 'SiteVisit' });
export type Visit = z.infer<typeof VisitSchema>;

/** One line of a visit's history. */
export const VisitStepSchema = z
  .strictObject({
    from: VisitStatusSchema.nullable(),
    to: VisitStatusSchema,
    /** A reason code of the decision, or what a person wrote. */
    why: z.string(),
    /** `lane:<id>`, `account:<id>`, `kiosk` or `cloud`. */
    by: z.string(),
    at: UtcTimeSchema,
  })
  .meta({ id: 'VisitStep' });
export type VisitStep = z.infer<typeof VisitStepSchema>;
