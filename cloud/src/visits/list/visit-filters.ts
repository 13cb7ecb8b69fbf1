import { wrong } from '@hlid/protocol/mistake';
import { PaymentStatusSchema, VisitStatusSchema } from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import { and, eq, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { hasPlate } from '../../db/search-key.ts';
import { DayOrMomentSchema, PART_OF_PLATE, PlateSchema, SsnSchema } from '../../http/input-fields.ts';
import { chargeTable } from '../../invoices/charge-table.ts';
import { invoiceTable } from '../../invoices/invoice-table.ts';
import { passageDecisionTable } from '../../passages/passage-table.ts';
import { photoTable } from '../../photos/storage/photo-table.ts';
import { visitTable as t } from '../record/visit-table.ts';

const i = invoiceTable;
const charge = chargeTable;
const value = sql.placeholder;

/** The query of `GET /visits` and `GET /visits/counts`, but for `next`. */
export const VisitQuerySchema = z.strictObject({
  status: z
    .enum([...VisitStatusSchema.options, 'open', 'review', 'closed'])
    .optional()
    .describe('`open`: not ended; `closed`: ended; `review`: needs a person.'),
  collection: z
    .enum(['latest', 'export', 'open', 'checkin', 'unpaid'])
    .optional()
    .describe(
      '`latest`: all; `export`: all, 1000 on a page; `open`: not ended; `checkin`: not ended, and no ' +
        'payment requested; `unpaid`: an amount is due, for cars inside as of now.',
    ),
  plate: PlateSchema.optional().describe(`${PART_OF_PLATE} Equal plates come first.`),
  date: z.iso.date().optional().describe("The day of its start, in the site's time zone."),
  'date.from': DayOrMomentSchema.optional(),
  'date.to': DayOrMomentSchema.optional().describe('A day includes all of it.'),
  'payment.status': PaymentStatusSchema.optional(),
  'card.lastFour': z
    .string()
    .regex(/^\d{4}$/, wrong('four-digits'))
    .optional()
    .describe('The last four digits of the card that paid an invoice of the visit.'),
  'invoice.status': z
    .enum(['paid', 'refunded', 'incomplete', 'failed', 'draft', 'paid-accounting'])
    .optional()
    .describe(
      'The status of an invoice of the visit; `paid-accounting`: paid, and in the accounting system.',
    ),
  ssn: SsnSchema.optional().describe('The name of its customer, or of the payer of its invoice.'),
  siteId: z.string().optional(),
});
export type VisitQuery = z.infer<typeof VisitQuerySchema>;

/** What a query asks for, its days turned into moments; `customer` is set by who asks. */
export interface VisitFilters {
  status?: VisitQuery['status'];
  collection?: 'open' | 'checkin' | 'unpaid' | undefined;
  /** Folded plates from that on … */
  plateFrom?: string | undefined;
  /** … to before that … */
  plateBefore?: string | undefined;
  /** … and, if it is there, those that have the same in the middle. */
  plateInMiddle?: true | undefined;
  from?: string | undefined;
  before?: string | undefined;
  paymentStatus?: string | undefined;
  invoiceStatus?: VisitQuery['invoice.status'];
  cardLastFour?: string | undefined;
  /** Of the payer of an invoice, and … */
  ssn?: string | undefined;
  /** … the customer who has it; absent: nobody has. */
  customerOfSsn?: string | undefined;
  siteId?: string | undefined;
  /** A JSON array: one of these sites. */
  siteIds?: string | undefined;
  customerId?: string | undefined;
}

/**
 * The conditions of a query, with placeholders for its values. The text depends only on which filters there are and
 * on `status`, `collection` and `invoiceStatus`, so that there are few of them and each is prepared once (`shapeOf`).
 */
export function conditionsOf(filters: VisitFilters): SQL | undefined {
  const has = (name: keyof VisitFilters) => filters[name] !== undefined;
  const by = columnsFor(leaderOf(filters));
  return and(
    filters.status && statusCondition(filters.status, by),
    filters.collection && collectionCondition(filters.collection, by),
    has('plateFrom')
      ? hasPlate(t, {
          from: value('plateFrom'),
          before: value('plateBefore'),
          inMiddle: has('plateInMiddle'),
        })
      : undefined,
    has('from') ? gte(by.startedAt, value('from')) : undefined,
    has('before') ? lt(by.startedAt, value('before')) : undefined,
    has('paymentStatus') ? eq(by.paymentStatus, value('paymentStatus')) : undefined,
    filters.invoiceStatus && invoiceCondition(filters.invoiceStatus, by),
    has('cardLastFour')
      ? sql`${by.id} IN (SELECT ${i.visitId} FROM ${i} WHERE ${eq(i.receiptLastFour, value('cardLastFour'))})`
      : undefined,
    has('ssn') ? ofPayer(has('customerOfSsn'), by) : undefined,
    has('siteId') ? eq(by.siteId, value('siteId')) : undefined,
    has('siteIds') ? sql`+${t.siteId} IN (SELECT value FROM json_each(${value('siteIds')}))` : undefined,
    has('customerId') ? eq(by.customerId, value('customerId')) : undefined,
  );
}

/** What leads to the fewest rows: a plate, a list of visits, the visits that somebody still has to do with. */
type Leader = 'plate' | 'list' | 'pending' | 'inside' | 'any';

function leaderOf({ plateFrom, status, collection, siteId, ...more }: VisitFilters): Leader {
  const { cardLastFour, ssn, customerId, invoiceStatus = 'paid' } = more;
  if (plateFrom !== undefined) return 'plate';
  if (cardLastFour !== undefined || status === 'review') return 'list';
  if (FEW_INVOICES.has(invoiceStatus)) return 'list';
  // These lists may be long: one’s own visits are fewer, or as many.
  if ((ssn !== undefined || invoiceStatus === 'draft') && customerId === undefined) return 'list';
  if (collection === 'unpaid' || PENDING.has(status ?? '')) return 'pending';
  if (status !== 'open' && collection === undefined) return 'any';
  return siteId === undefined ? 'pending' : 'inside';
}

const FEW_INVOICES: ReadonlySet<string> = new Set(['refunded', 'incomplete', 'failed']);
const PENDING: ReadonlySet<string> = new Set(['new', 'need-payment', 'need-plate']);

/**
 * The columns of the conditions. The database does not know that most visits have the same few values in some of them,
 * and would walk through all of those: `+` keeps it from the indexes that lead nowhere.
 */
function columnsFor(leader: Leader) {
  const off = (column: SQLiteColumn, ...leaders: Leader[]) =>
    leaders.includes(leader) ? sql`+${column}` : sql`${column}`;
  return {
    id: off(t.id, 'plate'),
    startedAt: off(t.startedAt, 'plate', 'list'),
    status: off(t.status, 'plate', 'list', 'inside'),
    siteId: off(t.siteId, 'plate', 'list', 'pending'),
    paymentStatus: off(t.paymentStatus, 'plate', 'list', 'pending', 'inside'),
    customerId: off(t.customerId, 'plate', 'list', 'pending', 'inside'),
  };
}
type Columns = ReturnType<typeof columnsFor>;

/** The same for filters that make the same conditions. */
export function shapeOf(filters: VisitFilters): string {
  const { status = '', collection = '', invoiceStatus = '', ...values } = filters;
  const names = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [status, collection, invoiceStatus, ...names.sort()].join(' ');
}

function statusCondition(status: NonNullable<VisitQuery['status']>, by: Columns): SQL | undefined {
  switch (status) {
    case 'open':
      return isNull(t.endedAt);
    case 'closed':
      return isNotNull(t.endedAt);
    case 'review':
      return sql`${by.id} IN (${needReview()})`;
    case 'new':
    case 'need-payment':
    case 'need-plate':
    case 'completed':
      return eq(by.status, status);
    default:
      return status satisfies never;
  }
}

/** What is paid is much, and is looked up visit by visit; what is not is little, and leads to its visits. */
function invoiceCondition(status: NonNullable<VisitQuery['invoice.status']>, by: Columns): SQL | undefined {
  switch (status) {
    case 'paid':
    case 'paid-accounting':
      return hasPaidInvoice(status === 'paid-accounting');
    case 'refunded':
    case 'incomplete':
    case 'failed':
    case 'draft':
      return inInvoices(by, sql`${eq(i.status, sql`${sql.raw(`'${status}'`)}`)}`);
    default:
      return status satisfies never;
  }
}

/**
 * Its own invoice, or the collected one that takes up what its customer owes for it. Behind a plus a column is compared
 * without its index: the visit leads to its one invoice, not the status to all.
 */
function hasPaidInvoice(inAccounting: boolean): SQL {
  const paid = sql`+${i.status} = 'paid'${inAccounting ? sql` AND +${i.remoteStatus} = 'completed'` : sql``}`;
  return sql`EXISTS (SELECT 1 FROM ${i} WHERE ${i.status} = 'paid')
    AND (EXISTS (SELECT 1 FROM ${i} WHERE ${i.visitId} = ${t.id} AND ${paid})
      OR EXISTS (SELECT 1 FROM ${charge} JOIN ${i} ON ${i.id} = ${charge.invoiceId}
        WHERE ${charge.visitId} = ${t.id} AND ${paid}))`;
}

function inInvoices(by: Columns, condition: SQL): SQL {
  return sql`${by.id} IN (SELECT ${i.visitId} FROM ${i} WHERE ${condition} AND ${i.visitId} IS NOT NULL
    UNION ALL SELECT ${charge.visitId} FROM ${i} JOIN ${charge} ON ${charge.invoiceId} = ${i.id}
      WHERE ${condition})`;
}

function ofPayer(orOfCustomer: boolean, by: Columns): SQL {
  const paid = inInvoices(by, sql`${eq(i.payerSsn, value('ssn'))}`);
  return orOfCustomer ? sql`(${eq(t.customerId, value('customerOfSsn'))} OR ${paid})` : paid;
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

function collectionCondition(
  collection: NonNullable<VisitFilters['collection']>,
  by: Columns,
): SQL | undefined {
  switch (collection) {
    case 'open':
      return isNull(t.endedAt);
    case 'checkin':
      return and(isNull(t.endedAt), eq(by.status, 'new'));
    case 'unpaid':
      // As the index visit_unsettled says it: with a parameter SQLite would not know that it fits.
      // What a car inside owes by now is known only by pricing it: see unpaid-visits.ts.
      return and(sql`${t.status} <> 'completed'`, sql`(${t.amountMinor} > 0 OR ${t.endedAt} IS NULL)`);
    default:
      return collection satisfies never;
  }
}
