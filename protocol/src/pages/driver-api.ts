import { z } from 'zod';
import { MailAddressSchema } from '../base/card-number.ts';
import { LanguageSchema } from '../base/language.ts';
import { AmountMinorSchema, CurrencySchema } from '../base/money.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { ReceiptCardSchema } from '../records/payment.ts';
import { PaymentKeySchema, StayKeySchema } from './pay-api.ts';

// The paths, and how these calls follow each other, are in driver-paths.ts.

export const DriverFaultSchema = z.enum([
  'bad-input',
  'too-many-requests',
  /** The link is too old or was used before: request a new one. */
  'expired',
  /** The stay is not proved or not paid, its plate is in doubt, or the vehicle is another driver's and not inside. */
  'wrong-proof',
  'too-many-vehicles',
  /** The provider has stored no card with that payment, or it is not this driver's. */
  'no-card',
  /** The register of vehicles names another owner and operator, or does not have the plate. */
  'not-registered',
  /** The register of vehicles does not answer now. */
  'no-register',
]);
export type DriverFault = z.infer<typeof DriverFaultSchema>;

export const DriverRefusalSchema = z.strictObject({
  code: DriverFaultSchema,
  messages: z.array(z.string()),
  /** The wait in seconds, with `too-many-requests`. */
  retryAfterSeconds: z.int().optional(),
});
export type DriverRefusal = z.infer<typeof DriverRefusalSchema>;

export const DriverLoginSchema = z.strictObject({ email: MailAddressSchema, language: LanguageSchema });
export type DriverLogin = z.infer<typeof DriverLoginSchema>;

/** The ways of a driver beside the mailed link. */
export const DriverOptionsSchema = z.strictObject({
  /** Drivers may log in by electronic identity. */
  electronicId: z.boolean(),
  /** A register of vehicles can prove who owns a vehicle. */
  register: z.boolean(),
});
export type DriverOptions = z.infer<typeof DriverOptionsSchema>;

export const DriverOpenSchema = z.strictObject({
  /** The secret behind `#` of the mailed link. */
  link: z.string().min(1).max(100),
});

/** How much may be charged without asking. */
export const DriverCapsSchema = z.strictObject({
  /** The currency of the limits; no stay in another one is charged. */
  currency: CurrencySchema,
  stayMinor: AmountMinorSchema.min(1),
  /** The most that may be charged on one day of the site's calendar. */
  dayMinor: AmountMinorSchema.min(1),
});
export type DriverCaps = z.infer<typeof DriverCapsSchema>;

export const DriverVehicleSchema = z.strictObject({
  plate: z.string(),
  /** `register`: as long as the register of vehicles names the driver. */
  proof: z.enum(['stay', 'payment', 'register']),
  provedAt: UtcTimeSchema,
});

export const DriverSchema = z.strictObject({
  email: MailAddressSchema,
  language: LanguageSchema,
  /** An electronic identity is connected. Its owner is not shown. */
  electronicId: z.boolean(),
  /** `paused`: nothing is charged by itself. */
  state: z.enum(['active', 'paused']),
  /** Why it is paused; null: it is not. */
  pausedFor: z.enum(['driver', 'declined']).nullable(),
  /** Null: the driver has set none, and nothing is charged by itself. */
  caps: DriverCapsSchema.nullable(),
  card: z.strictObject({ ...ReceiptCardSchema.shape, expires: z.string().nullable() }).nullable(),
  vehicles: z.array(DriverVehicleSchema),
  /** A payment has an unknown outcome: nothing more is charged until it is known. */
  checking: z.boolean(),
});
export type Driver = z.infer<typeof DriverSchema>;

export const DriverSessionSchema = z.strictObject({
  token: z.string(),
  expiresAt: UtcTimeSchema,
  driver: DriverSchema,
});
export type DriverSession = z.infer<typeof DriverSessionSchema>;

export const DriverSettingsSchema = z.strictObject({
  language: LanguageSchema.optional(),
  caps: DriverCapsSchema.optional(),
  /** `active` after a decline: the same card is tried again. */
  state: z.enum(['active', 'paused']).optional(),
});
export type DriverSettings = z.infer<typeof DriverSettingsSchema>;

export const DriverVehicleProofSchema = z.union([
  /** A stay of the vehicle that is proved: by its time of entry (`PAY_PATHS.proof`), or by a pay link. */
  z.strictObject({ stay: StayKeySchema }),
  /** A stay of the vehicle that was paid on the page. */
  z.strictObject({ payment: PaymentKeySchema }),
  /** A plate of which the register of vehicles names the driver's electronic identity as owner or operator. */
  z.strictObject({ plate: z.string().min(1).max(20) }),
]);
export type DriverVehicleProof = z.infer<typeof DriverVehicleProofSchema>;

export const DriverPlateSchema = z.strictObject({ plate: z.string().min(1).max(20) });

/** A payment of the page that was ordered with `storeCard`, once it is settled. */
export const DriverCardOrderSchema = z.strictObject({ payment: PaymentKeySchema });

/** A page of automatic charges: the newest ones, or those older than one. */
export const DriverChargesPageSchema = z.strictObject({
  before: z.strictObject({ at: UtcTimeSchema, id: z.uuid() }).optional(),
});
export type DriverChargesPage = z.infer<typeof DriverChargesPageSchema>;

export const DriverChargeSchema = z.strictObject({
  id: z.uuid(),
  at: UtcTimeSchema,
  site: z.strictObject({ name: z.string(), timeZone: z.string() }),
  /** Null: it was erased. */
  plate: z.string().nullable(),
  /** `checking`: not known yet. `refused`: the driver was asked to pay by hand. */
  state: z.enum(['paid', 'refunded', 'declined', 'refused', 'checking']),
  /**
   * The reason of the refusal: a limit of the driver, an uncertain plate or price, or the card could not be
   * used.
   */
  refusal: z.enum(['limit', 'doubt', 'card']).nullable(),
  /** Null: nothing was to be charged. */
  amount: z.strictObject({ amountMinor: AmountMinorSchema, currency: CurrencySchema }).nullable(),
  /** Path of the receipt; null: there is none. */
  receipt: z.string().nullable(),
});
export type DriverCharge = z.infer<typeof DriverChargeSchema>;

export const DriverChargesSchema = z.strictObject({
  charges: z.array(DriverChargeSchema),
  /** Whether there are no older ones. */
  isEnd: z.boolean(),
});
export type DriverCharges = z.infer<typeof DriverChargesSchema>;
