import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The billed sum in one currency. */
export interface BilledAmount {
  currency: string;
  amountMinor: number;
}

/** A billing run that had something to do, or that a person asked for. It is kept up with each invoice. */
export const billingRunTable = sqliteTable(
  'billing_run',
  {
    id: text('id').primaryKey(),
    /** Periods were billed that ended by then. */
    until: text('until').notNull(),
    invoices: integer('invoices').notNull(),
    amounts: text('amounts', { mode: 'json' }).$type<BilledAmount[]>().notNull(),
    /** `account:<id>` or `cloud:billing`. */
    by: text('by').notNull(),
    startedAt: text('started_at').notNull(),
    /** Null: it is under way, or was broken off: the next one goes on where it ended. */
    doneAt: text('done_at'),
    error: text('error'),
  },
  (table) => [index('billing_run_by_start').on(table.startedAt, table.id)],
);
