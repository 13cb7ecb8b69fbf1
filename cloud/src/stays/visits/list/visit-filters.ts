import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { PaymentStatusSchema, ReviewFlagSchema, VisitStatusSchema } from '@hlid/protocol/records/visit';
import { z } from '@hono/zod-openapi';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { hasPlate } from '../../../platform/db/search-key.ts';
import {
  and,
  eq,
  gte,
  inList,
  isNotNull,
  isNull,
  lt,
  type SQL,
  sql,
  unindexed,
} from '../../../platform/db/sql.ts';
import {
  DayOrMomentSchema,
  IdSchema,
  MomentSchema,
  PART_OF_PLATE,
  PlateSchema,
  SsnSchema,
} from '../../../platform/http/input-fields.ts';
import { rowOf } from '../../../platform/http/keyset.ts';
import { chargeTable } from '../../../records/invoices/charge-table.ts';
import { invoiceTable } from '../../../records/invoices/invoice-table.ts';
import { passageDecisionTable } from '../../../records/passages/passage-table.ts';
import { photoTable } from '../../../records/photos/photo-table.ts';
import { STAY_PERIOD_MS, visitTable as t } from '../../../records/visits/visit-table.ts';
import { toPrice } from './visit-json.ts';

const i = invoiceTable;
const charge = chargeTable;
const value = sql.placeholder;

export const VISIT_ORDERS = [
  'newest',
  'oldest',
  'plate',
  '-plate',
  'ended',
  '-ended',
  'stay',
  '-stay',
] as const;
export type VisitOrder = (typeof VISIT_ORDERS)[number];

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
  near: PlateSchema.optional().describe(
    'A whole plate: equal plates, those that a camera confuses with it, and those with one character more, less or ' +
      'different.',
  ),
  prefix: PlateSchema.optional().describe('The beginning of a plate, at least two characters.'),
  flag: ReviewFlagSchema.optional(),
  laneId: IdSchema.optional().describe('The lane of its entry or of its exit.'),
  customerId: IdSchema.optional(),
  'ended.from': DayOrMomentSchema.optional(),
  'ended.to': DayOrMomentSchema.optional().describe('A day includes all of it.'),
  insideAt: MomentSchema.optional().describe('Inside at that time; voided visits are not.'),
  'amount.min': z.coerce
    .number()
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The least amount due now, in the currency’s minor unit.'),
  order: z
    .enum(VISIT_ORDERS)
    .optional()
    .describe(
      '`newest` and `oldest`: by its start. `plate`, `ended` (its end) and `stay` (its length): from the least, with `-` from ' +
        'the greatest. Visits without a plate, or that have not ended, come last by `plate` or `ended`, in both directions. ' +
        'A stay that goes on counts as longer than any that is over. There is no order by `due` or `price`: they are ' +
        'computed when they are read, since they grow with time and change with tariffs, so no page of such an order could ' +
        'follow another one. Use `amount.min` for the greatest. Default: `newest`.',
    ),
});
export type VisitQuery = z.infer<typeof VisitQuerySchema>;

/** The filters of a query, its days turned into moments; `customer` is set by who asks. */
export interface VisitFilters {
  status?: VisitQuery['status'];
  collection?: 'open' | 'checkin' | 'unpaid' | undefined;
  /** The first folded plate that matches. */
  plateFrom?: string | undefined;
  /** The folded plate before which the matches end. */
  plateBefore?: string | undefined;
  /** Plates match that contain the typed text in the middle, too. */
  plateInMiddle?: true | undefined;
  from?: string | undefined;
  before?: string | undefined;
  paymentStatus?: string | undefined;
  invoiceStatus?: VisitQuery['invoice.status'];
  cardLastFour?: string | undefined;
  /** The kennitala of the payer of an invoice. */
  ssn?: string | undefined;
  /** The customer who has that kennitala; absent: no customer has it. */
  customerOfSsn?: string | undefined;
  siteId?: string | undefined;
  /** A JSON array: one of these sites. */
  siteIds?: string | undefined;
  customerId?: string | undefined;
  /** A JSON array of folded plates: one of these. */
  plateKeys?: string | undefined;
  /** The first folded plate of a prefix. */
  prefixFrom?: string | undefined;
  /** The folded plate before which the prefix ends. */
  prefixBefore?: string | undefined;
  flag?: string | undefined;
  laneId?: string | undefined;
  /** The way in which visits have used that lane. */
  laneUse?: 'entry' | 'exit' | 'both' | undefined;
  endedFrom?: string | undefined;
  endedBefore?: string | undefined;
  /** `short`: so few have ended within that time that they can be sorted. */
  ended?: 'short' | 'long' | undefined;
  order?: VisitOrder | undefined;
  /** The order is not by the start, and so few visits have begun within that time that they can be sorted. */
  started?: 'short' | undefined;
  insideAt?: string | undefined;
  /** The first moment of the period of `insideAt` (STAY_PERIOD_MS). */
  insidePeriod?: string | undefined;
  amountMin?: number | undefined;
}

/**
 * The conditions of a query, with placeholders for its values. The text depends only on which filters there are and
 * on `status`, `collection` and `invoiceStatus`, so that there are few of them and each is prepared once (`shapeOf`).
 */
export function conditionsOf(filters: VisitFilters): SQL | undefined {
  const has = (name: keyof VisitFilters) => filters[name] !== undefined;
  const by = columnsFor(leaderOf(filters), isByStart(filters));
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
    has('siteIds') ? inList(unindexed(t.siteId), value('siteIds')) : undefined,
    has('customerId') ? eq(by.customerId, value('customerId')) : undefined,
    has('plateKeys')
      ? sql`${by.plateFolded} IN (SELECT value FROM json_each(${value('plateKeys')}))`
      : undefined,
    has('prefixFrom')
      ? and(gte(by.plateFolded, value('prefixFrom')), lt(by.plateFolded, value('prefixBefore')))
      : undefined,
    has('flag') ? sql`${t.flags} <> '[]' AND instr(${t.flags}, ${value('flag')}) > 0` : undefined,
    filters.laneUse && laneCondition(filters.laneUse, by),
    filters.ended === undefined ? undefined : endedCondition(filters, by),
    has('insideAt') ? sql`${by.row} IN (${insideThen()})` : undefined,
    has('amountMin')
      ? and(sql`${t.status} <> 'completed'`, sql`(+${t.amountMinor} >= ${value('amountMin')} OR ${toPrice})`)
      : undefined,
  );
}

/**
 * The late fee of a visit that is paid at that moment, if its site charges one. It is due after the tariff's
 * time from the delivery of a notice, never from the end of the stay. While the visit is contested no fee is
 * due, and its time restarts with the answer.
 */
type Leader = 'plate' | 'keys' | 'list' | 'pending' | 'ended' | 'lane' | 'inside' | 'any' | 'order';

function leaderOf({ plateFrom, status, collection, siteId, ...more }: VisitFilters): Leader {
  const { cardLastFour, ssn, customerId, invoiceStatus = 'paid' } = more;
  if (plateFrom !== undefined) return 'plate';
  if (more.plateKeys !== undefined || more.prefixFrom !== undefined) return 'keys';
  if (more.insideAt !== undefined || cardLastFour !== undefined || status === 'review') return 'list';
  if (FEW_INVOICES.has(invoiceStatus)) return 'list';
  // These lists may be long: one’s own visits are fewer, or as many.
  if ((ssn !== undefined || invoiceStatus === 'draft') && customerId === undefined) return 'list';
  if (more.flag !== undefined || more.amountMin !== undefined) return 'pending';
  if (collection === 'unpaid' || PENDING.has(status ?? '')) return 'pending';
  if (status === 'open' || collection !== undefined) return siteId === undefined ? 'pending' : 'inside';
  if (customerId !== undefined) return 'any';
  if (more.started === 'short') return 'any';
  if (more.ended === 'short' || isByEnd(more)) return 'ended';
  if (!isByStart(more)) return 'order';
  return more.laneUse === 'entry' || more.laneUse === 'exit' ? 'lane' : 'any';
}

function isByEnd({ order }: VisitFilters): boolean {
  return order === 'ended' || order === '-ended';
}

export function isByStart({ order = 'newest' }: VisitFilters): boolean {
  return order === 'newest' || order === 'oldest';
}

const FEW_INVOICES: ReadonlySet<string> = new Set(['refunded', 'incomplete', 'failed']);
const PENDING: ReadonlySet<string> = new Set(['new', 'need-payment', 'need-plate']);

/**
 * The columns of the conditions. The database does not know that most visits have the same few values in some
 * of them, and would walk through all of those. A `+` keeps it from those indexes.
 */
function columnsFor(leader: Leader, byStart: boolean) {
  const off = <Column extends SQLiteColumn>(column: Column, ...leaders: Leader[]) =>
    unindexed(column, leaders.includes(leader));
  return {
    id: off(t.id, 'plate', 'keys'),
    row: leader === 'plate' || leader === 'keys' ? sql`+${rowOf(t.id)}` : rowOf(t.id),
    plateFolded: off(t.plateFolded, 'plate'),
    startedAt: off(t.startedAt, 'plate', 'keys', 'list', 'ended', 'order'),
    // No index has those in other orders: they are few, and sorted.
    status:
      leader === 'pending' && !byStart
        ? unindexed(t.status)
        : off(t.status, 'plate', 'keys', 'list', 'inside', 'ended', 'lane', 'order'),
    siteId: off(t.siteId, 'plate', 'keys', 'list', 'pending', 'ended', 'lane', 'order'),
    paymentStatus: off(
      t.paymentStatus,
      'plate',
      'keys',
      'list',
      'pending',
      'inside',
      'ended',
      'lane',
      'order',
    ),
    customerId: off(t.customerId, 'plate', 'keys', 'list', 'pending', 'inside', 'ended', 'lane', 'order'),
    endedAt: unindexed(t.endedAt, leader !== 'ended'),
    isByEnd: leader === 'ended',
    byStart,
    laneId: (column: typeof t.entryLaneId | typeof t.exitLaneId) => unindexed(column, leader !== 'lane'),
  };
}
type Columns = ReturnType<typeof columnsFor>;

/** Whether no index has what the filters find in the order of the list, so that all of it is sorted. */
export function isSorted(filters: VisitFilters): boolean {
  const leader = leaderOf(filters);
  if (leader === 'plate' || leader === 'keys') return true;
  if (leader === 'ended') return !isByEnd(filters);
  return filters.insideAt !== undefined || (leader !== 'order' && !isByStart(filters));
}

/** The same for filters that make the same conditions. */
export function shapeOf(filters: VisitFilters): string {
  const { status = '', collection = '', invoiceStatus = '', laneUse = '', ended = '', order = '' } = filters;
  const { started = '' } = filters;
  const {
    status: _s,
    collection: _c,
    invoiceStatus: _i,
    laneUse: _l,
    ended: _e,
    order: _o,
    started: _st,
    ...values
  } = filters;
  const names = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [status, collection, invoiceStatus, laneUse, ended, order, started, ...names.sort()].join(' ');
}

function statusCondition(status: NonNullable<VisitQuery['status']>, by: Columns): SQL | undefined {
  switch (status) {
    case 'open':
      return isNull(t.endedAt);
    case 'closed':
      return isNotNull(t.endedAt);
    case 'review':
      return sql`${by.row} IN (${needReview()})`;
    case 'new':
    case 'need-payment':
    case 'need-plate':
      return and(by.byStart ? undefined : sql`${t.status} <> 'completed'`, eq(by.status, status));
    case 'completed':
      return eq(by.status, status);
    default:
      return status satisfies never;
  }
}

function laneCondition(use: NonNullable<VisitFilters['laneUse']>, by: Columns): SQL | undefined {
  const [entry, exit] = [by.laneId(t.entryLaneId), by.laneId(t.exitLaneId)];
  const laneId = value('laneId');
  if (use === 'both') return sql`${laneId} IN (${entry}, ${exit})`;
  return eq(use === 'entry' ? entry : exit, laneId);
}

function endedCondition({ endedFrom, endedBefore }: VisitFilters, by: Columns): SQL | undefined {
  return and(
    isNotNull(t.endedAt),
    endedFrom === undefined ? undefined : gte(by.endedAt, value('endedFrom')),
    endedBefore === undefined ? undefined : lt(by.endedAt, value('endedBefore')),
    // A car leaves after it comes, which bounds the list if it goes by the start.
    endedBefore === undefined || by.isByEnd ? undefined : lt(by.startedAt, value('endedBefore')),
  );
}

/**
 * Visits that were inside at a moment: those of its period, those from earlier ones, which crossed the end of a period and
 * are few, and those that still are. No index has all that end after and begin before a moment.
 */
function insideThen(): SQL {
  const at = sql.param(value('insideAt'), t.startedAt);
  const period = sql.param(value('insidePeriod'), t.startedAt);
  const periodOf = (column: SQLiteColumn) => sql.raw(`${column.name} / ${STAY_PERIOD_MS}`);
  const notVoid = sql`+${t.paymentStatus} IS NOT 'void'`;
  return sql`SELECT ${rowOf(t.id)} FROM ${t} WHERE ${t.startedAt} >= ${period} AND ${t.startedAt} <= ${at}
      AND ${t.endedAt} > ${at} AND ${t.endedAt} IS NOT NULL AND ${notVoid}
    UNION ALL SELECT ${rowOf(t.id)} FROM ${t} WHERE ${t.endedAt} > ${at} AND +${t.startedAt} < ${period}
      AND ${periodOf(t.startedAt)} <> ${periodOf(t.endedAt)} AND ${notVoid}
    UNION ALL SELECT ${rowOf(t.id)} FROM ${t} WHERE ${t.endedAt} IS NULL AND ${t.startedAt} <= ${at} AND ${notVoid}`;
}

/** Paid visits are many, and are looked up one by one; unpaid invoices are few, and lead to their visits. */
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
  // Behind a plus it stays a separate subquery: SQLite 3.51 and later would join it, and sort the result.
  return sql`+EXISTS (SELECT 1 FROM ${i} WHERE ${i.status} = 'paid')
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

/** Three ways into review, each by a separate index. */
function needReview(): SQL {
  return sql`SELECT ${rowOf(t.id)} FROM ${t} WHERE ${eq(t.status, sql`'need-plate'`)}
    UNION ALL SELECT ${rowOf(t.id)} FROM ${t} WHERE ${t.flags} <> '[]'
    UNION ALL SELECT ${rowOf(t.id)} FROM ${photoTable}
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
      // The condition matches the index visit_unsettled: with a parameter SQLite would not use it.
      // What a car inside owes by now is known only by pricing it: see due-visits.ts.
      return and(sql`${t.status} <> 'completed'`, sql`(${t.amountMinor} > 0 OR ${toPrice})`);
    default:
      return collection satisfies never;
  }
}
