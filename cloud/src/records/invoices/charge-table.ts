import type { VatCategory } from '@hlid/protocol/base/vat';
import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';
import type { FeeRule } from './invoice-table.ts';

/** The debt of a customer for a visit, until an invoice collects it. */
export const chargeTable = sqliteTable(
  'charge',
  {
    id: compactId('id').primaryKey(),
    /** The settlement that made it: the same once more makes no second one. */
    cause: text('cause').notNull().unique(),
    customerId: text('customer_id').notNull(),
    visitId: compactId('visit_id').notNull(),
    siteId: compactSiteId('site_id').notNull(),
    plate: text('plate'),
    vehicleCategory: text('vehicle_category').$type<VehicleCategory>().notNull(),
    productId: compactId('product_id'),
    rule: text('rule').$type<'visit' | FeeRule>().notNull().default('visit'),
    /** When the notice of a late fee was delivered. */
    noticeAt: text('notice_at'),
    units: integer('units').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** Its share of the discount of the invoice that collected it. */
    discountMinor: integer('discount_minor').notNull().default(0),
    currency: text('currency').notNull(),
    /** Percent. */
    vatRate: real('vat_rate').notNull(),
    /** Null: `S` where the rate is above 0, else not decided. */
    vatCategory: text('vat_category').$type<VatCategory>(),
    vatReason: text('vat_reason'),
    at: text('at').notNull(),
    /** The invoice that collected it; null: it waits. */
    invoiceId: compactId('invoice_id'),
    /** The credit note that took it back from that invoice. */
    creditedBy: compactId('credited_by'),
  },
  (table) => [
    index('charge_waiting').on(table.customerId, table.currency, table.at).where(sql`invoice_id IS NULL`),
    // Leaves those that wait to the index above.
    index('charge_by_invoice').on(table.invoiceId).where(sql`invoice_id IS NOT NULL`),
    index('charge_by_visit').on(table.visitId, table.at),
  ],
);

export type ChargeRow = typeof chargeTable.$inferSelect;
