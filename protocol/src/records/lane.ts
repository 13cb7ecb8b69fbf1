import { z } from 'zod';
import { TypedTextSchema } from '../base/card-number.ts';
import { HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { INVOICE_PARTY_SHAPE } from '../base/invoice-party.ts';
import { LanguageSchema } from '../base/language.ts';
import { MAX_NAME } from '../base/limits.ts';
import { wrong } from '../base/mistakes/mistake.ts';
import { NameSchema } from '../base/typed-text.ts';
import { SiteVatSchema } from '../base/vat-schema.ts';
import { SITE_DEFAULTS, SITE_LIMITS } from './site-limits.ts';

/** Direction of a lane. */
export const DirectionSchema = z.enum(['entry', 'exit']).meta({ id: 'Direction' });
export type Direction = z.infer<typeof DirectionSchema>;

/** More often than any country has changed its VAT. */
const MAX_VAT_PERIODS = 20;

/** The limit is about 15 kB: settings go to each site in one message. */
const MAX_LOGO_LENGTH = 20_000;

const LogoSchema = z
  .string()
  .max(MAX_LOGO_LENGTH)
  .regex(/^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/, wrong('logo-form'));

/** Settings of a site and its lanes. */
export const SiteSettingsSchema = z
  .strictObject({
    /** An entrance opens for an unreadable plate. */
    opensUnreadable: z.boolean().default(SITE_DEFAULTS.opensUnreadable),
    /** An exit opens if no visit is found. */
    opensUnmatchedExit: z.boolean().default(SITE_DEFAULTS.opensUnmatchedExit),
    permitsOnly: z.boolean().default(SITE_DEFAULTS.permitsOnly),
    /** Cars that fit; null: not counted. */
    capacity: z.int().min(SITE_LIMITS.capacity.min).nullable().default(SITE_DEFAULTS.capacity),
    /** A car that leaves again within this time owes nothing. */
    entryGraceMinutes: z
      .int()
      .min(SITE_LIMITS.entryGraceMinutes.min)
      .max(SITE_LIMITS.entryGraceMinutes.max)
      .default(SITE_DEFAULTS.entryGraceMinutes),
    /** Time to leave after paying. */
    exitGraceMinutes: z
      .int()
      .min(SITE_LIMITS.exitGraceMinutes.min)
      .max(SITE_LIMITS.exitGraceMinutes.max)
      .default(SITE_DEFAULTS.exitGraceMinutes),
    /**
     * The score from which on a read is certain. A permit that differs by a confusable character may open for
     * such a read, and an exit never holds it for a visit with a plate that is only near.
     */
    confusableScore: z
      .number()
      .min(SITE_LIMITS.confusableScore.min)
      .max(SITE_LIMITS.confusableScore.max)
      .default(SITE_DEFAULTS.confusableScore),
    /** Reads of one vehicle on a lane within this time are one passage. */
    passageWindowMs: z
      .int()
      .min(100)
      .max(2 * MINUTE_MS)
      .default(SITE_DEFAULTS.passageWindowMs),
    /** The same plate read again on its lane within this time, nothing between, is the same car still standing there. */
    standingMs: z.int().min(0).max(HOUR_MS).default(SITE_DEFAULTS.standingMs),
    /**
     * The same plate on two lanes of the same direction within this time is one car that both cameras see: one gate, one
     * visit. 0: never.
     */
    sameCarMs: z
      .int()
      .min(SITE_LIMITS.sameCarMs.min)
      .max(SITE_LIMITS.sameCarMs.max)
      .default(SITE_DEFAULTS.sameCarMs),
    /** The owner of a car that leaves without a settlement is sent an invoice. */
    invoicesOwners: z.boolean().default(SITE_DEFAULTS.invoicesOwners),
    /** An exit opens after this time without a decision, in ms; absent: 2000. */
    exitPatienceMs: z
      .int()
      .min(SITE_LIMITS.exitPatienceMs.min)
      .max(SITE_LIMITS.exitPatienceMs.max)
      .optional(),
    /** A held car is assumed to wait at the exit for this time after it was last seen, unless it is known to have left. */
    exitWaitMinutes: z
      .int()
      .min(SITE_LIMITS.exitWaitMinutes.min)
      .max(SITE_LIMITS.exitWaitMinutes.max)
      .default(SITE_DEFAULTS.exitWaitMinutes),
    /** Drivers can pay at a kiosk of the site; absent: only while a card terminal of the edge works. */
    hasKiosk: z.boolean().optional(),
    /** The language in which its kiosk starts; absent: Icelandic. */
    language: LanguageSchema.optional(),
    /**
     * Days, including today, on which drivers may search for their car by its time of entry: as long as cars usually
     * stay. The kiosk does not show earlier entries. Absent: 3.
     */
    kioskEntryDays: z
      .int()
      .min(SITE_LIMITS.kioskEntryDays.min)
      .max(SITE_LIMITS.kioskEntryDays.max)
      .optional(),
    /** The address of the site, for signs. */
    address: TypedTextSchema.min(1).max(MAX_NAME).optional(),
    /** The place of the site on the earth, in degrees, for the map of all sites. */
    latitude: z.number().min(SITE_LIMITS.latitude.min).max(SITE_LIMITS.latitude.max).optional(),
    longitude: z.number().min(SITE_LIMITS.longitude.min).max(SITE_LIMITS.longitude.max).optional(),
    /** When it is open, in the words of its signs: the gates do not go by it. */
    openingHours: TypedTextSchema.min(1).max(MAX_NAME).optional(),
    /** Telephone number for drivers who cannot get in or out. */
    helpPhone: TypedTextSchema.min(3).max(30).optional(),
    /** How to pay by telephone, as shown to drivers. */
    payOnline: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    /** The gateway of online payments for this site, as the cloud's configuration names it; absent: the cloud's usual one. */
    cardGateway: TypedTextSchema.min(1).max(40).optional(),
    /** The access point for electronic invoices of this site, as the cloud's configuration names it; absent: the usual one. */
    accessPoint: TypedTextSchema.min(1).max(40).optional(),
    /**
     * The receipt of a card payment can be sent electronically to the company of its driver, by the draft of TS 240 of July
     * 2026; absent: it cannot.
     */
    sendsCardReceipts: z.boolean().optional(),
    /** Days after a car has left in which its driver can pay online; after that the offices take it. Absent: 14. */
    payAfterDays: z.int().min(SITE_LIMITS.payAfterDays.min).max(SITE_LIMITS.payAfterDays.max).optional(),
    /**
     * A stay that was not paid in its `payAfterDays` is billed by itself, where nothing about it is in doubt: to the company
     * that has the car, else to its operator or owner. Absent: a person decides.
     */
    invoicesUnpaid: z.boolean().optional(),
    /** Days in which a dispute is to be answered. Absent: 14. */
    disputeDays: z.int().min(SITE_LIMITS.disputeDays.min).max(SITE_LIMITS.disputeDays.max).optional(),
    /**
     * The cloud pairs visits that are still open with exits that found no visit: it ends those that are certain, and proposes
     * the others to people. Absent: it does not.
     */
    matchesExits: z.boolean().optional(),
    /** The least probability at which a pair ends its visit by itself. Absent: 0.999. */
    matchProbability: z
      .number()
      .min(SITE_LIMITS.matchProbability.min)
      .max(SITE_LIMITS.matchProbability.max)
      .optional(),
    /** How many times as likely as any other pair of the same cars it has to be for that. Absent: 100. */
    matchMargin: z.int().min(SITE_LIMITS.matchMargin.min).max(SITE_LIMITS.matchMargin.max).optional(),
    /** The seller, as required on receipts. */
    seller: z
      .strictObject({
        name: NameSchema,
        ssn: TypedTextSchema.min(1).max(20),
        /** The number under which the seller is registered for value added tax. */
        vatNumber: TypedTextSchema.min(1).max(20).optional(),
        address: TypedTextSchema.min(1).max(MAX_NAME).optional(),
        /** The same in parts, for electronic invoices, and the address to which they are answered. */
        street: INVOICE_PARTY_SHAPE.street.optional(),
        postcode: INVOICE_PARTY_SHAPE.postcode.optional(),
        city: INVOICE_PARTY_SHAPE.city.optional(),
        country: INVOICE_PARTY_SHAPE.country.optional(),
        electronicAddress: INVOICE_PARTY_SHAPE.electronicAddress.optional(),
        /** The account to which invoices are paid, such as `0133-26-001234` or an IBAN. */
        bankAccount: TypedTextSchema.min(1).max(40).optional(),
        /**
         * The logo on the page of a receipt: a small picture as a `data:` address, since that page loads
         * nothing.
         */
        logo: LogoSchema.optional(),
      })
      .optional(),
    /** The VAT of its fees, and of prices whose product does not have its own; absent: not decided. */
    vat: z.array(SiteVatSchema).max(MAX_VAT_PERIODS).optional(),
    /** Whether the service fees of its tariffs are charged at its kiosks, as signs must say; absent: they are not. */
    chargesServiceFees: z.boolean().optional(),
    /** Whether the late fee of its tariffs is charged, from the delivery of a notice on; absent: it is not. */
    chargesLateFees: z.boolean().optional(),
    /**
     * A card terminal may book a tip beside the amount due: the due is paid, and the tip is kept apart. Absent: any other
     * amount is refused.
     */
    takesTips: z.boolean().optional(),
    /** Days from an invoice to the last day on which it is paid in time; absent: 14. */
    invoiceDueDays: z
      .int()
      .min(SITE_LIMITS.invoiceDueDays.min)
      .max(SITE_LIMITS.invoiceDueDays.max)
      .optional(),
    /**
     * The address at which receipts are read, without their key; absent: `/receipt` of the cloud's address as
     * the site has it.
     */
    receiptUrl: z
      .url({ protocol: /^https?$/ })
      .max(200)
      .optional(),
  })
  .meta({ id: 'SiteSettings' });
export type SiteSettings = z.infer<typeof SiteSettingsSchema>;

/** The settings that determine which reads of a camera count. */
export const CameraSettingsSchema = z
  .strictObject({
    status: z.enum(['active', 'inactive']).default('active'),
    /** 0 to 1; below it a read is kept for review and opens nothing. */
    minimumOcrScore: z.number().min(0).max(1).default(0.7),
    /** Plates to drop, such as lettering on a wall: normalised, `*` for any characters, `?` for one. */
    filters: z.array(z.string()).default([]),
  })
  .meta({ id: 'CameraSettings' });
export type CameraSettings = z.infer<typeof CameraSettingsSchema>;
