import type { Language } from '@hlid/protocol/language';
import type { Payment, PaymentState } from '@hlid/protocol/payment';
import type { PricedBy } from '@hlid/protocol/product';
import type { DaySum } from '@hlid/protocol/site-event';
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Movements of money at card terminals of sites, as their sites know them. The invoice of one has its id. */
export const paymentTable = sqliteTable(
  'payment',
  {
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    visitId: text('visit_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    state: text('state').$type<PaymentState>().notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** What of it is a fee. */
    feesMinor: integer('fees_minor').notNull().default(0),
    currency: text('currency').notNull(),
    units: integer('units').notNull(),
    /** Without a card number: its brand and last four. */
    transaction: text('transaction_said', { mode: 'json' }).$type<NonNullable<Payment['transaction']>>(),
    reason: text('reason'),
    needsPerson: integer('needs_person', { mode: 'boolean' }).notNull(),
    /** As the terminal printed it for the customer. */
    receipt: text('receipt', { mode: 'json' }).$type<Payment['receipt']>().notNull(),
    lines: text('lines', { mode: 'json' }).$type<NonNullable<Payment['lines']>>().notNull(),
    /** What priced it; null: its site does not say. */
    product: text('product', { mode: 'json' }).$type<PricedBy>(),
    /** The key that gives access to the receipt; null: it has no page. */
    receiptKey: text('receipt_key').unique(),
    /** Its visit had been settled elsewhere before the site knew: the cloud detects it, and a person resolves it. */
    settledTwice: integer('settled_twice', { mode: 'boolean' }).notNull().default(false),
    /** When the mail about it was sent. */
    mailedAt: text('mailed_at'),
    language: text('language').$type<Payment['language']>().notNull(),
    createdAt: text('created_at').notNull(),
    changedAt: text('changed_at').notNull(),
  },
  (table) => [
    index('payment_by_visit').on(table.visitId, table.createdAt),
    index('payment_by_creation').on(table.createdAt),
    // Those that wait for a person.
    index('payment_for_person')
      .on(table.createdAt, table.id)
      .where(sql`needs_person = 1 OR settled_twice = 1`),
  ],
);

/** The totals of a terminal's day, by the terminal and by the site's journal. */
export const terminalDayTable = sqliteTable(
  'terminal_day',
  {
    /** `{epoch}-{seq}` of the event. */
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    currency: text('currency').notNull(),
    cards: text('cards', { mode: 'json' }).$type<DaySum[]>().notNull(),
    booked: text('booked', { mode: 'json' }).$type<DaySum[]>().notNull(),
    agrees: integer('agrees', { mode: 'boolean' }).notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('terminal_day_by_site').on(table.siteId, table.at)],
);

/** Card payments that kiosks ordered through the cloud; deleted after a day. The payment has the outcome. */
export const kioskOrderTable = sqliteTable(
  'kiosk_order',
  {
    /** Of the payment that it is to be. */
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    terminalId: text('terminal_id').notNull(),
    visitId: text('visit_id').notNull(),
    language: text('language').$type<Language>().notNull(),
    /** The reason why it certainly did not begin; null: it did, or that is unknown. */
    fault: text('fault'),
    by: text('by').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('kiosk_order_by_time').on(table.at)],
);
