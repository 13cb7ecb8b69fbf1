import type { PaymentStatus } from '@hlid/protocol/visit';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How dues of visits were met elsewhere than at the site: by an online payment or by a person. */
export const settlementTable = sqliteTable(
  'settlement',
  {
    id: text('id').primaryKey(),
    visitId: text('visit_id').notNull(),
    siteId: text('site_id').notNull(),
    paymentStatus: text('payment_status').$type<PaymentStatus>().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    units: integer('units').notNull(),
    settledAt: text('settled_at').notNull(),
    /** `account:<id>` or `cloud`. */
    by: text('by').notNull(),
    /** The number under which its site is told. */
    feedN: integer('feed_n').notNull(),
  },
  (table) => [index('settlement_by_visit').on(table.visitId), index('settlement_by_site').on(table.siteId)],
);
