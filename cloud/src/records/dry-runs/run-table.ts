import type { Product } from '@hlid/protocol/tariff/product';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';

/** `waiting`, `running`: it has not ended. */
export const RUN_STATES = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The sums that the visits of a dry run pay, by the tariff that priced them and by the draft. */
export interface DryRunSums {
  visits: number;
  beforeMinor: number;
  afterMinor: number;
  more: number;
  less: number;
  same: number;
}

/** Long work that a person has begun, with its progress: a dry run of a draft of a product on past visits. */
export const runTable = sqliteTable(
  'run',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    productId: compactId('product_id').notNull(),
    /** The only site with visits that count; null: every site. */
    siteId: compactSiteId('site_id'),
    draft: text('draft', { mode: 'json' }).$type<Product>().notNull(),
    /** The days of the period, both included, and the moments at which it begins and is over. */
    firstDay: text('first_day').notNull(),
    lastDay: text('last_day').notNull(),
    from: text('from_at').notNull(),
    before: text('before_at').notNull(),
    state: text('state').$type<RunState>().notNull(),
    /** Visits that ended before this moment are counted: another process continues here. */
    doneUntil: text('done_until').notNull(),
    /** Visits of the period that have been looked at, and all of them; null: not counted yet. */
    done: integer('done').notNull(),
    total: integer('total'),
    sums: text('sums', { mode: 'json' }).$type<DryRunSums>().notNull(),
    createdAt: text('created_at').notNull(),
    endedAt: text('ended_at'),
    error: text('error'),
    ...workColumns(),
  },
  (table) => [
    ...workIndexes('run', table),
    index('run_by_account').on(table.accountId, table.createdAt, table.id),
    index('run_by_creation').on(table.createdAt),
  ],
);

/** The visits of a dry run with the largest differences. */
export const runVisitTable = sqliteTable(
  'run_visit',
  {
    runId: text('run_id').notNull(),
    visitId: compactId('visit_id').notNull(),
    beforeMinor: integer('before_minor').notNull(),
    afterMinor: integer('after_minor').notNull(),
    /** `after` less `before`. */
    differenceMinor: integer('difference_minor').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.visitId] }),
    index('run_visit_by_difference').on(table.runId, table.differenceMinor, table.visitId),
  ],
);

export type RunRow = typeof runTable.$inferSelect;
export type RunVisitRow = typeof runVisitTable.$inferSelect;
