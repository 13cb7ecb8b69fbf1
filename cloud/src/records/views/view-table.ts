import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sql } from '../../platform/db/sql.ts';
import { accountTable } from '../accounts/account-table.ts';

/** A named address of the console: a room with its filters. */
export const viewTable = sqliteTable(
  'view',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accountTable.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Path and query within the console. */
    url: text('url').notNull(),
    /** All operators see it. */
    shared: integer('shared', { mode: 'boolean' }).notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('view_by_account').on(table.accountId, table.createdAt, table.id),
    index('view_shared').on(table.createdAt, table.id).where(sql`shared = 1`),
  ],
);
