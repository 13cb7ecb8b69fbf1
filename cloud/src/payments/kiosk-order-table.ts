import type { Language } from '@hlid/protocol/language';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Card payments that kiosks asked for by the cloud; forgotten after a day. What became of one, its payment says. */
export const kioskOrderTable = sqliteTable(
  'kiosk_order',
  {
    /** Of the payment that it is to be. */
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    visitId: text('visit_id').notNull(),
    language: text('language').$type<Language>().notNull(),
    /** Why it certainly did not begin; null: it did, or nobody knows. */
    fault: text('fault'),
    by: text('by').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('kiosk_order_by_time').on(table.at)],
);
