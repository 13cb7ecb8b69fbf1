import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Accounts that are no longer active and whose permits end; a row goes when none is left. */
export const endingAuthorTable = sqliteTable('ending_author', {
  /** As entries name it: `account:<id>`. */
  author: text('author').primaryKey(),
  since: text('since').notNull(),
});
