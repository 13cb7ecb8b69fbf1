import { z } from 'zod';
import { TypedTextSchema } from './card-number.ts';

/** Which way a lane leads. */
export const DirectionSchema = z.enum(['entry', 'exit']).meta({ id: 'Direction' });
export type Direction = z.infer<typeof DirectionSchema>;

/** What a site and its lanes do where the rules leave a choice. */
export const SiteSettingsSchema = z
  .strictObject({
    /** An entry whose plate nobody can read opens. */
    opensUnreadable: z.boolean().default(true),
    /** An exit for which no visit is found opens. */
    opensUnmatchedExit: z.boolean().default(true),
    permitsOnly: z.boolean().default(false),
    /** Cars that fit; null: not counted. */
    capacity: z.int().min(0).nullable().default(null),
    /** Turning round within it owes nothing. */
    entryGraceMinutes: z.int().min(0).max(1440).default(15),
    /** To leave after paying. */
    exitGraceMinutes: z.int().min(0).max(1440).default(15),
    /**
     * From this score on a read is sure: a permit may open for it that differs by a confusable character, and it is
     * never kept at an exit for the visit of a plate that is only near.
     */
    confusableScore: z.number().min(0).max(1).default(0.9),
    /** Reads of one vehicle on a lane within this time are one passage. */
    passageWindowMs: z.int().min(500).max(120_000).default(8000),
    /** The same plate read again on its lane within this time, nothing between, is the same car still standing there. */
    standingMs: z.int().min(0).max(3_600_000).default(120_000),
    /**
     * The same plate on two lanes that lead the same way within this time is one car, which the cameras of both see:
     * one gate, one visit. 0: never.
     */
    sameCarMs: z.int().min(0).max(60_000).default(10_000),
    /** Without a settlement, a leaving car's owner is sent an invoice. */
    invoicesOwners: z.boolean().default(false),
    /** So long a car stands at an exit with nothing decided for it before it is let out, in ms; absent: 2000. */
    exitPatienceMs: z.int().min(500).max(10_000).optional(),
    /** A car that an exit kept waits there for so long after it was last seen, unless something says that it left. */
    exitWaitMinutes: z.int().min(1).max(1440).default(30),
    /** Drivers can pay at a kiosk of the site; absent: only while a card terminal of its edge works. */
    hasKiosk: z.boolean().optional(),
    /** Whom a driver calls who cannot get in or out. */
    helpPhone: TypedTextSchema.min(3).max(30).optional(),
    /** Where a driver pays by telephone, as it is shown to him. */
    payOnline: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    /** Who sells the parking, as receipts have to say. */
    seller: z
      .strictObject({
        name: TypedTextSchema.min(1).max(200),
        ssn: TypedTextSchema.min(1).max(20),
        /** As registered for value added tax. */
        vatNumber: TypedTextSchema.min(1).max(20).optional(),
      })
      .optional(),
    /** Whether the service fees of its tariffs are charged at its kiosks, as signs have to say; absent: they are not. */
    chargesServiceFees: z.boolean().optional(),
    /** Whether the late fee of its tariffs is charged, from the delivery of a notice on; absent: it is not. */
    chargesLateFees: z.boolean().optional(),
    /** Days from an invoice to the last day on which it is paid in time; absent: 14. */
    invoiceDueDays: z.int().min(0).max(90).optional(),
    /** Where receipts are read, less their key; absent: `/receipt` of the cloud's address as the site has it. */
    receiptUrl: z
      .url({ protocol: /^https?$/ })
      .max(200)
      .optional(),
  })
  .meta({ id: 'SiteSettings' });
export type SiteSettings = z.infer<typeof SiteSettingsSchema>;

/** What a camera's reads must be like to count. */
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
