import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** When somebody who had left without paying was told what he owes: a late fee counts from then on. */
export const noticeTable = sqliteTable('visit_notice', {
  visitId: text('visit_id').primaryKey(),
  deliveredAt: text('delivered_at').notNull(),
});
