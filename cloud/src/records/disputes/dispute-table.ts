import type { Language } from '@hlid/protocol/base/language';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

export const DISPUTE_STATES = ['open', 'upheld', 'rejected'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** The sources of a dispute: people of a customer, a driver on the payment page, an operator for a caller. */
export const DISPUTE_SOURCES = ['customer', 'driver', 'operator'] as const;
export type DisputeSource = (typeof DISPUTE_SOURCES)[number];

/**
 * Contested stays and invoices. While one is open, nothing of it is charged automatically, billed or increased.
 */
export const disputeTable = sqliteTable(
  'dispute',
  {
    id: compactId('id').primaryKey(),
    /** Either of them: what is contested. */
    visitId: compactId('visit_id'),
    invoiceId: compactId('invoice_id'),
    /** Null: an invoice of several sites. */
    siteId: compactSiteId('site_id'),
    /** The customer who had the visit or invoice then. */
    customerId: text('customer_id'),
    source: text('source').$type<DisputeSource>().notNull(),
    /** The caller who opened it, as the audit log names them. */
    openedBy: text('opened_by').notNull(),
    /** The address to which the answer is mailed; null: it is not mailed. */
    email: text('email'),
    language: text('language').$type<Language>().notNull(),
    /** Why, in the words of who contests. */
    text: text('body_text').notNull(),
    state: text('state').$type<DisputeState>().notNull(),
    openedAt: text('opened_at').notNull(),
    answer: text('answer'),
    answeredBy: text('answered_by'),
    answeredAt: text('answered_at'),
    /** The answer voided the visit. */
    voided: integer('voided', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    // One at a time for each stay and invoice.
    uniqueIndex('dispute_open_visit').on(table.visitId).where(sql`state = 'open' AND visit_id IS NOT NULL`),
    uniqueIndex('dispute_open_invoice')
      .on(table.invoiceId)
      .where(sql`state = 'open' AND invoice_id IS NOT NULL`),
    index('dispute_by_state').on(table.state, table.openedAt),
    index('dispute_by_time').on(table.openedAt),
    // Serves the erasing of answered disputes.
    index('dispute_answered').on(table.answeredAt).where(sql`answered_at IS NOT NULL`),
    index('dispute_by_visit').on(table.visitId, table.openedAt).where(sql`visit_id IS NOT NULL`),
    index('dispute_by_invoice').on(table.invoiceId, table.openedAt).where(sql`invoice_id IS NOT NULL`),
    index('dispute_by_customer').on(table.customerId, table.openedAt).where(sql`customer_id IS NOT NULL`),
  ],
);
export type DisputeRow = typeof disputeTable.$inferSelect;
