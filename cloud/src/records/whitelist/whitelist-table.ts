import type { Permit } from '@hlid/protocol/records/whitelist';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { plateMiddleIndexes } from '../../platform/db/search-key.ts';
import { sql } from '../../platform/db/sql.ts';

/** Whitelist entries, and blocklist entries beside them. Sites hold those that are not deleted, as permits. */
export const whitelistTable = sqliteTable(
  'whitelist_entry',
  {
    id: text('id').primaryKey(),
    /** Null: at every site. */
    siteId: compactSiteId('site_id'),
    /** Normalised. */
    plate: text('plate').notNull(),
    plateFolded: text('plate_folded').notNull(),
    effect: text('effect').$type<Permit['effect']>().notNull(),
    type: text('type').$type<Permit['type']>().notNull(),
    visitId: compactId('visit_id'),
    activeFrom: text('active_from'),
    expireAt: text('expire_at'),
    rules: text('rules', { mode: 'json' }).$type<Permit['rules']>().notNull(),
    status: text('status').$type<'active' | 'paused' | 'deleted'>().notNull(),
    reason: text('reason').notNull(),
    /** Whether it covers nothing of a stay that began before `activeFrom`. */
    arrivalsOnly: integer('arrivals_only', { mode: 'boolean' }).notNull().default(false),
    /** It covers this number of minutes of a stay that began before `activeFrom`, too. */
    parkedMinutes: integer('parked_minutes').notNull().default(0),
    /** A label that groups entries. */
    collection: text('collection'),
    /** The author of the entry: `account:<id>` or `token:<id>`. */
    author: text('author').notNull(),
    /** The account, where the author is one. */
    authorId: text('author_id'),
    /** The author's customer. */
    customerId: text('customer_id'),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('whitelist_by_creation').on(table.createdAt, table.id),
    index('whitelist_by_plate').on(table.plate, table.id),
    index('whitelist_by_folded_plate').on(table.plateFolded, table.createdAt, table.id),
    ...plateMiddleIndexes('whitelist', table.plateFolded),
    // The times with it: what holds now is found without a look at the rows that expired long ago.
    index('whitelist_by_status').on(
      table.status,
      table.createdAt,
      table.id,
      table.activeFrom,
      table.expireAt,
    ),
    index('whitelist_listed').on(table.createdAt, table.id).where(sql`status <> 'deleted'`),
    index('whitelist_temporary').on(table.createdAt, table.id).where(sql`type <> 'permanent'`),
    index('whitelist_blocks').on(table.createdAt, table.id).where(sql`effect = 'block'`),
    index('whitelist_expiring')
      .on(table.createdAt, table.id, table.expireAt)
      .where(sql`expire_at IS NOT NULL`),
    index('whitelist_by_site').on(table.siteId, table.createdAt, table.id),
    index('whitelist_by_type').on(table.type, table.createdAt, table.id),
    index('whitelist_by_collection').on(table.collection, table.createdAt, table.id),
    index('whitelist_by_reason').on(table.reason, table.createdAt, table.id),
    index('whitelist_by_visit').on(table.visitId),
    index('whitelist_by_expiry').on(table.expireAt, table.createdAt, table.id),
    index('whitelist_by_customer').on(table.customerId, table.createdAt, table.id),
    index('whitelist_live').on(table.author, table.expireAt).where(sql`status <> 'deleted'`),
    index('whitelist_by_author').on(table.author, table.createdAt, table.id),
  ],
);

/** Accounts whose permits end or pass to another account; a row goes when none is left. */
export const endingAuthorTable = sqliteTable('ending_author', {
  /** The author, as entries name it: `account:<id>`. */
  author: text('author').primaryKey(),
  since: text('since').notNull(),
  /** The account to which the entries pass. Null: they end. */
  successorId: text('successor_id'),
});
