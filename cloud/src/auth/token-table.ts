import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountTable } from '../accounts/account-table.ts';
import type { TokenRole } from './caller.ts';

/** Bearer tokens: of an account, or of a role. The token itself is nowhere; only its SHA-256. */
export const tokenTable = sqliteTable(
  'token',
  {
    id: text('id').primaryKey(),
    hash: text('hash').notNull().unique(),
    /** One of the two is null. */
    accountId: text('account_id').references(() => accountTable.id, { onDelete: 'cascade' }),
    role: text('role').$type<TokenRole>(),
    /** What a role's token is for. */
    name: text('name'),
    /** Of the device that logged in. */
    deviceUuid: text('device_uuid'),
    createdAt: text('created_at').notNull(),
    /** Null: until revoked. */
    expiresAt: text('expires_at'),
    revokedAt: text('revoked_at'),
  },
  (table) => [index('token_by_account').on(table.accountId), index('token_by_expiry').on(table.expiresAt)],
);

/** Keys for calls without an account (`x-api-key`). */
export const apiKeyTable = sqliteTable('api_key', {
  id: text('id').primaryKey(),
  hash: text('hash').notNull().unique(),
  /** `configured` keys go when the configuration names another; `generated` ones stay. */
  origin: text('origin').$type<'configured' | 'generated'>().notNull(),
  createdAt: text('created_at').notNull(),
});
