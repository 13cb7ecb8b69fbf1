import { CurrencySchema } from '@hlid/protocol/money';
import { PriceLineSchema } from '@hlid/protocol/price-line';
import { PricedBySchema, VehicleCategorySchema } from '@hlid/protocol/product';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import {
  FoundBySchema,
  PaymentStatusSchema,
  ReviewFlagSchema,
  VisitStatusSchema,
} from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import { PHOTO_STATUSES } from '../../photos/storage/photo-table.ts';
import type { VisitStepRow } from '../record/visit-table.ts';

/** A read of a visit, and the camera that made it. */
const VisitPhotoSchema = z
  .strictObject({
    id: z.string(),
    capturedOn: UtcTimeSchema,
    plate: z.string().nullable(),
    score: z.number(),
    url: z.string().nullable(),
    status: z.enum(PHOTO_STATUSES),
    createdOn: UtcTimeSchema,
    camera: z.strictObject({
      id: z.string().nullable().describe('Null: not registered.'),
      name: z.string().nullable(),
      remoteId: z.string(),
    }),
  })
  .meta({ id: 'VisitPhoto' });

const { rule, minutes, capOf, label } = PriceLineSchema.shape;

/** A line of a price as the API shows it. */
const PriceLineViewSchema = z
  .strictObject({
    ...{ rule, units: z.int(), amount: z.int() },
    unitAmount: z.int().optional().describe('Of one unit, where all of them cost the same.'),
    ...{ minutes, capOf, label },
  })
  .meta({ id: 'PriceLineView' });

export const VisitPriceViewSchema = z
  .strictObject({
    amount: z
      .int()
      .describe('What the stay costs, with what has been paid of it, in the currency’s minor unit.'),
    currency: CurrencySchema,
    lines: z
      .array(PriceLineViewSchema)
      .describe('What makes the price, and what has been met of it: together they are what is due.'),
    product: PricedBySchema,
    pricedOn: UtcTimeSchema,
  })
  .meta({ id: 'VisitPriceView' });

const VisitVehicleSchema = z
  .strictObject({
    regno: z.string(),
    country: z.string().nullable(),
    make: z.string().nullable(),
    model: z.string().nullable(),
    color: z.string().nullable(),
    category: VehicleCategorySchema.nullable().describe('Null: not known, and so light.'),
  })
  .meta({ id: 'VisitVehicle' });

const VisitInvoiceSchema = z
  .strictObject({
    id: z.string(),
    status: z.enum(['draft', 'paid', 'failed', 'incomplete', 'refunded']),
    number: z.int().nullable().describe('Null: not issued yet.'),
    amount: z.int().describe('Of the whole invoice, which may be about other visits too.'),
    currency: CurrencySchema,
  })
  .meta({ id: 'VisitInvoice' });

const fields = {
  id: z.string(),
  siteId: z.string(),
  startedOn: UtcTimeSchema,
  endedOn: UtcTimeSchema.nullable(),
  createdOn: UtcTimeSchema,
  plate: z.string().nullable(),
  status: VisitStatusSchema,
  paymentStatus: PaymentStatusSchema.nullable(),
  price: VisitPriceViewSchema.nullable().describe(
    'Of a stay that goes on: as of now. Null: nothing prices it.',
  ),
  due: z
    .strictObject({ amount: z.int().min(0), currency: CurrencySchema })
    .nullable()
    .describe(
      'What is to be paid now, by the driver or by an invoice still to come. Null: nothing prices it.',
    ),
  noticeOn: UtcTimeSchema.nullable().describe(
    'When a notice about what it owes was delivered; a late fee counts from then on.',
  ),
  unitsMet: z.int(),
  paid: z.int().describe('In money towards the stay, beside the units; in the currency’s minor unit.'),
  paidUntil: UtcTimeSchema.nullable(),
  vehicle: VisitVehicleSchema.nullable(),
  customer: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
  entrancePhoto: VisitPhotoSchema.nullable(),
  exitPhoto: VisitPhotoSchema.nullable(),
  exitFoundBy: FoundBySchema.nullable(),
  invoice: VisitInvoiceSchema.nullable().describe('The newest that is about it.'),
  quota: z
    .strictObject({ id: z.string(), units: z.int().min(0) })
    .nullable()
    .describe('What its customer’s quota meets of it.'),
  flags: z.array(ReviewFlagSchema),
};

/** A visit as the API shows it in a list. */
export const VisitViewSchema = z.strictObject(fields).meta({ id: 'Visit' });
export type VisitView = z.infer<typeof VisitViewSchema>;

/** A visit on its own, with everything that happened to it. */
export const VisitWithHistorySchema = z
  .strictObject({
    ...fields,
    history: z.array(
      z.strictObject({
        at: UtcTimeSchema,
        by: z.string(),
        from: VisitStatusSchema.nullable(),
        to: VisitStatusSchema,
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: 'VisitWithHistory' });

/** Steps oldest first. An edit that the site has applied comes back from it as a step of its own: shown once. */
export function historyFrom(steps: readonly VisitStepRow[]) {
  const seen = new Set<string>();
  return steps.flatMap(({ at, by, from, to, reason }) => {
    const key = JSON.stringify([at, by, reason]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ at, by, from, to, reason }];
  });
}
