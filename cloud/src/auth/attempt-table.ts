import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
/** How many wrong passwords came lately, by what they had in common; see login-limit.ts. */
export const loginAttemptTable = sqliteTable(
  'login_attempt',
  {
    key: text('key').primaryKey(),
    attempts: integer('attempts').notNull(),
    /** When the counting began. */
    since: text('since').notNull(),
  },
  (table) => [index('login_attempt_by_age').on(table.since)],
);
