import type { Language } from '@hlid/protocol/base/language';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

export const DISPUTE_STATES = ['open', 'upheld', 'rejected', 'withdrawn'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** The sources of a dispute: people of a customer, a driver on the payment page, an operator for a caller. */
export const DISPUTE_SOURCES = ['customer', 'driver', 'operator'] as const;
export type DisputeSource = (typeof DISPUTE_SOURCES)[number];

/** How a dispute reaches an operator, who enters it. `mail`: electronic mail. */
export const ENTERED_CHANNELS = ['telephone', 'mail', 'letter', 'in-person', 'console'] as const;

/** How a dispute arrived: on the payment page, by the link of a letter or a mail, or as an operator says. */
export const DISPUTE_CHANNELS = ['pay-page', 'link', ...ENTERED_CHANNELS] as const;
export type DisputeChannel = (typeof DISPUTE_CHANNELS)[number];

/** The ways in which an answer gives money up or back. */
export const DISPUTE_GIFTS = ['void', 'waive', 'refund', 'credit'] as const;

/** The amount that an answer has given up or back, and how. */
export interface GivenWithAnswer {
  way: (typeof DISPUTE_GIFTS)[number];
  amountMinor: number;
  currency: string;
}

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
    channel: text('channel').$type<DisputeChannel>().notNull(),
    /** The time by which it is to be answered. */
    answerBy: text('answer_by').notNull(),
    /** What was known when it was opened; null: no visit is contested. */
    evidence: text('evidence', { mode: 'json' }).$type<unknown>(),
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
    /** Null: the answer gives nothing. */
    given: text('given', { mode: 'json' }).$type<GivenWithAnswer>(),
  },
  (table) => [
    // One at a time for each stay and invoice.
    uniqueIndex('dispute_open_visit').on(table.visitId).where(sql`state = 'open' AND visit_id IS NOT NULL`),
    uniqueIndex('dispute_open_invoice')
      .on(table.invoiceId)
      .where(sql`state = 'open' AND invoice_id IS NOT NULL`),
    index('dispute_by_state').on(table.state, table.openedAt),
    index('dispute_by_deadline').on(table.answerBy).where(sql`state = 'open'`),
    index('dispute_by_time').on(table.openedAt),
    // Serves the erasing of answered disputes.
    index('dispute_answered').on(table.answeredAt).where(sql`answered_at IS NOT NULL`),
    index('dispute_by_visit').on(table.visitId, table.openedAt).where(sql`visit_id IS NOT NULL`),
    index('dispute_by_invoice').on(table.invoiceId, table.openedAt).where(sql`invoice_id IS NOT NULL`),
    index('dispute_by_customer').on(table.customerId, table.openedAt).where(sql`customer_id IS NOT NULL`),
  ],
);
export type DisputeRow = typeof disputeTable.$inferSelect;

/** Who wrote a message: the person who contests, or the office. */
export const MESSAGE_SIDES = ['driver', 'office'] as const;

/** What the two sides wrote to each other until the answer. */
export const disputeMessageTable = sqliteTable(
  'dispute_message',
  {
    id: integer('id').primaryKey(),
    disputeId: compactId('dispute_id')
      .notNull()
      .references(() => disputeTable.id, { onDelete: 'cascade' }),
    side: text('side').$type<(typeof MESSAGE_SIDES)[number]>().notNull(),
    /** The caller, as the audit log names them. */
    by: text('by').notNull(),
    text: text('body_text').notNull(),
    at: text('at').notNull(),
  },
  (table) => [index('dispute_message_by_dispute').on(table.disputeId, table.id)],
);

/** The reads in the evidence of a dispute: their pictures stay while it is open. */
export const disputeReadTable = sqliteTable(
  'dispute_read',
  {
    disputeId: compactId('dispute_id')
      .notNull()
      .references(() => disputeTable.id, { onDelete: 'cascade' }),
    photoId: compactId('photo_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.photoId, table.disputeId] }),
    index('dispute_read_by_dispute').on(table.disputeId),
  ],
);
