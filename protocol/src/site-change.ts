import { z } from 'zod';
import { CameraSettingsSchema, SiteSettingsSchema } from './lane.ts';
import { AmountMinorSchema, CurrencySchema } from './money.ts';
import { ProductSchema } from './product.ts';
import { TimeZoneSchema } from './site-time.ts';
import { UtcTimeSchema } from './utc-time.ts';
import { PaymentStatusSchema, VisitStatusSchema } from './visit.ts';
import { PermitSchema } from './whitelist.ts';

/** Name, time and rules of the site itself; its id is always `site`. */
export const SiteItemSchema = z
  .strictObject({
    name: z.string(),
    timeZone: TimeZoneSchema,
    currency: CurrencySchema,
    settings: SiteSettingsSchema,
  })
  .meta({ id: 'SiteItem' });
export type SiteItem = z.infer<typeof SiteItemSchema>;

export const ZoneItemSchema = z
  .strictObject({
    id: z.string().min(1),
    name: z.string(),
    /** Cars that fit; null: not counted. */
    capacity: z.int().min(0).nullable(),
  })
  .meta({ id: 'ZoneItem' });
export type ZoneItem = z.infer<typeof ZoneItemSchema>;

/** A camera's settings; `remoteId` is the camera's id in the site's own configuration. */
export const CameraItemSchema = z
  .strictObject({ id: z.string().min(1), remoteId: z.string().min(1), settings: CameraSettingsSchema })
  .meta({ id: 'CameraItem' });
export type CameraItem = z.infer<typeof CameraItemSchema>;

/** How the due of a visit was met elsewhere, by an online payment or by an operator. */
export const SettlementItemSchema = z
  .strictObject({
    id: z.uuid(),
    visitId: z.uuid(),
    paymentStatus: PaymentStatusSchema,
    amountMinor: AmountMinorSchema,
    currency: CurrencySchema,
    /** Units met by it. */
    units: z.int().min(0),
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
    /** Normalised; absent: not changed. */
    plate: z.string().min(1).optional(),
    status: VisitStatusSchema.optional(),
    /** Null opens it again. */
    endedAt: UtcTimeSchema.nullable().optional(),
    reason: z.string(),
    by: z.string(),
    at: UtcTimeSchema,
  })
  .meta({ id: 'VisitEditItem' });
export type VisitEditItem = z.infer<typeof VisitEditItemSchema>;

const put = <Kind extends string, Item extends z.ZodType>(kind: Kind, item: Item) =>
  z.strictObject({ kind: z.literal(kind), op: z.literal('put'), id: z.string().min(1), item });
const remove = <Kind extends string>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), op: z.literal('remove'), id: z.string().min(1) });

/** What the lists of a site are made of. Together they are what the content hash covers. */
export const LIST_KINDS = ['site', 'permit', 'product', 'zone', 'camera'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** One change of what a site needs to know. The last two kinds are events: they are not part of a snapshot's lists. */
export const SiteChangeBodySchema = z
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
    put('settlement', SettlementItemSchema),
    put('visit-edit', VisitEditItemSchema),
  ])
  .meta({ id: 'SiteChangeBody' });
export type SiteChangeBody = z.infer<typeof SiteChangeBodySchema>;

export const SiteChangeSchema = z
  .strictObject({
    /** From 1, without gaps in a site's feed. */
    n: z.int().min(1),
    change: SiteChangeBodySchema,
  })
  .meta({ id: 'SiteChange' });
export type SiteChange = z.infer<typeof SiteChangeSchema>;
