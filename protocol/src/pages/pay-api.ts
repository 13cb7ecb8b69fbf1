import { z } from 'zod';
import { MailAddressSchema } from '../base/card-number.ts';
import { LanguageSchema } from '../base/language.ts';
import { AmountMinorSchema, CurrencySchema } from '../base/money.ts';
import { LetterSchema } from '../base/typed-text.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { VatPartSchema } from '../base/vat-schema.ts';
import { PaymentStateSchema } from '../records/payment.ts';
import { PriceLineSchema } from '../tariff/price-line.ts';
import { MAX_PAY_DAYS } from './pay-paths.ts';

// The paths, and how these calls follow each other, are in pay-paths.ts.

export const PayFaultSchema = z.enum([
  'not-found',
  'bad-input',
  'too-many-requests',
  /** The key of a stay or a link is too old: begin with the plate again. */
  'expired',
  /** The time of entry is another one. */
  'wrong-proof',
  /** The answer needs a proved stay. */
  'proof-needed',
  /** The site takes no cards here, or its provider cannot be reached: nothing was charged. */
  'unavailable',
  /** Another payment for this stay is in progress or has an unknown outcome. */
  'payment-under-way',
  'nothing-due',
  /** Days cannot be bought for it. */
  'not-for-sale',
  /** The amount due has changed since it was shown; show it again. */
  'amount-changed',
  /** The key belongs to another order. */
  'key-reused',
  /** The payment was cancelled before. */
  'cancelled',
  /** This step does not follow the payment's state; ask for its state. */
  'wrong-step',
  /** The card cannot be right; `fields` lists the wrong fields. */
  'card',
  /** The car left without anything to pay. */
  'visit-ended',
  /** The car left too long ago to be paid for here (`payAfterDays`): the offices take it. */
  'too-late',
  /** No car waits at an exit for this stay in doubt. */
  'not-in-doubt',
  /** The stay is contested already, or was too often. */
  'disputed',
  /** The site cannot be reached. */
  'site-away',
  /** The car park cannot receive the payment, and the page has not shown that: show what is due again. */
  'site-offline',
  'failed',
]);
export type PayFault = z.infer<typeof PayFaultSchema>;

export const CardFieldSchema = z.enum(['number', 'brand', 'expire', 'ccv']);
export type CardField = z.infer<typeof CardFieldSchema>;

export const PayRefusalSchema = z.strictObject({
  code: PayFaultSchema,
  messages: z.array(z.string()),
  /** The fields, with `card`. */
  fields: z.array(CardFieldSchema).optional(),
  /** The wait in seconds, with `too-many-requests`. */
  retryAfterSeconds: z.int().optional(),
});
export type PayRefusal = z.infer<typeof PayRefusalSchema>;

/** A site's code, or its id, as the address of the page has it. */
export const PaySiteCodeSchema = z.string().regex(/^[\w-]{1,64}$/);

export const PaySiteNameSchema = z.strictObject({ code: PaySiteCodeSchema, name: z.string() });
export type PaySiteName = z.infer<typeof PaySiteNameSchema>;

/** How the page takes a card. */
export const PayGatewaySchema = z.strictObject({
  kind: z.string(),
  /** `encrypted`: the provider's script, which the tokens of a payment name, encrypts the card in the browser. */
  cardInput: z.enum(['card', 'encrypted']),
  /**
   * The keys and addresses of the provider's own card field, all public. Null: the page's fields take the
   * card.
   */
  cardField: z.record(z.string(), z.string()).nullable(),
  /** No real money moves. */
  isTest: z.boolean(),
  /** The provider can store a card for later payments. */
  storesCards: z.boolean(),
});
export type PayGateway = z.infer<typeof PayGatewaySchema>;

export const PaySiteSchema = z.strictObject({
  code: PaySiteCodeSchema,
  name: z.string(),
  timeZone: z.string(),
  currency: CurrencySchema,
  /** The language for drivers with a browser that asks for none of the page's languages. */
  language: LanguageSchema,
  /** The price of a stay, in a few lines, by language. Absent: nothing has a price. */
  prices: z.record(z.string(), z.array(z.string())).optional(),
  /** Time to leave after paying. */
  exitGraceMinutes: z.int(),
  /** The days for which a stay can be paid here after the car has left. */
  payAfterDays: z.int().min(0),
  helpPhone: z.string().nullable(),
  /** Null: the site names none. */
  seller: z
    .strictObject({
      name: z.string(),
      ssn: z.string(),
      vatNumber: z.string().optional(),
      address: z.string().optional(),
    })
    .nullable(),
  /** Null: the site takes no cards here. */
  gateway: PayGatewaySchema.nullable(),
});
export type PaySite = z.infer<typeof PaySiteSchema>;

/** Signed by the cloud for one stay at one site, for some hours. No other program can read it. */
export const StayKeySchema = z.string().min(1).max(512);
/** The key, made by the page with `crypto.randomUUID`: whoever has it may see the payment and finish it. */
export const PaymentKeySchema = z.uuid();

/**
 * The part of a stay that is shown to a caller who knows the plate; more once it is proved that the car is
 * theirs.
 */
export const PayStaySchema = z.strictObject({
  key: StayKeySchema,
  /** The plate; characters that differ from the typed ones are `•`. */
  plate: z.string(),
  /** `similar`: the camera read another plate than was typed. */
  match: z.enum(['equal', 'similar']),
  /** The car has left. */
  ended: z.boolean(),
  /** The stay was proved by its time of entry or a link. */
  proved: z.boolean(),
  /** Null: not proved. */
  startedAt: UtcTimeSchema.nullable(),
  /** Null: not proved, or still there. */
  endedAt: UtcTimeSchema.nullable(),
  /** A picture can be shown now. */
  hasPicture: z.boolean(),
  /** A car waits at a closed exit for the payment of this stay, and may be another car: ask whether it is theirs. */
  doubtful: z.literal(true).optional(),
});
export type PayStay = z.infer<typeof PayStaySchema>;

export const PayFindSchema = z.strictObject({
  siteCode: PaySiteCodeSchema,
  /** The whole plate. */
  plate: z.string().min(2).max(20),
});
export type PayFind = z.infer<typeof PayFindSchema>;

export const PayStayBodySchema = z.strictObject({ stay: StayKeySchema });

export const PayOpenSchema = z.strictObject({ link: z.string().min(1).max(512) });
export const PayOpenedSchema = z.strictObject({ site: PaySiteSchema, stay: PayStaySchema });
export type PayOpened = z.infer<typeof PayOpenedSchema>;

export const PayProofSchema = z.strictObject({
  stay: StayKeySchema,
  /** When the driver came in, within `PROOF_TOLERANCE_MINUTES`. */
  enteredAt: UtcTimeSchema,
});
export type PayProof = z.infer<typeof PayProofSchema>;

export const PayNotMineSchema = z.strictObject({
  stay: StayKeySchema,
  /** The driver's own plate. */
  plate: z.string().min(2).max(20),
});

/** A driver contests a proved stay. */
export const PayDisputeSchema = z.strictObject({
  stay: StayKeySchema,
  text: LetterSchema,
  /** The address to which the answer is mailed. */
  email: MailAddressSchema.optional(),
  language: LanguageSchema,
});
export type PayDispute = z.infer<typeof PayDisputeSchema>;

/** The dispute that was opened: the part behind `#` of the address of its page, which the mail has too. */
export const PayDisputedSchema = z.strictObject({ link: z.string().min(1).max(512) });
export type PayDisputed = z.infer<typeof PayDisputedSchema>;

export const PayObjectionMessageSchema = z.strictObject({
  link: z.string().min(1).max(512),
  text: LetterSchema,
});
export type PayObjectionMessage = z.infer<typeof PayObjectionMessageSchema>;

/** A dispute as the person who contests sees it by its link. */
export const PayObjectionSchema = z.strictObject({
  dispute: z.strictObject({
    state: z.enum([
      'open',
      'upheld',
      'rejected',
      'withdrawn',
      /** Never sent: what a page shows for a word that it does not know. */ 'other',
    ]),
  }),
  /** Null: of an invoice, or the plate is erased. */
  plate: z.string().nullable(),
  invoiceNumber: z.int().nullable(),
  /** Null: an invoice of several sites. */
  siteName: z.string().nullable(),
  timeZone: z.string(),
  text: z.string(),
  openedAt: UtcTimeSchema,
  /** The office answers by then. */
  answerBy: UtcTimeSchema,
  messages: z.array(
    z.strictObject({ side: z.enum(['driver', 'office']), text: z.string(), at: UtcTimeSchema }),
  ),
  /** Null: it is open, or withdrawn. */
  answer: z
    .strictObject({
      text: z.string(),
      at: UtcTimeSchema,
      /** How the money follows; null: it does not. */
      given: z
        .strictObject({
          way: z.enum(['void', 'waive', 'refund', 'credit', /** Never sent. */ 'other']),
          amountMinor: z.int(),
          currency: CurrencySchema,
        })
        .nullable(),
    })
    .nullable(),
});
export type PayObjection = z.infer<typeof PayObjectionSchema>;

/** An issued invoice, in the place of a stay. */
export const PayInvoiceSchema = z.strictObject({
  /** Null: it gets one when it is paid. */
  number: z.int().nullable(),
  /** The last day to pay it in time. */
  dueOn: z.iso.date().nullable(),
  payer: z.string().nullable(),
});
export type PayInvoice = z.infer<typeof PayInvoiceSchema>;

/** The present debt of a stay or an invoice. */
export const PayDueSchema = z.strictObject({
  stay: PayStaySchema,
  /** `checking`: a payment has an unknown outcome, and no other may begin. `ended`: it left, and owes nothing. `too-late`: it left too long ago. */
  standing: z.enum([
    'due',
    'nothing-due',
    'paid',
    'whitelisted',
    'invoiced',
    'checking',
    'ended',
    'too-late',
    'no-price',
    /** A value that is never sent: a page shows it for one that it does not know. */
    'other',
  ]),
  amountMinor: AmountMinorSchema,
  currency: CurrencySchema,
  lines: z.array(PriceLineSchema),
  vatRate: z.number(),
  /** The VAT in the amount; absent: all of it has `vatRate`. */
  vat: z.array(VatPartSchema).optional(),
  pricedAt: UtcTimeSchema,
  /** End of the time to leave after the last payment; it may be over. */
  paidUntil: UtcTimeSchema.nullable(),
  /** The time until which the stay itself is paid; null: nothing of it is, or it is paid without end. */
  stayPaidUntil: UtcTimeSchema.nullable().optional(),
  /** The later of the two: until then the exit opens without another payment. Null: it asks for one now, or never will. Absent: see `deadlineOf`. */
  leaveBy: UtcTimeSchema.nullable().optional(),
  /** Price of a day in advance; null: no days are sold for it. */
  dayPriceMinor: AmountMinorSchema.nullable(),
  /**
   * How long a car that has left unpaid can be paid for, and what happens after that, by language. Absent:
   * the car has not left unpaid.
   */
  afterwards: z.record(z.string(), z.string()).optional(),
  /** The car waits at a closed exit, which opens when it is paid. */
  atExit: z.boolean(),
  /**
   * The car park cannot receive payments now: its exit opens by a code that the driver types at the kiosk.
   * Absent: it can.
   */
  siteAway: z.boolean().optional(),
  /** The codes of payments that the car park has not received, for its kiosk. Absent: there are none. */
  codes: z.array(z.string()).optional(),
  /** The dispute of a proved stay. Absent: the driver has not contested it, or it is not proved. */
  dispute: z
    .strictObject({
      state: z.enum([
        'open',
        'upheld',
        'rejected',
        'withdrawn',
        /** Never sent: what a page shows for a word that it does not know. */ 'other',
      ]),
      openedAt: UtcTimeSchema,
      /** Null: it is open. */
      answer: z.string().nullable(),
    })
    .optional(),
  /** The amount due is an invoice's, and `stay` has nothing but its key. Absent: it is a stay's. */
  invoice: PayInvoiceSchema.optional(),
});
export type PayDue = z.infer<typeof PayDueSchema>;

/** A card as a driver typed it. It is in memory for one request, on the page as on the cloud. */
export const PayCardSchema = z.strictObject({
  number: z.string().max(40),
  /** Month and year, such as `12/30`. */
  expire: z.string().max(10),
  ccv: z.string().max(6),
});
export type PayCard = z.infer<typeof PayCardSchema>;

/** The card encrypted by the provider's script. */
export const PayEncryptedCardSchema = z.strictObject({
  encryptedCard: z.string().max(16_384),
  publicKeyAlias: z.string().max(256),
});
export type PayEncryptedCard = z.infer<typeof PayEncryptedCardSchema>;

/** The data of the browser that 3-D Secure requires; the cloud adds what is in the request's headers. */
export const PayBrowserSchema = z.strictObject({
  language: z.string().max(35),
  screenWidth: z.int(),
  screenHeight: z.int(),
  colorDepth: z.int(),
  timeZoneOffset: z.int(),
});
export type PayBrowser = z.infer<typeof PayBrowserSchema>;

export const PayOrderSchema = z.strictObject({
  /** The key of the new payment. */
  payment: PaymentKeySchema,
  stay: StayKeySchema,
  /** The amount that the driver was shown; if it has changed, the order is refused. */
  amountMinor: AmountMinorSchema.min(1),
  /** Days of 24 hours to buy; absent: what is due now. */
  quantity: z.int().min(1).max(MAX_PAY_DAYS).optional(),
  language: LanguageSchema,
  /** The address for the receipt. */
  email: MailAddressSchema.optional(),
  browser: PayBrowserSchema,
  /**
   * The `siteAway` that the page has shown: the order is refused if it has changed. Absent: a page that does
   * not know it.
   */
  siteAway: z.boolean().optional(),
  /** The driver agrees that the provider stores the card, for `DRIVER_PATHS.storeCard`. */
  storeCard: z.boolean().optional(),
  /** The card, if the gateway's `cardInput` is `card`. */
  card: PayCardSchema.optional(),
});
export type PayOrder = z.infer<typeof PayOrderSchema>;

export const PayPaymentBodySchema = z.strictObject({ payment: PaymentKeySchema });

export const PayAuthenticateSchema = z.strictObject({
  payment: PaymentKeySchema,
  ...PayEncryptedCardSchema.shape,
  /** The session of the provider's script; null: it gave none. */
  sessionId: z.string().max(256).nullable(),
  browser: PayBrowserSchema,
});
export type PayAuthenticate = z.infer<typeof PayAuthenticateSchema>;

/** The card once more, since it is not stored. */
export const PayFinishSchema = z.strictObject({
  payment: PaymentKeySchema,
  card: PayCardSchema.optional(),
  encrypted: PayEncryptedCardSchema.optional(),
  /** The token of the provider's script after a challenge; the cloud verifies it before it charges. */
  threedsToken: z.string().max(16_384).optional(),
  /** See `PayOrder.siteAway`. */
  siteAway: z.boolean().optional(),
});
export type PayFinish = z.infer<typeof PayFinishSchema>;

/** The page's next step before the payment goes on. */
export const PayNextSchema = z.discriminatedUnion('kind', [
  /** Encrypt the card with these, then `authenticate`. */
  z.strictObject({ kind: z.literal('encrypt'), tokens: z.record(z.string(), z.string()) }),
  /** Post this form to the bank in a frame, which ends with `CHALLENGE_RETURNED`; then `next` is `finish`. */
  z.strictObject({
    kind: z.literal('form'),
    url: z.url(),
    fields: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    /** Scripts to load before. */
    scripts: z.array(z.string()),
  }),
  /** Have the provider's script carry out the challenge, then `finish` with its token. */
  z.strictObject({
    kind: z.literal('script'),
    acsUrl: z.string(),
    payload: z.string(),
    transactionId: z.string(),
  }),
  /**
   * The step before is still open. Tokens and forms are answered once, to the call that made them: a page
   * that has lost that answer cancels and orders again.
   */
  z.strictObject({ kind: z.literal('wait') }),
  /** Send `finish`. */
  z.strictObject({ kind: z.literal('finish') }),
]);
export type PayNext = z.infer<typeof PayNextSchema>;

/** Why nothing was charged. `security` and `stopped` are never explained to the driver. */
export const PayReasonSchema = z.enum([
  'refused',
  'insufficient-funds',
  'card-data',
  'card-expired',
  'card-unsupported',
  'security',
  'not-authenticated',
  'stopped',
  'merchant',
  'unavailable',
  /** The car park cannot receive the payment, and the page had not shown that. */
  'site-offline',
  'other',
]);
export type PayReason = z.infer<typeof PayReasonSchema>;

export const PayPaymentSchema = z.strictObject({
  key: PaymentKeySchema,
  /** `unknown`: it is being checked; never shown as declined, and nothing else may be paid for this stay. */
  state: PaymentStateSchema,
  /** Null: there is nothing to do but to wait, or it is over. */
  next: PayNextSchema.nullable(),
  amountMinor: AmountMinorSchema,
  currency: CurrencySchema,
  /** Days in advance that it buys; null: what was due. */
  quantity: z.int().nullable(),
  /** Why it was declined; null: it was not. */
  reason: PayReasonSchema.nullable(),
  /** Its outcome could not be found out, and a person will. */
  needsPerson: z.boolean(),
  /** End of the time to leave after this payment. */
  paidUntil: UtcTimeSchema.nullable(),
  /** The time until which the stay itself is paid, if that is later. */
  daysUntil: UtcTimeSchema.nullable(),
  /** The later of the two: until then the exit opens without another payment. Null: it asks for one now, or never will. Absent: see `deadlineOf`. */
  leaveBy: UtcTimeSchema.nullable().optional(),
  /** The car waits at an exit, which opens now. */
  exitOpens: z.boolean(),
  /** Path of the receipt's page; null: there is none yet. */
  receipt: z.string().nullable(),
  /** False: the car park has not received the payment yet. Absent: it has. */
  siteKnows: z.boolean().optional(),
  /** See `PayDue.codes`. */
  codes: z.array(z.string()).optional(),
  /** It pays an invoice, of this number. Absent: it pays a stay. */
  invoice: z.strictObject({ number: z.int().nullable() }).optional(),
});
export type PayPayment = z.infer<typeof PayPaymentSchema>;

export const PayMailSchema = z.strictObject({
  payment: PaymentKeySchema,
  email: MailAddressSchema,
  language: LanguageSchema,
});
export type PayMail = z.infer<typeof PayMailSchema>;
