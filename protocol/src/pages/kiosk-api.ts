import { z } from 'zod';
import { TypedTextSchema } from '../base/card-number.ts';
import { HOUR_MS } from '../base/durations.ts';
import { DEFAULT_LANGUAGE, LanguageSchema } from '../base/language.ts';
import { AmountMinorSchema, CurrencySchema } from '../base/money.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { VatPartSchema } from '../base/vat-schema.ts';
import { MAX_CODE_TEXT } from '../records/exit-code.ts';
import { PaymentStateSchema, ReceiptCardSchema } from '../records/payment.ts';
import { type PriceLine, PriceLineSchema } from '../tariff/price-line.ts';

/** One hour of local time, which lasts two hours when summer time ends. */
export const MAX_ENTRY_SPAN_MS = 2 * HOUR_MS;
/** Limit of visits for one span: those nearest to its middle. */
export const MAX_ENTRIES = 12;

export const KioskFaultSchema = z.enum([
  'not-found',
  'bad-input',
  'too-many-requests',
  'terminal-busy',
  'terminal-away',
  'payment-under-way',
  'nothing-due',
  /** Less than the amount due: the exit would not open for it. */
  'too-little',
  /** Days cannot be bought for it, or not by that product. */
  'not-for-sale',
  /** The amount due has changed since it was shown; show it again. */
  'amount-changed',
  /** The idempotency key belongs to another order. */
  'key-reused',
  'visit-ended',
  /** No car waits at an exit for this visit, or none with a doubtful plate. */
  'not-in-doubt',
  'no-terminal',
  /** Paying by phone: the cloud does not answer, or does not have the visit yet. */
  'cloud-away',
  /** No code of a payment for this visit. */
  'wrong-code',
  /** The code is too old. */
  'code-expired',
  /** The cloud's payment page takes no cards for this site. */
  'not-offered',
  'failed',
]);
export type KioskFault = z.infer<typeof KioskFaultSchema>;

// Answers: a kiosk's page may be older than its edge. It passes over fields that it does not know, and has something to
// show for a word that it does not know. Requests are strict.

/** A line by a rule that this page does not know is shown by its label and amount. */
const ShownLineSchema = z.object({
  ...PriceLineSchema.shape,
  // At this border any text is a rule.
  rule: z.string() as z.ZodType<PriceLine['rule'], string>,
  capOf: PriceLineSchema.shape.capOf.catch(undefined),
  label: z.record(z.string(), z.string().catch('')).optional(),
});

const ShownCardSchema = z.object({
  ...ReceiptCardSchema.shape,
  type: ReceiptCardSchema.shape.type.catch('other'),
});

export const TerminalViewSchema = z.strictObject({
  id: z.string(),
  connection: z.enum(['CONNECTED', 'DISCONNECTED', 'ACTIVE', 'NOTLOGGEDIN', 'LOGINFAILED', 'UNKNOWN']),
});

export const KioskSiteSchema = z.object({
  name: z.string(),
  timeZone: z.string(),
  currency: CurrencySchema,
  /** Null: the site has none. */
  terminal: z
    .object({
      ...TerminalViewSchema.shape,
      connection: TerminalViewSchema.shape.connection.catch('UNKNOWN'),
    })
    .nullable(),
  cloudConnected: z.boolean(),
  /** The codes of online payments are accepted: the site has a cloud. Absent: not. */
  takesCodes: z.boolean().optional(),
  exitGraceMinutes: z.int(),
  helpPhone: z.string().nullable(),
  payOnline: z.string().nullable(),
  /** The language in which it starts. */
  language: LanguageSchema.catch(DEFAULT_LANGUAGE),
  /** The number of days with entries that are shown, today included; earlier days are refused. */
  entryDays: z.int().min(1),
  /**
   * The price of a stay, in a few lines, by language. Absent: nothing has a price, or the edge is older than
   * this field.
   */
  prices: z.record(z.string(), z.array(z.string())).optional().catch(undefined),
  /**
   * The id under which a picture of the screen is sent, which support has requested. Absent: none is
   * requested.
   */
  picture: z.uuid().optional().catch(undefined),
});
export type KioskSite = z.infer<typeof KioskSiteSchema>;

/** The data by which a driver recognises the car. */
export const KioskVisitSchema = z.object({
  id: z.uuid(),
  /** The typed part of the plate, the rest as dots; null: the plate could not be read. */
  plate: z.string().nullable(),
  startedAt: UtcTimeSchema,
  hasPicture: z.boolean(),
  /**
   * A car waits at an exit for the payment of this visit, and may be another car: the kiosk asks the driver whether it
   * is theirs.
   */
  doubtful: z.literal(true).optional().catch(undefined),
});
export type KioskVisit = z.infer<typeof KioskVisitSchema>;

/** The present debt of a visit. */
export const KioskDueSchema = z.object({
  visit: KioskVisitSchema,
  /** `checking`: a payment has an unknown outcome, and no other may begin. `need-plate`: the driver must enter the plate. */
  standing: z
    .enum([
      'due',
      'nothing-due',
      'paid',
      'whitelisted',
      'invoiced',
      'checking',
      'ended',
      'need-plate',
      'no-price',
      /** A value that the page does not know: nothing is paid here. */
      'other',
    ])
    .catch('other'),
  amountMinor: AmountMinorSchema,
  currency: CurrencySchema,
  lines: z.array(ShownLineSchema),
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
  /** Price of a day in advance; null: the product has no price by the day. */
  dayPriceMinor: AmountMinorSchema.nullable(),
  /** Id of a payment that is in progress or not settled yet. */
  paymentId: z.uuid().nullable(),
});
export type KioskDue = z.infer<typeof KioskDueSchema>;

export const KioskPayLinkOrderSchema = z.strictObject({
  /** The part of the plate that the driver has typed. */
  plate: z.string().max(40),
  language: LanguageSchema,
});

export type KioskPayLinkOrder = z.infer<typeof KioskPayLinkOrderSchema>;

export const KioskPayLinkSchema = z.object({ url: z.url() });
export type KioskPayLink = z.infer<typeof KioskPayLinkSchema>;

/** The code of an online payment, as the driver has typed it. */
export const KioskCodeOrderSchema = z.strictObject({
  code: z.string().max(MAX_CODE_TEXT),
  /** The part of the plate that the driver has typed. */
  plate: z.string().max(40),
});

export const KioskOrderSchema = z.strictObject({
  visitId: z.uuid(),
  /** The amount that the driver was shown; if it has changed, the order is refused. */
  amountMinor: AmountMinorSchema.min(1),
  /** Units of 24 hours to buy; absent: what is due now. */
  quantity: z.int().min(1).max(365).optional(),
  language: LanguageSchema,
});
export type KioskOrder = z.infer<typeof KioskOrderSchema>;

export const KioskPaymentSchema = z.object({
  id: z.uuid(),
  visitId: z.uuid(),
  /** A state that the page does not know counts as being checked: the driver must not pay again. */
  state: PaymentStateSchema.catch('unknown'),
  needsPerson: z.boolean(),
  amountMinor: AmountMinorSchema,
  currency: CurrencySchema,
  /** The action of the driver at the terminal; null: none. */
  prompt: z
    .enum([
      'wait',
      'present-card',
      'insert-card',
      'enter-pin',
      'wrong-pin',
      'confirm-amount',
      'remove-card',
      'contacting-bank',
      'approved',
      'declined',
      'see-terminal',
    ])
    .nullable()
    .catch('see-terminal'),
  /** The terminal's own text, if it sent one. */
  promptText: TypedTextSchema.nullable(),
  reason: z.string().nullable(),
  /** End of the time to leave after this payment. */
  paidUntil: UtcTimeSchema.nullable(),
  /** The time until which the stay itself is paid, if that is later. */
  daysUntil: UtcTimeSchema.optional(),
  /** The later of the two: until then the exit opens without another payment. Null: it asks for one now, or never will. Absent: see `deadlineOf`. */
  leaveBy: UtcTimeSchema.nullable().optional(),
});
export type KioskPayment = z.infer<typeof KioskPaymentSchema>;

export const KioskReceiptSchema = z.object({
  site: z.string(),
  /** Plain lines as the terminal printed them; empty: it printed none. */
  terminalLines: z.array(z.string()),
  plate: z.string().nullable(),
  from: UtcTimeSchema,
  until: UtcTimeSchema,
  lines: z.array(ShownLineSchema),
  amountMinor: AmountMinorSchema,
  vatMinor: AmountMinorSchema,
  vatRate: z.number(),
  /** The VAT in the amount; absent: all of it has `vatRate`. */
  vat: z.array(VatPartSchema).optional(),
  currency: CurrencySchema,
  card: ShownCardSchema,
  paidAt: UtcTimeSchema,
  /** A page of the cloud, for a QR code; null: the site runs alone. */
  url: z.url().nullable(),
});
export type KioskReceipt = z.infer<typeof KioskReceiptSchema>;

/** A driver calls for help. */
export const KioskHelpOrderSchema = z.strictObject({
  /** Made by the kiosk; sent again it is the same call. */
  id: z.uuid(),
  /** The visit that the driver looks at; null: none. */
  visitId: z.uuid().nullable(),
  language: LanguageSchema,
});
export type KioskHelpOrder = z.infer<typeof KioskHelpOrderSchema>;

/** A call for help as the driver sees it. */
export const KioskHelpSchema = z.object({
  id: z.uuid(),
  /** `unreached`: the call was not received, or not accepted in time. */
  state: z.enum(['calling', 'accepted', 'closed', 'unreached']).catch('calling'),
  /** The name of the operator who has accepted it. */
  name: z.string().nullable(),
});
export type KioskHelp = z.infer<typeof KioskHelpSchema>;
