import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { LocalDaySchema } from '@hlid/protocol/base/site-time';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { ProductConfigSchema } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import { ProductEditSchema } from '../../money/products/product.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { RUN_STATES, type RunRow, type RunVisitRow } from '../../records/dry-runs/run-table.ts';

const { price, vatRate, config } = ProductEditSchema.shape;

export const NewDryRunSchema = z
  .strictObject({
    productId: IdSchema,
    draft: z
      .strictObject({ price, vatRate, config })
      .describe('What the draft changes in the product as it is now, as in `PUT /products/{id}`.'),
    siteId: IdSchema.optional().describe('Only visits of this site; absent: of every site that sells it.'),
    from: LocalDaySchema.optional().describe('The first day on which visits ended; absent: the last month.'),
    to: LocalDaySchema.optional().describe('The last day, included.'),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), wrong('day-without-other'))
  .meta({ id: 'NewDryRun', example: { productId: 'p1', draft: { price: 600 } } });
export type NewDryRun = z.infer<typeof NewDryRunSchema>;

const AmountSchema = z.int().describe('The amount in the currency’s minor unit.');

/** A dry run as the API shows it. */
export const RunSchema = z
  .strictObject({
    id: z.string(),
    kind: z.literal('dry-run'),
    state: z.enum(RUN_STATES).describe('`waiting`, `running`: it has not ended.'),
    productId: z.string(),
    siteId: z.string().nullable(),
    from: LocalDaySchema,
    to: LocalDaySchema,
    draft: z.strictObject({ price: AmountSchema, vatRate: z.number(), config: ProductConfigSchema }),
    progress: z.strictObject({
      done: z.int().describe('Visits of the period that were looked at.'),
      total: z.int().nullable().describe('Null: they are not counted yet.'),
    }),
    result: z
      .strictObject({
        currency: z.string(),
        visits: z.int().describe('Visits that the product priced.'),
        before: AmountSchema.describe('What they pay by the versions that priced them.'),
        after: AmountSchema.describe('What they would pay by the draft.'),
        more: z.int(),
        less: z.int(),
        same: z.int(),
      })
      .describe('So far, until the run is done.'),
    createdOn: UtcTimeSchema,
    endedOn: UtcTimeSchema.nullable(),
    error: z.string().nullable().describe('Why it failed.'),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof RunSchema>;

export function runFrom(row: RunRow): Run {
  const { id, state, productId, siteId, draft, sums } = row;
  const { priceMinor, vatRate, config, currency } = draft;
  const { visits, beforeMinor, afterMinor, more, less, same } = sums;
  return {
    id,
    kind: 'dry-run',
    state,
    productId,
    siteId,
    from: row.firstDay,
    to: row.lastDay,
    draft: { price: priceMinor, vatRate, config },
    progress: { done: row.done, total: row.total },
    result: { currency, visits, before: beforeMinor, after: afterMinor, more, less, same },
    createdOn: row.createdAt,
    endedOn: row.endedAt,
    error: row.error,
  };
}

/** A visit that would pay another amount. */
export const RunVisitSchema = z
  .strictObject({
    visitId: z.string(),
    before: AmountSchema,
    after: AmountSchema,
    difference: AmountSchema.describe('`after` less `before`.'),
  })
  .meta({ id: 'RunVisit' });
export type RunVisit = z.infer<typeof RunVisitSchema>;

export function runVisitFrom({ visitId, beforeMinor, afterMinor, differenceMinor }: RunVisitRow): RunVisit {
  return { visitId, before: beforeMinor, after: afterMinor, difference: differenceMinor };
}
