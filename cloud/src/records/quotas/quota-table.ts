import type { Product } from '@hlid/protocol/tariff/product';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/** Units that a customer has paid for in advance. `used` is the sum of what its visits took (quota_visit). */
export const quotaTable = sqliteTable(
  'customer_quota',
  {
    id: text('id').primaryKey(),
    customerId: text('customer_id').notNull(),
    /** A product of type `quota`; it defines where and for which vehicles the units are good. */
    productId: compactId('product_id').notNull(),
    name: text('name').notNull(),
    total: integer('total').notNull(),
    used: integer('used').notNull(),
    config: text('config', { mode: 'json' }).$type<Product['config']>().notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
    /** A deleted quota is kept for the visits that took units of it. */
    deletedAt: text('deleted_at'),
  },
  (table) => [
    // The use cases see to it; this is for the case that one does not.
    check('quota_within_total', sql`used >= 0 AND used <= total`),
    index('quota_by_creation').on(table.createdAt, table.id).where(sql`deleted_at IS NULL`),
    index('quota_by_customer').on(table.customerId, table.createdAt, table.id).where(sql`deleted_at IS NULL`),
    index('quota_by_product').on(table.productId, table.createdAt, table.id).where(sql`deleted_at IS NULL`),
  ],
);

/** Units that were bought by card: given once, when their invoice is paid. */
export const quotaPurchaseTable = sqliteTable(
  'quota_purchase',
  {
    /** The invoice that sold them. */
    invoiceId: compactId('invoice_id').primaryKey(),
    quotaId: text('quota_id').notNull(),
    units: integer('units').notNull(),
    /** The units that were taken away again because their price went back. */
    takenBack: integer('taken_back').notNull(),
    /** The units that were used already when their price went back: for a person. */
    usedUnpaid: integer('used_unpaid').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('quota_purchase_by_quota').on(table.quotaId)],
);

/** The units of a quota that one visit took. */
export const quotaVisitTable = sqliteTable(
  'quota_visit',
  {
    quotaId: text('quota_id').notNull(),
    visitId: compactId('visit_id').notNull(),
    customerId: text('customer_id').notNull(),
    units: integer('units').notNull(),
    /** Whether the vehicle is still there. */
    open: integer('open', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    // A visit first: at each of its events its rows are looked for, and they are one or none.
    primaryKey({ columns: [table.visitId, table.quotaId] }),
    index('quota_visit_open').on(table.quotaId, table.visitId).where(sql`open = 1`),
    index('quota_visit_open_by_customer').on(table.customerId, table.visitId).where(sql`open = 1`),
  ],
);
