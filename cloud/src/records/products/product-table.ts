import type { VatCategory } from '@hlid/protocol/base/vat';
import type { PlannedVersion, Product } from '@hlid/protocol/tariff/product';
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** The products, which have the price of a visit or are sold. */
export const productTable = sqliteTable(
  'product',
  {
    id: compactId('id').primaryKey(),
    /** Null: sold at every site. */
    siteId: compactSiteId('site_id'),
    type: text('type').$type<Product['type']>().notNull(),
    priceMinor: integer('price_minor').notNull(),
    currency: text('currency').notNull(),
    /** Percent, contained in the price. */
    vatRate: real('vat_rate').notNull().default(0),
    /** Null: `S` where the rate is above 0, else not decided. */
    vatCategory: text('vat_category').$type<VatCategory>(),
    vatReason: text('vat_reason'),
    vehicleCategory: text('vehicle_category').$type<Product['vehicleCategory']>().notNull(),
    category: text('category'),
    name: text('name', { mode: 'json' }).$type<Product['name']>().notNull(),
    productCode: text('product_code').notNull(),
    config: text('config', { mode: 'json' }).$type<Product['config']>().notNull(),
    version: integer('version').notNull(),
    /** The versions of later days, in their order. */
    planned: text('planned', { mode: 'json' }).$type<PlannedVersion[]>().notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
    /** A deleted product is kept for the prices that were made with it. */
    deletedAt: text('deleted_at'),
  },
  (table) => [
    index('product_by_creation').on(table.createdAt, table.id),
    index('product_by_site').on(table.siteId),
  ],
);

/**
 * The versions of products, as they were, are and will be: who came in by one price is not charged by a higher one, and
 * prices name their version.
 */
export const productVersionTable = sqliteTable(
  'product_version',
  {
    id: compactId('id').notNull(),
    version: integer('version').notNull(),
    /** When it became what the product is, with what was planned to follow; null: not yet, or it was withdrawn. */
    since: text('since'),
    product: text('product', { mode: 'json' }).$type<Product>().notNull(),
    /** The fields that pricing needs, as the product was then. */
    siteId: compactSiteId('site_id'),
    type: text('type').$type<Product['type']>().notNull(),
    /** When another version took its place, or it was taken off sale; null: it is in force, or never was. */
    until: text('until'),
    /** The first day on which it holds, by the calendar of each site; null: from the moment when it was saved. */
    validFrom: text('valid_from'),
    savedAt: text('saved_at').notNull(),
    /** The account that saved it, as the audit log names it. */
    savedBy: text('saved_by').notNull(),
    /** The time at which it was withdrawn, before it began; null: it was not. */
    withdrawnAt: text('withdrawn_at'),
    withdrawnBy: text('withdrawn_by'),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.version] }),
    // The index is by site: what one site sells is found as fast beside 500 others.
    index('product_version_by_site').on(table.siteId, table.since),
  ],
);

export type ProductVersionRow = typeof productVersionTable.$inferSelect;
export type ProductRow = typeof productTable.$inferSelect;
