import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../../platform/db/compact-columns.ts';

/** Receipts that were mailed lately, so that a driver is not flooded with them. */
export const visitReceiptTable = sqliteTable(
  'visit_receipt',
  {
    /** The id of the mail. */
    id: text('id').primaryKey(),
    visitId: compactId('visit_id').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('visit_receipt_by_visit').on(table.visitId, table.at)],
);
