import { blob, index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** The postings of a day of a site as they were when its close was signed. No column changes. */
export const closedBookTable = sqliteTable(
  'closed_book',
  {
    /** The close. */
    id: compactId('id').primaryKey(),
    /** Empty: of what belongs to several sites. */
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    /** The entries with their accounts, packed (closed-entry.ts). */
    entries: blob('entries').$type<Uint8Array>().notNull(),
    storedAt: text('stored_at').notNull(),
  },
  (table) => [
    uniqueIndex('closed_book_by_site').on(table.siteId, table.day),
    index('closed_book_by_day').on(table.day),
  ],
);
export type ClosedBookRow = typeof closedBookTable.$inferSelect;
