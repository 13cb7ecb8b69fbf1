import type { Language } from '@hlid/protocol/base/language';
import type { Payment, PaymentState } from '@hlid/protocol/records/payment';
import type { PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import type { DaySum } from '@hlid/protocol/site-link/site-event';
import type { PricedBy } from '@hlid/protocol/tariff/product';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * Movements of money by card: at terminals of sites, as their sites know them, and online, as the cloud itself does.
 * The invoice of one has its id.
 */
export const paymentTable = sqliteTable(
  'payment',
  {
    id: compactId('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    /** Null: it pays an invoice. */
    visitId: compactId('visit_id'),
    /** The invoice that it pays (ADR 13); null: it pays a visit, and the invoice that it makes has its id. */
    invoiceId: compactId('invoice_id'),
    /** Null: paid online (`online_payment`). */
    terminalId: text('terminal_id'),
    state: text('state').$type<PaymentState>().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** The part of it that is a fee. */
    feesMinor: integer('fees_minor').notNull().default(0),
    /** The VAT of that part; null: that of the product. */
    feesVat: shortJson<NonNullable<Payment['feesVat']>>('fees_vat'),
    currency: text('currency').notNull(),
    units: integer('units').notNull(),
    /** The transaction without a card number: its brand and last four digits. */
    transaction: shortJson<NonNullable<Payment['transaction']>>('transaction_said'),
    reason: text('reason'),
    needsPerson: integer('needs_person', { mode: 'boolean' }).notNull(),
    /**
     * The time at which the cloud ordered the reversal at the terminal, until the site reports the outcome;
     * null: no order is open.
     */
    reversalOrderedAt: compactTime('reversal_ordered_at'),
    /**
     * The time since which its site answers that it does not know the payment, such as after a restore; null:
     * it has not answered so.
     */
    siteLostAt: compactTime('site_lost_at'),
    /**
     * A person's finding at the terminal or the bank after its site could not report the outcome; null: there
     * is none.
     */
    finding: text('finding').$type<PersonFinding>(),
    /** The receipt, as the terminal printed it for the customer. */
    receipt: shortJson<Payment['receipt']>('receipt').notNull(),
    lines: shortJson<NonNullable<Payment['lines']>>('lines').notNull(),
    /** The product that priced it; null: its site does not report it. */
    product: shortJson<PricedBy>('product'),
    /** Gives access to the receipt; null: there is no page for it. */
    receiptKey: text('receipt_key').unique(),
    /** Its visit had been settled elsewhere before the site knew: found out here, and for a person. */
    settledTwice: integer('settled_twice', { mode: 'boolean' }).notNull().default(false),
    /** A chargeback is open (`chargeback`): for a person. The state stays as it is. */
    chargedBack: integer('charged_back', { mode: 'boolean' }).notNull().default(false),
    /** When a mail about it was sent. */
    mailedAt: compactTime('mailed_at'),
    language: text('language').$type<Payment['language']>().notNull(),
    createdAt: compactTime('created_at').notNull(),
    changedAt: compactTime('changed_at').notNull(),
  },
  (table) => [
    index('payment_by_visit').on(table.visitId, table.createdAt),
    index('payment_by_creation').on(table.createdAt),
    // One payment at a time is under way online for a visit.
    uniqueIndex('payment_online_open')
      .on(table.visitId)
      .where(sql`terminal_id IS NULL AND state IN ('created', 'sent', 'approved', 'unknown')`),
    // The same of an invoice.
    uniqueIndex('payment_invoice_open')
      .on(table.invoiceId)
      .where(sql`invoice_id IS NOT NULL AND state IN ('created', 'sent', 'approved', 'unknown')`),
    index('payment_by_invoice').on(table.invoiceId, table.createdAt).where(sql`invoice_id IS NOT NULL`),
    // The index of payments that wait for an operator.
    index('payment_for_person')
      .on(table.createdAt, table.id)
      .where(
        sql`needs_person = 1 OR settled_twice = 1 OR charged_back = 1 OR reversal_ordered_at IS NOT NULL`,
      ),
    index('payment_reversal_open').on(table.reversalOrderedAt).where(sql`reversal_ordered_at IS NOT NULL`),
  ],
);

/** A terminal's report of its day, and the report of the site's journal. */
export const terminalDayTable = sqliteTable(
  'terminal_day',
  {
    /** `{epoch}-{seq}` of the event. */
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    currency: text('currency').notNull(),
    cards: text('cards', { mode: 'json' }).$type<DaySum[]>().notNull(),
    booked: text('booked', { mode: 'json' }).$type<DaySum[]>().notNull(),
    agrees: integer('agrees', { mode: 'boolean' }).notNull(),
    at: text('at').notNull(),
  },
  (table) => [
    index('terminal_day_by_site').on(table.siteId, table.at),
    index('terminal_day_by_time').on(table.at),
  ],
);

/** Card payments that kiosks requested by the cloud; deleted after a day. The outcome is in the payment. */
export const kioskOrderTable = sqliteTable(
  'kiosk_order',
  {
    /** The id of the payment that it is to be. */
    id: compactId('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    visitId: compactId('visit_id').notNull(),
    language: text('language').$type<Language>().notNull(),
    /** Why it certainly did not begin; null: it did, or that is uncertain. */
    fault: text('fault'),
    by: text('by').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('kiosk_order_by_time').on(table.at)],
);
