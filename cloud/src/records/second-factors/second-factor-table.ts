import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { loginTable } from '../accounts/account-table.ts';

const ofLogin = () =>
  text('login_id')
    .notNull()
    .references(() => loginTable.id, { onDelete: 'cascade' });

/** Passkeys (WebAuthn) by which the holder of a login comes in: only the public half is here. */
export const passkeyTable = sqliteTable(
  'passkey',
  {
    /** The id of the credential, base64url. */
    id: text('id').primaryKey(),
    loginId: ofLogin(),
    /** The name that its holder gave it. */
    name: text('name').notNull(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** How often it was used, by its own count; a copy of it falls behind. Many always count 0. */
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: text('created_at').notNull(),
    usedAt: text('used_at'),
  },
  (table) => [index('passkey_by_login').on(table.loginId, table.createdAt)],
);

/**
 * Codes by time (TOTP) of a login. The secret is stored unencrypted: a reader of the database also reads what could
 * decrypt it, as the cloud has no key outside of it. The files of the database are for its own user only.
 */
export const totpTable = sqliteTable('totp', {
  loginId: ofLogin().primaryKey(),
  /** Base32. */
  secret: text('secret').notNull(),
  /** Null: it was begun, and no code has shown yet that it works. */
  confirmedAt: text('confirmed_at'),
  /** The time step of the newest code that was used: none counts twice. */
  lastStep: integer('last_step'),
  createdAt: text('created_at').notNull(),
});

/** Codes for people who have lost their other factors: each is good once, and only its SHA-256 is stored. */
export const recoveryCodeTable = sqliteTable(
  'recovery_code',
  { hash: text('hash').primaryKey(), loginId: ofLogin() },
  (table) => [index('recovery_code_by_login').on(table.loginId)],
);

/** Questions to passkeys: each is good once, for minutes, whichever of several clouds gets the answer. */
export const passkeyChallengeTable = sqliteTable(
  'passkey_challenge',
  {
    challenge: text('challenge').primaryKey(),
    purpose: text('purpose').$type<'login' | 'register' | 'step-up'>().notNull(),
    /** The login that the answer is for; null: any with a passkey. */
    loginId: text('login_id'),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [index('passkey_challenge_by_expiry').on(table.expiresAt)],
);
