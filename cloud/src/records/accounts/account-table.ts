import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AccountRole, Permission } from '../../platform/http/caller.ts';

/**
 * The limits of permits that an account may give, where it is no operator's; permit-allowance.ts has the
 * defaults.
 */
export interface AccountOptions {
  /** Minutes of a visit that it covers although they are past. */
  'free-parking-time'?: number | undefined;
  /** Minutes that its whitelist entries hold at most, and also if they name none. */
  expireTime?: number | undefined;
  /** Whether its entries may hold without end; not beside `expireTime`. */
  permitWithoutEnd?: boolean | undefined;
  /** The sites at which its entries may hold. */
  permitSites?: string[] | undefined;
  /** Entries that hold or will hold, at most. */
  maxPermits?: number | undefined;
  /** Whether its entries may cover the rest of a stay that has begun. */
  permitAfterArrival?: boolean | undefined;
  /** Whether it invites people of its customer with its own role, and lets them leave. */
  managesStaff?: boolean | undefined;
}

/** The accounts that may log in, with their roles. */
export const accountTable = sqliteTable(
  'account',
  {
    id: text('id').primaryKey(),
    role: text('role').$type<AccountRole>().notNull(),
    name: text('name').notNull(),
    /** The name as it is sorted: lower case. */
    nameKey: text('name_key').notNull(),
    /** The name as it is searched. */
    nameFolded: text('name_folded').notNull(),
    /** The note of operators about it. */
    comment: text('comment'),
    /** The comment as it is searched. */
    commentKey: text('comment_key'),
    status: text('status').$type<'active' | 'inactive'>().notNull(),
    options: text('options', { mode: 'json' }).$type<AccountOptions>().notNull(),
    /** The permissions of an operator; null: everything. */
    permissions: text('permissions', { mode: 'json' }).$type<readonly Permission[]>(),
    /** The sites at which it may do so; null: every site. */
    siteIds: text('site_ids', { mode: 'json' }).$type<readonly string[]>(),
    /** The company or owner for whom it acts; null for operators. */
    customerId: text('customer_id'),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('account_by_creation').on(table.createdAt, table.id),
    index('account_by_name').on(table.nameKey, table.id),
    index('account_by_status').on(table.status, table.createdAt, table.id),
    index('account_by_role').on(table.role, table.createdAt, table.id),
    index('account_by_comment').on(table.commentKey),
    index('account_by_customer').on(table.customerId, table.createdAt, table.id),
  ],
);

/** A way into an account: by password, by electronic identity, or by both. */
export const loginTable = sqliteTable(
  'login',
  {
    /** The specification's `tokenId` of a login. */
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accountTable.id, { onDelete: 'cascade' }),
    /**
     * The name that is typed as `id` at login, an email address as a rule; lower case. Null: by electronic
     * identity only.
     */
    name: text('name').unique(),
    /** The national id, if it is known: its electronic identity logs in. */
    ssn: text('ssn').unique(),
    /** Argon2id, in PHC form. Null: no password logs in. */
    passwordHash: text('password_hash'),
    /** The time from which it is not accepted; null: never. */
    expiresAt: text('expires_at'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [index('login_by_account').on(table.accountId)],
);
