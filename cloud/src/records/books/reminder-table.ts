import type { ReminderStep } from '@hlid/protocol/records/collection-law';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/** How a site reminds of unpaid invoices. A site without a row does not. */
export const reminderTermsTable = sqliteTable('reminder_terms', {
  siteId: compactSiteId('site_id').primaryKey(),
  isOn: integer('is_on', { mode: 'boolean' }).notNull(),
  /** Invoices that were due before this day are not reminded of. */
  fromDay: text('from_day').notNull(),
  /** Days from the last day to pay until the warning. */
  warningDays: integer('warning_days').notNull(),
  /** Krónur before VAT. */
  warningCharge: integer('warning_charge').notNull(),
  /** The number of letters after the warning. */
  letters: integer('letters').notNull(),
  /** Whole days between two steps. */
  letterDays: integer('letter_days').notNull(),
  /** The most of a letter, before VAT: the table of the law may have less. */
  letterCharge: integer('letter_charge').notNull(),
  modifiedAt: text('modified_at').notNull(),
});
export type ReminderTermsRow = typeof reminderTermsTable.$inferSelect;

/**
 * Reminders of an invoice: each step once. One counts from its delivery, and its charge is an invoice of its own, made
 * then.
 */
export const reminderTable = sqliteTable(
  'reminder',
  {
    id: compactId('id').primaryKey(),
    invoiceId: compactId('invoice_id').notNull(),
    /** Null: an invoice of several sites. */
    siteId: compactSiteId('site_id'),
    step: text('step').$type<ReminderStep>().notNull(),
    /** The mail with it; null: there is no address, and a person delivers it. */
    mailId: text('mail_id'),
    /** What was open of the invoice as it was written. */
    openMinor: integer('open_minor').notNull(),
    /** The charge that it names, VAT included; 0: none. */
    chargeMinor: integer('charge_minor').notNull(),
    /** The same before VAT: the table of the law is. */
    chargeNetMinor: integer('charge_net_minor').notNull(),
    currency: text('currency').notNull(),
    createdAt: text('created_at').notNull(),
    /** Null: not known to be delivered. */
    deliveredAt: text('delivered_at'),
    /** The invoice for its charge; null: none was made. */
    chargeInvoiceId: compactId('charge_invoice_id'),
  },
  (table) => [
    uniqueIndex('reminder_by_invoice').on(table.invoiceId, table.step),
    index('reminder_undelivered').on(table.createdAt, table.id).where(sql`delivered_at IS NULL`),
    index('reminder_by_time').on(table.createdAt, table.id),
    index('reminder_by_site').on(table.siteId, table.createdAt, table.id),
    uniqueIndex('reminder_by_charge').on(table.chargeInvoiceId).where(sql`charge_invoice_id IS NOT NULL`),
  ],
);
export type ReminderRow = typeof reminderTable.$inferSelect;
