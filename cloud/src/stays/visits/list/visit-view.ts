import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import {
  FoundBySchema,
  PaymentStatusSchema,
  ReviewFlagSchema,
  VisitStatusSchema,
} from '@hlid/protocol/records/visit';
import { PriceLineSchema } from '@hlid/protocol/tariff/price-line';
import { PricedBySchema, VehicleCategorySchema } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import { needsApprovalSchema } from '../../../people/approvals/needs-approval.ts';
import { PHOTO_STATUSES } from '../../../records/photos/photo-table.ts';
import type { VisitStepRow } from '../../../records/visits/visit-table.ts';
import { VisitActionsSchema } from '../visit-actions.ts';

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
    rule,
    units: z.int(),
    amount: z.int(),
    unitAmount: z.int().optional().describe('The price of one unit, if all units cost the same.'),
    minutes,
    capOf,
    label,
  })
  .meta({ id: 'PriceLineView' });

export const VisitPriceViewSchema = z
  .strictObject({
    amount: z.int().describe('The price of the stay including paid amounts, in the currency’s minor unit.'),
    currency: CurrencySchema,
    lines: z
      .array(PriceLineViewSchema)
      .describe('The lines of the price and of what is settled; their sum is the amount due.'),
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
    category: VehicleCategorySchema.nullable().describe('Null: not known, treated as light.'),
  })
  .meta({ id: 'VisitVehicle' });

const VisitInvoiceSchema = z
  .strictObject({
    id: z.string(),
    status: z.enum(['draft', 'paid', 'failed', 'incomplete', 'refunded']),
    number: z.int().nullable().describe('Null: not issued yet.'),
    amount: z.int().describe('The amount of the whole invoice, which may include other visits.'),
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
    'The price; of an open stay, that until now. Null: no price.',
  ),
  due: z
    .strictObject({ amount: z.int().min(0), currency: CurrencySchema })
    .nullable()
    .describe('The amount due now, from the driver or by a later invoice. Null: no price.'),
  noticeOn: UtcTimeSchema.nullable().describe(
    'When a notice about the amount due was delivered; a late fee counts from then.',
  ),
  unitsMet: z.int(),
  paid: z.int().describe('The amount settled in money, besides units; in the currency’s minor unit.'),
  paidUntil: UtcTimeSchema.nullable(),
  vehicle: VisitVehicleSchema.nullable(),
  customer: z.strictObject({ id: z.string(), name: z.string().nullable() }).nullable(),
  entrancePhoto: VisitPhotoSchema.nullable(),
  exitPhoto: VisitPhotoSchema.nullable(),
  exitFoundBy: FoundBySchema.nullable(),
  entryLaneId: z.string().nullable(),
  exitLaneId: z.string().nullable(),
  invoice: VisitInvoiceSchema.nullable().describe(
    'The newest invoice that includes it and was not refunded; if all were, the newest.',
  ),
  quota: z
    .strictObject({ id: z.string(), units: z.int().min(0) })
    .nullable()
    .describe('The units that its customer’s quota covers.'),
  flags: z.array(ReviewFlagSchema),
};

/** A visit as the API shows it in a list. */
export const VisitViewSchema = z.strictObject(fields).meta({ id: 'Visit' });
export type VisitView = z.infer<typeof VisitViewSchema>;

/** A visit on its own, with everything that happened to it. */
export const VisitWithHistorySchema = z
  .strictObject({
    ...fields,
    actions: VisitActionsSchema,
    needsApproval: needsApprovalSchema(['void']),
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

/**
 * Steps oldest first. An edit that the site has applied comes back from it as a separate step: it is shown
 * once.
 */
export function historyFrom(steps: readonly VisitStepRow[]) {
  const seen = new Set<string>();
  return steps.flatMap(({ at, by, from, to, reason }) => {
    const key = JSON.stringify([at, by, reason]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ at, by, from, to, reason }];
  });
}
