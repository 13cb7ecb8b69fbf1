import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { InvoiceStatusSchema } from '@hlid/protocol/records/invoice';
import { PaymentStatusSchema, ReviewFlagSchema, VisitStatusSchema } from '@hlid/protocol/records/visit';
import { z } from '@hono/zod-openapi';

/** Why a visit was found. */
export const PLATE_REASONS = ['equal', 'confusable', 'near', 'prefix'] as const;
export type PlateReason = (typeof PLATE_REASONS)[number];

const VisitHitSchema = z
  .strictObject({
    visitId: z.string(),
    siteId: z.string(),
    plate: z.string(),
    match: z
      .enum(PLATE_REASONS)
      .describe(
        '`confusable`: equal but for characters that cameras confuse; `near`: one character more, less or different.',
      ),
    differences: z
      .array(
        z.strictObject({
          at: z.int().min(0).describe('The place in the plate, from 0.'),
          typed: z.string().describe('Empty: the plate has one character more than what was typed.'),
          found: z.string().describe('Empty: the plate has one character less.'),
        }),
      )
      .describe('The places at which the plate differs from what was typed.'),
    inside: z.boolean(),
    startedOn: UtcTimeSchema,
    endedOn: UtcTimeSchema.nullable(),
    status: VisitStatusSchema,
    paymentStatus: PaymentStatusSchema.nullable(),
    flags: z.array(ReviewFlagSchema),
    entryLaneId: z.string().nullable(),
    exitLaneId: z.string().nullable(),
    photoId: z.string().nullable().describe('A photo with a picture: of the entry, or of the exit.'),
    vehicle: z
      .strictObject({
        make: z.string().nullable(),
        model: z.string().nullable(),
        color: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'VisitHit' });
export type VisitHit = z.infer<typeof VisitHitSchema>;

/** The results of a search, each kind as far as the caller may read it. */
export const SearchResultSchema = z
  .strictObject({
    visits: z
      .array(VisitHitSchema)
      .describe(
        'Cars inside first; then equal, confusable, near plates and longer ones; then the newest visit.',
      ),
    invoices: z.array(
      z.strictObject({
        id: z.string(),
        number: z.int(),
        status: InvoiceStatusSchema,
        amount: z.int(),
        currency: CurrencySchema,
        visitId: z.string().nullable(),
        customer: z.string().nullable().describe('The name of its customer, or of its payer.'),
        createdOn: UtcTimeSchema,
      }),
    ),
    customers: z.array(
      z.strictObject({ id: z.string(), name: z.string().nullable(), ssn: z.string().nullable() }),
    ),
  })
  .meta({ id: 'SearchResult', example: { visits: [], invoices: [], customers: [] } });
export type SearchResult = z.infer<typeof SearchResultSchema>;
