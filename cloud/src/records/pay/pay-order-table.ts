import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../../platform/db/compact-columns.ts';

/** The payment that a page has ordered under its own key. It never contains a card. */
export const payOrderTable = sqliteTable(
  'pay_order',
  {
    /** The page makes the key. */
    key: text('key').primaryKey(),
    /** Null: it pays an invoice, or was cancelled before an order arrived. */
    visitId: compactId('visit_id'),
    /** The invoice that it pays; null: it pays a visit, or was cancelled before an order arrived. */
    invoiceId: compactId('invoice_id'),
    amountMinor: integer('amount_minor').notNull(),
    /** Days in advance; null: what was due. */
    quantity: integer('quantity'),
    /** The car waited at a closed exit. */
    atExit: integer('at_exit', { mode: 'boolean' }).notNull(),
    /** The reference of the payment; null: it has not begun, or that is uncertain. */
    reference: text('reference'),
    cancelled: integer('cancelled', { mode: 'boolean' }).notNull(),
    createdAt: text('created_at').notNull(),
  },
  (table) => [index('pay_order_by_creation').on(table.createdAt)],
);
