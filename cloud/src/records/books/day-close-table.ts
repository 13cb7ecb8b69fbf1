import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** The site of the close of what belongs to several sites. */
export const SEVERAL_SITES = '';

/** Announced when a day is signed. */
export const DAY_SIGNED = 'day-signed';

export const CLOSE_STATES = ['open', 'signed'] as const;
export type CloseState = (typeof CLOSE_STATES)[number];

/** `task`: another person is to do something. `done`: that person has. */
export const DECISIONS = ['open', 'accepted', 'written-off', 'task', 'done'] as const;
export type Decision = (typeof DECISIONS)[number];

/** The sum of one side of a close in one currency. */
export interface CloseColumn {
  side: string;
  currency: string;
  rows: number;
  amountMinor: number;
}

/** One figure that makes a difference, or that is expected. */
export interface CloseRow {
  side: string;
  thing: string;
  id: string;
  label: string | null;
  amountMinor: number;
  currency: string;
}

/** What is expected until a day, of one class together. */
export interface CloseExpectation {
  kind: string;
  dueOn: string;
  currency: string;
  count: number;
  amountMinor: number;
  /** The first of them. */
  rows: CloseRow[];
  /** The earlier close that waits for it; null: this one. */
  ofCloseId: string | null;
}

/** What earlier closes waited for, and has come. */
export interface CloseArrival {
  ofCloseId: string;
  day: string;
  currency: string;
  count: number;
  amountMinor: number;
}

/**
 * The close of a day of a site: the figures as they were compared last. Once it is signed, no column changes any more:
 * what changes in its day later is a line of the next close.
 */
export const dayCloseTable = sqliteTable(
  'day_close',
  {
    id: compactId('id').primaryKey(),
    /** Empty: of what belongs to several sites. */
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    state: text('state').$type<CloseState>().notNull(),
    /** Counts up with each change: who signs names what they have seen. */
    revision: integer('revision').notNull(),
    columns: text('columns', { mode: 'json' }).$type<CloseColumn[]>().notNull(),
    expected: text('expected', { mode: 'json' }).$type<CloseExpectation[]>().notNull(),
    arrived: text('arrived', { mode: 'json' }).$type<CloseArrival[]>().notNull(),
    /** All that was compared, packed (close-snapshot.ts): later closes find by it what has changed since. */
    snapshot: blob('snapshot').$type<Uint8Array>().notNull(),
    computedAt: text('computed_at').notNull(),
    computedBy: text('computed_by').notNull(),
    signedAt: text('signed_at'),
    signedBy: text('signed_by'),
  },
  (table) => [
    // One for each day of a site.
    uniqueIndex('day_close_by_site').on(table.siteId, table.day),
    index('day_close_by_day').on(table.day, table.id),
    index('day_close_of_site').on(table.siteId, table.day, table.id),
    index('day_close_by_state').on(table.state, table.day, table.id),
  ],
);
export type DayCloseRow = typeof dayCloseTable.$inferSelect;

export const dayDifferenceTable = sqliteTable(
  'day_difference',
  {
    closeId: compactId('close_id').notNull(),
    /** Its number in the close. */
    n: integer('n').notNull(),
    /** What it is about: the same when the day is compared again. */
    key: text('key').notNull(),
    /** One of `DIFFERENCE_KINDS`. */
    kind: text('kind').notNull(),
    /** The class of what a correction has changed; null: it is none, or only a figure has changed. */
    cause: text('cause'),
    /** The earlier close that it corrects, or in which it was expected; null: it is of this day. */
    ofCloseId: compactId('of_close_id'),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    rows: text('rows', { mode: 'json' }).$type<CloseRow[]>().notNull(),
    decision: text('decision').$type<Decision>().notNull(),
    /** Why it is accepted or written off, or what is to be done. */
    reason: text('reason'),
    decidedBy: text('decided_by'),
    decidedAt: text('decided_at'),
    /** Who is to do it. */
    assigneeId: text('assignee_id'),
    /** What that person answers. */
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.closeId, table.n] }),
    uniqueIndex('day_difference_by_key').on(table.closeId, table.key),
  ],
);
export type DayDifferenceRow = typeof dayDifferenceTable.$inferSelect;

/** Sites of which days without a difference close themselves. */
export const siteClosingTable = sqliteTable('site_closing', {
  siteId: compactSiteId('site_id').primaryKey(),
  closesItself: integer('closes_itself', { mode: 'boolean' }).notNull(),
  /** The first day that closes itself. */
  fromDay: text('from_day').notNull(),
  modifiedAt: text('modified_at').notNull(),
});
