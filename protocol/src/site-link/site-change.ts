import { z } from 'zod';
import { CurrencySchema } from '../base/money.ts';
import { TimeZoneSchema } from '../base/site-time.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { CameraSettingsSchema, SiteSettingsSchema } from '../records/lane.ts';
import { PaymentStatusSchema, ReviewFlagSchema, VisitSchema, VisitStatusSchema } from '../records/visit.ts';
import { PermitSchema } from '../records/whitelist.ts';
import { ProductSchema, VehicleCategorySchema } from '../tariff/product.ts';
import { SiteCodeSchema } from './site-code.ts';

/** Name, time and rules of the site itself; its id is always `site`. */
export const SiteItemSchema = z
  .strictObject({
    name: z.string(),
    timeZone: TimeZoneSchema,
    currency: CurrencySchema,
    settings: SiteSettingsSchema,
    /** The code that people read and type in place of the id; absent: the site has no cloud. */
    code: SiteCodeSchema.optional(),
    /** `off`: the gateway of its payment page takes no cards now; absent: nothing is known to be wrong with it. */
    onlinePayment: z.literal('off').optional(),
    /** Its cars, devices and money are simulated; absent: it is a real car park. */
    training: z.literal(true).optional(),
  })
  .meta({ id: 'SiteItem' });
export type SiteItem = z.infer<typeof SiteItemSchema>;

export const ZoneItemSchema = z
  .strictObject({
    id: z.string().min(1),
    name: z.string(),
    /** Cars that fit; null: not counted. */
    capacity: z.int().min(0).nullable(),
    /** Cars that are inside beside those with an open visit, as a person counted; below zero: fewer than these; absent: 0. */
    insideOffset: z.int().optional(),
  })
  .meta({ id: 'ZoneItem' });
export type ZoneItem = z.infer<typeof ZoneItemSchema>;

/** A camera's settings; `remoteId` is the camera's id in the site's own configuration. */
export const CameraItemSchema = z
  .strictObject({ id: z.string().min(1), remoteId: z.string().min(1), settings: CameraSettingsSchema })
  .meta({ id: 'CameraItem' });
export type CameraItem = z.infer<typeof CameraItemSchema>;

/** How customers pay for the visits of their vehicles. */
export const BillingMethodSchema = z.enum(['daily', 'monthly', 'whitelist']).meta({ id: 'BillingMethod' });
export type BillingMethod = z.infer<typeof BillingMethodSchema>;

/** The facts about a vehicle that a site needs beyond its permits. The id of the item is the plate. */
export const VehicleItemSchema = z
  .strictObject({
    /** Normalised. */
    plate: z.string().min(1),
    category: VehicleCategorySchema,
    /**
     * The registered seats, for tariffs with classes; absent: not known, or a vehicle of five seats at most.
     */
    seats: z.int().min(0).optional(),
    /** Largest permitted mass of a heavy one. */
    massKg: z.int().min(0).optional(),
    /** The owners with their times; at most one at a time. */
    custody: z.array(
      z.strictObject({
        customerId: z.string().min(1),
        /** Null: the customer pays like other drivers. */
        billing: BillingMethodSchema.nullable(),
        from: UtcTimeSchema,
        /** The end, which is not included; null: until further notice. */
        until: UtcTimeSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'VehicleItem' });
export type VehicleItem = z.infer<typeof VehicleItemSchema>;

/** Units that a customer has paid for in advance. */
export const QuotaItemSchema = z
  .strictObject({
    id: z.string().min(1),
    customerId: z.string().min(1),
    /** Visits of vehicles of this category, in which the product's units count. */
    vehicleCategory: VehicleCategorySchema,
    total: z.int().min(0),
    /** The units used by visits over and visits open. */
    used: z.int().min(0),
  })
  .meta({ id: 'QuotaItem' });
export type QuotaItem = z.infer<typeof QuotaItemSchema>;

/**
 * An online payment with money that may be moving, or with an unknown outcome. Nothing else is to be paid for
 * the visit until it leaves the list.
 */
export const OnlinePaymentItemSchema = z
  .strictObject({ id: z.uuid(), visitId: z.uuid(), since: UtcTimeSchema })
  .meta({ id: 'OnlinePaymentItem' });
export type OnlinePaymentItem = z.infer<typeof OnlinePaymentItemSchema>;

/** How the due of a visit was met elsewhere, by an online payment or by an operator. */
export const SettlementItemSchema = z
  .strictObject({
    id: z.uuid(),
    visitId: z.uuid(),
    paymentStatus: PaymentStatusSchema,
    /**
     * The amount; with no units it is money paid towards the stay; below zero: that was counted as paid and
     * is due again.
     */
    amountMinor: z.int(),
    currency: CurrencySchema,
    /** Units met by it; below zero: units that were counted as met and are due again. */
    units: z.int(),
    settledAt: UtcTimeSchema,
    by: z.string(),
  })
  .meta({ id: 'SettlementItem' });
export type SettlementItem = z.infer<typeof SettlementItemSchema>;

/** A person's correction of a visit. */
export const VisitEditItemSchema = z
  .strictObject({
    id: z.uuid(),
    visitId: z.uuid(),
    /** Normalised; null: not known after all; absent: not changed. */
    plate: z.string().min(1).nullable().optional(),
    status: VisitStatusSchema.optional(),
    /** The start; if it has changed, the visit is priced again. */
    startedAt: UtcTimeSchema.optional(),
    /**
     * The end; null opens the visit again. If it has changed, the visit is priced again, and counts as not
     * seen to leave.
     */
    endedAt: UtcTimeSchema.nullable().optional(),
    /** Flags that a person has looked at: they come off. */
    reviewed: z.array(ReviewFlagSchema).optional(),
    /** Flags that a person puts on, such as those that were taken off by mistake. */
    flagged: z.array(ReviewFlagSchema).optional(),
    /** A part of what an ended visit owes that is given up. */
    waivedMinor: z.int().min(1).optional(),
    /** An undo puts this back as it was, in place of what the rules would make of it. */
    restored: VisitSchema.pick({
      status: true,
      paymentStatus: true,
      paidUntil: true,
      price: true,
    }).optional(),
    reason: z.string(),
    by: z.string(),
    at: UtcTimeSchema,
  })
  .meta({ id: 'VisitEditItem' });
export type VisitEditItem = z.infer<typeof VisitEditItemSchema>;

/** A visit that a person began in the cloud: by hand, or by splitting one in two. */
export const VisitItemSchema = z
  .strictObject({ visit: VisitSchema, reason: z.string(), by: z.string(), at: UtcTimeSchema })
  .meta({ id: 'VisitItem' });
export type VisitItem = z.infer<typeof VisitItemSchema>;

/** A plate that a site is to forget: everything of it from before a moment, but for stays that are not over. */
export const EraseItemSchema = z
  .strictObject({
    /** Normalised. */
    plate: z.string().min(1),
    before: UtcTimeSchema,
  })
  .meta({ id: 'EraseItem' });
export type EraseItem = z.infer<typeof EraseItemSchema>;

const put = <Kind extends string, Item extends z.ZodType>(kind: Kind, item: Item) =>
  z.strictObject({ kind: z.literal(kind), op: z.literal('put'), id: z.string().min(1), item });
const remove = <Kind extends string>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), op: z.literal('remove'), id: z.string().min(1) });

/** The kinds of items in the lists of a site. The content hash covers all of them. */
export const LIST_KINDS = [
  'site',
  'permit',
  'product',
  'zone',
  'camera',
  'vehicle',
  'quota',
  'online-payment',
] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** One change of the lists. */
export const ListChangeSchema = z
  .union([
    put('site', SiteItemSchema),
    put('permit', PermitSchema),
    remove('permit'),
    put('product', ProductSchema),
    remove('product'),
    put('zone', ZoneItemSchema),
    remove('zone'),
    put('camera', CameraItemSchema),
    remove('camera'),
    put('vehicle', VehicleItemSchema),
    remove('vehicle'),
    put('quota', QuotaItemSchema),
    remove('quota'),
    put('online-payment', OnlinePaymentItemSchema),
    remove('online-payment'),
  ])
  .meta({ id: 'ListChange' });
export type ListChange = z.infer<typeof ListChangeSchema>;

/** One change of what a site needs to know. Those not of the lists are events: they are not part of a snapshot's lists. */
export const SiteChangeBodySchema = z
  .union([
    ...ListChangeSchema.options,
    put('settlement', SettlementItemSchema),
    put('visit-edit', VisitEditItemSchema),
    put('visit', VisitItemSchema),
    put('erase', EraseItemSchema),
  ])
  .meta({ id: 'SiteChangeBody' });
export type SiteChangeBody = z.infer<typeof SiteChangeBodySchema>;

/** Made at random with each change: where a cloud was put back from a backup, the same number has another mark. */
export const FeedMarkSchema = z.string().regex(/^[0-9a-f]{16}$/);

export const SiteChangeSchema = z
  .strictObject({
    /** The number, from 1, without gaps in a site's feed. */
    n: z.int().min(1),
    mark: FeedMarkSchema,
    change: SiteChangeBodySchema,
  })
  .meta({ id: 'SiteChange' });
export type SiteChange = z.infer<typeof SiteChangeSchema>;
