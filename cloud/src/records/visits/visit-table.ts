import { DAY_MS } from '@hlid/protocol/base/durations';
import type {
  PaidWith,
  PaymentStatus,
  ReviewFlag,
  Visit,
  VisitPrice,
  VisitStatus,
} from '@hlid/protocol/records/visit';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime, compactWord } from '../../platform/db/compact-columns.ts';
import { plateMiddleIndexes } from '../../platform/db/search-key.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { sql } from '../../platform/db/sql.ts';

/** Few stays go over the end of such a period, counted from 1970. */
export const STAY_PERIOD_MS = 30 * DAY_MS;

/**
 * One stay. The site is its source; a person in the cloud may correct it.
 *
 * Code that changes `plate`, `status`, `startedAt`, `endedAt`, `paymentStatus` or `flags` here publishes the
 * change to the visit's site. It puts the number that `publishChange` answers into the field's column
 * `…EditedAt`. The site's reports of that field are ignored until it reports that it has applied the edit.
 * `plateEditedAt` guards the folded plate too, `paymentEditedAt` all that is about money: `paymentStatus`,
 * the price and its amount, `unitsMet`, `paidMinor`, `paidUntil`.
 */
export const visitTable = sqliteTable(
  'visit',
  {
    id: compactId('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    /** Normalised. */
    plate: text('plate'),
    /** The folded key of the plate (`foldPlate`): goes with it always. */
    plateFolded: text('plate_folded'),
    status: text('status').$type<VisitStatus>().notNull(),
    paymentStatus: text('payment_status').$type<PaymentStatus>(),
    startedAt: compactTime('started_at').notNull(),
    endedAt: compactTime('ended_at'),
    createdAt: compactTime('created_at').notNull(),
    /** Due, after payments; null: not priced. */
    amountMinor: integer('amount_minor'),
    currency: text('currency'),
    /** How `amountMinor` came about. */
    price: shortJson<VisitPrice>('price'),
    unitsMet: integer('units_met').notNull().default(0),
    /** Paid already towards this stay; a tariff takes it off. */
    paidMinor: integer('paid_minor').notNull().default(0),
    paidUntil: compactTime('paid_until'),
    flags: text('flags', { mode: 'json' }).$type<ReviewFlag[]>().notNull(),
    entryLaneId: text('entry_lane_id'),
    exitLaneId: text('exit_lane_id'),
    entryReadId: compactId('entry_read_id'),
    exitReadId: compactId('exit_read_id'),
    exitFoundBy: text('exit_found_by').$type<NonNullable<Visit['exitFoundBy']>>(),
    permitId: text('permit_id'),
    /** The units that its customer's quota met, as the site reported. */
    quota: text('quota', { mode: 'json' }).$type<NonNullable<Visit['quota']>>(),
    /** The customer to whom it belongs; filled by the cloud. */
    customerId: text('customer_id'),
    /** The category by the register of vehicles; filled by the cloud. Null: not known, and so light. */
    vehicleCategory: text('vehicle_category').$type<VehicleCategory>(),
    /** No camera alone gave the plate: a person or the driver gave or changed it, or it was not read. */
    plateByPerson: integer('plate_by_person', { mode: 'boolean' }).notNull().default(false),
    /** How much of the change feed the site had applied when it last spoke of this visit. */
    feedAt: integer('feed_at').notNull().default(0),
    plateEditedAt: integer('plate_edited_at').notNull().default(0),
    startedEditedAt: integer('started_edited_at').notNull().default(0),
    statusEditedAt: integer('status_edited_at').notNull().default(0),
    endedEditedAt: integer('ended_edited_at').notNull().default(0),
    paymentEditedAt: integer('payment_edited_at').notNull().default(0),
    flagsEditedAt: integer('flags_edited_at').notNull().default(0),
    modifiedAt: compactTime('modified_at').notNull(),
  },
  (table) => [
    index('visit_by_start').on(table.startedAt),
    index('visit_by_site').on(table.siteId, table.startedAt),
    index('visit_by_plate').on(table.plate, table.startedAt),
    index('visit_by_folded_plate').on(table.plateFolded, table.startedAt),
    ...plateMiddleIndexes('visit', table.plateFolded),
    index('visit_by_status').on(table.status, table.startedAt),
    // Small indexes of the visits that are still to be handled.
    index('visit_open').on(table.siteId, table.startedAt).where(sql`ended_at IS NULL`),
    index('visit_inside').on(table.startedAt).where(sql`ended_at IS NULL`),
    index('visit_unsettled').on(table.startedAt).where(sql`status <> 'completed'`),
    // Kiosks use this index, which search while the driver types.
    index('visit_inside_by_plate').on(table.plateFolded, table.startedAt).where(sql`ended_at IS NULL`),
    // The index of visits with a settlement that their site does not know of.
    index('visit_settlement_unsent').on(table.siteId).where(sql`feed_at < payment_edited_at`),
    index('visit_for_review').on(table.startedAt).where(sql`flags <> '[]'`),
    // What left unpaid, which is little: it is billed by itself after a time.
    index('visit_left_unpaid').on(table.endedAt).where(sql`status = 'need-payment' AND ended_at IS NOT NULL`),
    index('visit_by_end').on(table.endedAt).where(sql`ended_at IS NOT NULL`),
    // How long they stayed.
    index('visit_by_stay').on(sql`(ended_at - started_at)`).where(sql`ended_at IS NOT NULL`),
    index('visit_by_entry_lane').on(table.entryLaneId, table.startedAt),
    index('visit_by_exit_lane').on(table.exitLaneId, table.startedAt),
    index('visit_by_customer_end')
      .on(table.customerId, table.endedAt)
      .where(sql`customer_id IS NOT NULL AND ended_at IS NOT NULL`),
    // Serves the visits inside at a moment: the stays of its period, and the few that crossed the end of one.
    index('visit_stay')
      .on(table.startedAt, table.endedAt, table.paymentStatus)
      .where(sql`ended_at IS NOT NULL`),
    index('visit_over_period')
      .on(table.endedAt, table.startedAt, table.paymentStatus)
      .where(sql.raw(`started_at / ${STAY_PERIOD_MS} <> ended_at / ${STAY_PERIOD_MS}`)),
    // The index of visits with plates that will be removed.
    index('visit_with_plate')
      .on(table.status, table.endedAt)
      .where(sql`plate IS NOT NULL AND status = 'completed'`),
    index('visit_by_settlement').on(table.paymentStatus, table.startedAt),
    index('visit_by_customer').on(table.customerId, table.startedAt),
  ],
);

/** Numbered in this order: new ones go to the end. */
const STATUSES: readonly VisitStatus[] = ['new', 'need-payment', 'need-plate', 'completed'];

/** History of a visit: every transition, when, who or what, why. */
export const visitStepTable = sqliteTable(
  'visit_step',
  {
    id: integer('id').primaryKey(),
    visitId: compactId('visit_id').notNull(),
    from: compactWord('from_status', STATUSES),
    to: compactWord('to_status', STATUSES).notNull(),
    reason: text('reason').notNull(),
    /** `lane:<id>`, `account:<id>`, `kiosk` or `cloud`. */
    by: text('by').notNull(),
    at: compactTime('at').notNull(),
  },
  (table) => [index('visit_step_by_visit').on(table.visitId, table.at)],
);

export type VisitRow = typeof visitTable.$inferSelect;
export type VisitStepRow = typeof visitStepTable.$inferSelect;

/** When a driver who had left without paying had notice of the due: a late fee counts from then on. */
export const noticeTable = sqliteTable('visit_notice', {
  visitId: compactId('visit_id').primaryKey(),
  deliveredAt: text('delivered_at').notNull(),
});

/** How dues of visits were met elsewhere than at the site: by an online payment or by a person. */
export const settlementTable = sqliteTable(
  'settlement',
  {
    id: compactId('id').primaryKey(),
    visitId: compactId('visit_id').notNull(),
    siteId: compactSiteId('site_id').notNull(),
    paymentStatus: text('payment_status').$type<PaymentStatus>().notNull(),
    /** How it was paid, for money that a person has received; its site need not know. */
    paidWith: text('paid_with').$type<PaidWith>(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    units: integer('units').notNull(),
    settledAt: text('settled_at').notNull(),
    /** `account:<id>` or `cloud`. */
    by: text('by').notNull(),
    /** The number of its change in its site's feed. */
    feedN: integer('feed_n').notNull(),
  },
  (table) => [index('settlement_by_visit').on(table.visitId), index('settlement_by_site').on(table.siteId)],
);
