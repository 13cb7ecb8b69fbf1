import type { Language } from '@hlid/protocol/base/language';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';
import type { SessionStep, TokenRole } from '../../platform/http/caller.ts';
import { type AccountOptions, accountTable } from '../accounts/account-table.ts';
import { driverTable } from '../drivers/driver-table.ts';

/** The ways to log in. `second-factor`: by password and a second factor. */
export const LOGIN_METHODS = ['password', 'second-factor', 'passkey', 'electronic-id'] as const;
export type LoginMethod = (typeof LOGIN_METHODS)[number];

export type TokenScope = 'password' | SessionStep;

/**
 * Bearer tokens, and those that come in a query parameter: of an account, of a role, of a driver, of one camera's photo import, of
 * one address. The token itself is nowhere; only its SHA-256.
 */
export const tokenTable = sqliteTable(
  'token',
  {
    id: text('id').primaryKey(),
    hash: text('hash').notNull().unique(),
    /** The holder of the token: exactly one of these five is set. */
    accountId: text('account_id').references(() => accountTable.id, { onDelete: 'cascade' }),
    role: text('role').$type<TokenRole>(),
    driverId: text('driver_id').references(() => driverTable.id, { onDelete: 'cascade' }),
    cameraId: text('camera_id'),
    path: text('path'),
    /** The login by which an account's token was issued. */
    loginId: text('login_id'),
    /**
     * `password`: good for nothing but setting a new password of that login; a step of a session: for nothing but that.
     * Null: for all that its holder may do.
     */
    scope: text('scope').$type<TokenScope>(),
    /** It comes in the cookie of a browser, never as a bearer token. */
    isSession: integer('is_session', { mode: 'boolean' }).notNull().default(false),
    /** How its holder logged in. */
    method: text('method').$type<LoginMethod>(),
    /** The address and the program of the caller. */
    address: text('address'),
    agent: text('agent'),
    /** When the holder of a session last proved who they are. */
    steppedUpAt: text('stepped_up_at'),
    /** The name of a role's or a camera's token. */
    name: text('name'),
    /** The site at which the kiosk of a token stands; null: unknown. */
    siteId: compactSiteId('site_id'),
    /** The limits of permits by a token for whitelisting; null: the defaults. */
    options: text('options', { mode: 'json' }).$type<AccountOptions>(),
    /** The id of the device that logged in. */
    deviceUuid: text('device_uuid'),
    createdAt: text('created_at').notNull(),
    /** When it was used last: to the minute for a session, else the first use of that day (UTC). */
    usedAt: text('used_at'),
    /** Null: until revoked. */
    expiresAt: text('expires_at'),
    revokedAt: text('revoked_at'),
  },
  (table) => [
    index('token_by_account').on(table.accountId, table.createdAt, table.id),
    index('token_by_driver').on(table.driverId),
    index('token_by_expiry').on(table.expiresAt),
    // The few with a name, among the many of logins.
    index('token_by_creation').on(table.createdAt, table.id).where(sql`name IS NOT NULL`),
  ],
);

/** Keys for calls without an account (`x-api-key`). */
export const apiKeyTable = sqliteTable('api_key', {
  id: text('id').primaryKey(),
  hash: text('hash').notNull().unique(),
  /** `configured` keys go when the configuration names another; `generated` ones stay. */
  origin: text('origin').$type<'configured' | 'generated'>().notNull(),
  createdAt: text('created_at').notNull(),
});

/** Links for setting a new password: each is good once, and only its SHA-256 is kept. */
export const recoveryTable = sqliteTable(
  'recovery',
  {
    hash: text('hash').primaryKey(),
    loginId: text('login_id').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [index('recovery_by_expiry').on(table.expiresAt), index('recovery_by_login').on(table.loginId)],
);

/** Links by which drivers log in: each is good once, and only its SHA-256 is stored. */
export const driverLinkTable = sqliteTable(
  'driver_link',
  {
    hash: text('hash').primaryKey(),
    /** The address that it was mailed to, in lower case. */
    email: text('email').notNull(),
    language: text('language').$type<Language>().notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [
    index('driver_link_by_expiry').on(table.expiresAt),
    index('driver_link_by_email').on(table.email),
  ],
);

/** How many wrong passwords came lately, by what they had in common; see login-limit.ts. */
export const loginAttemptTable = sqliteTable(
  'login_attempt',
  {
    key: text('key').primaryKey(),
    attempts: integer('attempts').notNull(),
    /** When the count restarts. */
    endsAt: text('ends_at').notNull(),
  },
  (table) => [index('login_attempt_by_end').on(table.endsAt)],
);
