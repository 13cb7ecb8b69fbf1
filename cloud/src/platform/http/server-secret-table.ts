import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Secrets of the cloud itself, which all processes on the database share; made when they are first needed. */
export const serverSecretTable = sqliteTable('server_secret', {
  name: text('name').primaryKey(),
  /** 256 random bits, base64url. */
  secret: text('secret').notNull(),
  createdAt: text('created_at').notNull(),
});
