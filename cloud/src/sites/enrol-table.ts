import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** The newest one-time code of a site; a new one takes its place. */
export const siteEnrolmentTable = sqliteTable(
  'site_enrolment',
  {
    siteId: text('site_id').primaryKey(),
    /** Of enrol-code.ts. */
    codeHash: text('code_hash').notNull(),
    expiresAt: text('expires_at').notNull(),
    usedAt: text('used_at'),
    /** Of the secret that it was turned into: whoever has that may ask again. */
    secretHash: text('secret_hash'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [uniqueIndex('site_enrolment_by_code').on(table.codeHash)],
);
