import type { VatCategory } from '@hlid/protocol/base/vat';
import { PaidWithSchema } from '@hlid/protocol/records/visit';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** How income came in: by card at a terminal or online, received by a person, or by an invoice. */
export const INCOME_TYPES = [
  'kiosk',
  'online',
  ...PaidWithSchema.options,
  'company-invoice',
  'owner-invoice',
] as const;
export type IncomeType = (typeof INCOME_TYPES)[number];

/** Totals of invoices by day, kept up with each invoice and refund: reports add these up and scan nothing. */
export const incomeTable = sqliteTable(
  'income',
  {
    /** Empty: of no site. */
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    paymentType: text('payment_type').$type<IncomeType>().notNull(),
    vehicleCategory: text('vehicle_category').$type<VehicleCategory>().notNull(),
    currency: text('currency').notNull(),
    /** Issued less refunded. */
    invoices: integer('invoices').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** Tips in addition to it; no part of it. */
    tipsMinor: integer('tips_minor').notNull().default(0),
  },
  (table) => [
    primaryKey({
      columns: [table.siteId, table.day, table.paymentType, table.vehicleCategory, table.currency],
    }),
    // With the sums: a year of all sites is read in the index alone.
    index('income_by_day').on(
      table.day,
      table.paymentType,
      table.vehicleCategory,
      table.currency,
      table.invoices,
      table.amountMinor,
      table.tipsMinor,
    ),
  ],
);

/** The same totals by product, by day. */
export const incomeProductTable = sqliteTable(
  'income_product',
  {
    /** Empty: of no site. */
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    currency: text('currency').notNull(),
    /** Empty: of no product. */
    productId: compactId('product_id').notNull(),
    /** Issued less refunded. */
    invoices: integer('invoices').notNull(),
    amountMinor: integer('amount_minor').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.day, table.currency, table.productId] }),
    index('income_product_by_day').on(table.day),
  ],
);

/** The VAT in the same totals, by day. */
export const incomeVatTable = sqliteTable(
  'income_vat',
  {
    /** Empty: of no site. */
    siteId: compactSiteId('site_id').notNull(),
    /** `YYYY-MM-DD` where the site is. */
    day: text('day').notNull(),
    currency: text('currency').notNull(),
    /** Empty: not decided. */
    category: text('category').$type<VatCategory | ''>().notNull(),
    /** Percent. */
    rate: real('rate').notNull(),
    netMinor: integer('net_minor').notNull(),
    vatMinor: integer('vat_minor').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.siteId, table.day, table.currency, table.category, table.rate] }),
    index('income_vat_by_day').on(table.day),
  ],
);
