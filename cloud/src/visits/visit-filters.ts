import { PaymentStatusSchema, VisitStatusSchema } from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import { and, eq, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { MomentSchema, PlateSchema } from '../http/input-fields.ts';
import { passageDecisionTable } from '../ingest/ingest-table.ts';
import { photoTable } from '../photos/photo-table.ts';
import { visitTable as t } from './visit-table.ts';

const DayOrMomentSchema = z.union([z.iso.date(), MomentSchema]);

/** The query of `GET /visits` and `GET /visits/counts`, but for `next`. */
export const VisitQuerySchema = z.strictObject({
  status: z
    .enum([...VisitStatusSchema.options, 'open', 'review', 'closed'])
    .optional()
    .describe('`open`: not ended; `closed`: ended; `review`: a person should look at it.'),
  collection: z
    .enum(['latest', 'export', 'open', 'checkin', 'unpaid'])
    .optional()
    .describe(
      '`latest`: all; `export`: all, 1000 on a page; `open`: not ended; `checkin`: not ended, and not asked to pay; ' +
        '`unpaid`: something is due.',
    ),
  plate: PlateSchema.optional().describe('Equal plates first, then those that look alike.'),
  date: z.iso.date().optional().describe('The day on which it started, where the site is.'),
  'date.from': DayOrMomentSchema.optional(),
  'date.to': DayOrMomentSchema.optional().describe('A day is included.'),
  'payment.status': PaymentStatusSchema.optional(),
  siteId: z.string().optional(),
});
export type VisitQuery = z.infer<typeof VisitQuerySchema>;

/** What a query asks for, its days turned into moments; `customer` is set by who asks. */
export interface VisitFilters {
  status?: VisitQuery['status'];
  collection?: 'open' | 'checkin' | 'unpaid' | undefined;
  plateFolded?: string | undefined;
  from?: string | undefined;
  before?: string | undefined;
  paymentStatus?: string | undefined;
  siteId?: string | undefined;
  customerId?: string | undefined;
}

/**
 * The conditions of a query, with placeholders for its values. The text depends only on which filters there are and
 * on `status` and `collection`, so that there are few of them and each is prepared once (`shapeOf`).
 */
export function conditionsOf(filters: VisitFilters): SQL | undefined {
  const has = (name: keyof VisitFilters) => filters[name] !== undefined;
  const value = sql.placeholder;
  return and(
    filters.status && statusCondition(filters.status),
    filters.collection && collectionCondition(filters.collection),
    has('plateFolded') ? eq(t.plateFolded, value('plateFolded')) : undefined,
    has('from') ? gte(t.startedAt, value('from')) : undefined,
    has('before') ? lt(t.startedAt, value('before')) : undefined,
    has('paymentStatus') ? eq(t.paymentStatus, value('paymentStatus')) : undefined,
    has('siteId') ? eq(t.siteId, value('siteId')) : undefined,
    has('customerId') ? eq(t.customerId, value('customerId')) : undefined,
  );
}

/** The same for filters that make the same conditions. */
export function shapeOf(filters: VisitFilters): string {
  const { status = '', collection = '', ...values } = filters;
  const names = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [status, collection, ...names.sort()].join(' ');
}

function statusCondition(status: NonNullable<VisitQuery['status']>): SQL | undefined {
  switch (status) {
    case 'open':
      return isNull(t.endedAt);
    case 'closed':
      return isNotNull(t.endedAt);
    case 'review':
      return sql`${t.id} IN (${needReview()})`;
    case 'new':
    case 'need-payment':
    case 'need-plate':
    case 'completed':
      return eq(t.status, status);
    default:
      return status satisfies never;
  }
}

/** Three ways into review, each by an index of its own. */
function needReview(): SQL {
  return sql`SELECT ${t.id} FROM ${t} WHERE ${eq(t.status, sql`'need-plate'`)}
    UNION ALL SELECT ${t.id} FROM ${t} WHERE ${t.flags} <> '[]'
    UNION ALL SELECT ${t.id} FROM ${photoTable}
      JOIN ${passageDecisionTable} ON ${passageDecisionTable.passageId} = ${photoTable.passageId}
      JOIN ${t} ON ${t.id} = ${passageDecisionTable.visitId}
      WHERE ${photoTable.status} IN ('need-review', 'force-review')
        AND ${photoTable.id} IN (${t.entryReadId}, ${t.exitReadId})`;
}

function collectionCondition(collection: NonNullable<VisitFilters['collection']>): SQL | undefined {
  switch (collection) {
    case 'open':
      return isNull(t.endedAt);
    case 'checkin':
      return and(isNull(t.endedAt), eq(t.status, 'new'));
    case 'unpaid':
      // As the index visit_unsettled says it: with a parameter SQLite would not know that it fits.
      return and(sql`${t.status} <> 'completed'`, sql`${t.amountMinor} > 0`);
    default:
      return collection satisfies never;
  }
}
