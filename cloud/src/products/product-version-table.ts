import type { Product } from '@hlid/protocol/product';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Products as they were: who came in by one price is not charged by a dearer one, and prices name their version. */
export const productVersionTable = sqliteTable(
  'product_version',
  {
    id: text('id').notNull(),
    version: integer('version').notNull(),
    /** From then on. */
    since: text('since').notNull(),
    product: text('product', { mode: 'json' }).$type<Product>().notNull(),
    /** What pricing asks for, as the product was then. */
    siteId: text('site_id'),
    type: text('type').$type<Product['type']>().notNull(),
    /** When another version took its place, or it was taken off sale; null: it is in force. */
    until: text('until'),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.version] }),
    index('product_version_by_use').on(table.type, table.since),
  ],
);
