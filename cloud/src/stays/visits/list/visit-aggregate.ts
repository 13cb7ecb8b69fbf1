import { CurrencySchema } from '@hlid/protocol/base/money';
import { z } from '@hono/zod-openapi';
import { listOf } from '../../../platform/http/list-envelope.ts';
import { VisitViewSchema } from './visit-view.ts';

/** More visits than that are not grouped: a page answers at once, whatever it finds. */
export const AGGREGATED_UP_TO = 10_000;

export const GROUPS_SHOWN = 500;

const VisitGroupSchema = z.strictObject({
  key: z.string().nullable().describe('The plate, day, status or site id of the group; null: no plate.'),
  count: z.int().min(1),
  due: z
    .record(CurrencySchema, z.int().min(0))
    .describe('The amount due now, by currency, in its minor unit.'),
});
export type VisitGroup = z.infer<typeof VisitGroupSchema>;

export const VisitAggregateSchema = z
  .strictObject({
    by: z.enum(['plate', 'day', 'status', 'site']),
    counted: z.int().min(0),
    countedAll: z.boolean().describe(`False: only the newest ${AGGREGATED_UP_TO} visits.`),
    groups: z.array(VisitGroupSchema).describe('Days in descending order, other groups by number of visits.'),
    groupsAll: z.boolean().describe(`False: only the first ${GROUPS_SHOWN} groups.`),
  })
  .meta({ id: 'VisitAggregate' });
export type VisitAggregate = z.infer<typeof VisitAggregateSchema>;

const amounts = z.record(CurrencySchema, z.int());

/** The totals of all visits that a query finds. */
export const VisitCountSchema = z
  .strictObject({
    count: z.int().min(0),
    due: amounts.describe('The amount due now, by currency, in its minor unit.'),
    paid: amounts.describe('What paid invoices have brought in.'),
    summed: z.int().min(0).describe(`The visits in \`due\` and \`paid\`: at most ${AGGREGATED_UP_TO}.`),
  })
  .meta({
    id: 'VisitCount',
    example: { count: 42, due: { ISK: 12_000 }, paid: { ISK: 84_500 }, summed: 42 },
  });
export type VisitCount = z.infer<typeof VisitCountSchema>;

export const AggregateBySchema = VisitAggregateSchema.shape.by
  .optional()
  .describe(
    'Groups all visits that match the other parameters (not only those of the page) in `extra.aggregate`: their number ' +
      `and amounts due. At most the newest ${AGGREGATED_UP_TO}; days are in the time zone of each visit’s site.`,
  );

const envelope = listOf(VisitViewSchema);

/** The list of visits, and their groups where they are asked for. */
export const VisitListSchema = envelope.extend({
  extra: envelope.shape.extra.extend({ aggregate: VisitAggregateSchema.optional() }),
});
