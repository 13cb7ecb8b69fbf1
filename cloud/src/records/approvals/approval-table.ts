import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/** The acts that a second person approves. */
export const APPROVAL_KINDS = [
  'refund',
  'reversal',
  'credit',
  'waiver',
  'dispute',
  'limits',
  'day-close',
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/**
 * `done`: approved, and done in the same transaction; what is sent to a card goes on by its own rules. `failed`: it was
 * approved, and could no longer be done.
 */
export const APPROVAL_STATES = ['waiting', 'done', 'refused', 'withdrawn', 'expired', 'failed'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Acts above a limit of their site, as they were requested, and what a second person has decided. */
export const approvalTable = sqliteTable(
  'approval',
  {
    id: compactId('id').primaryKey(),
    kind: text('kind').$type<ApprovalKind>().notNull(),
    /** The invoice, payment, visit, dispute, site or close of a day that it changes. */
    subjectId: compactId('subject_id').notNull(),
    /** The body of the call. */
    args: text('args', { mode: 'json' }).$type<unknown>().notNull(),
    /** Null: of several sites. */
    siteId: compactSiteId('site_id'),
    /** The record that it concerns, for the reader. */
    visitId: compactId('visit_id'),
    invoiceId: compactId('invoice_id'),
    paymentId: compactId('payment_id'),
    disputeId: compactId('dispute_id'),
    /** Null: no amount decides. */
    amountMinor: integer('amount_minor'),
    currency: text('currency'),
    reason: text('reason').notNull(),
    state: text('state').$type<ApprovalState>().notNull(),
    /** The caller, as the audit log names them. */
    requestedBy: text('requested_by').notNull(),
    requestedAt: text('requested_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    decidedBy: text('decided_by'),
    decidedAt: text('decided_at'),
    /** Why it was refused, in the words of who refused it. */
    answer: text('answer'),
    /** Why it could not be done. */
    problems: text('problems', { mode: 'json' }).$type<AnyMistake[]>().notNull(),
  },
  (table) => [
    // One at a time for each.
    uniqueIndex('approval_waiting').on(table.kind, table.subjectId).where(sql`state = 'waiting'`),
    index('approval_by_state').on(table.state, table.requestedAt),
    index('approval_by_time').on(table.requestedAt),
    index('approval_by_site').on(table.siteId, table.requestedAt).where(sql`site_id IS NOT NULL`),
    index('approval_by_end').on(table.expiresAt).where(sql`state = 'waiting'`),
    index('approval_by_visit').on(table.visitId, table.requestedAt).where(sql`visit_id IS NOT NULL`),
    index('approval_by_invoice').on(table.invoiceId, table.requestedAt).where(sql`invoice_id IS NOT NULL`),
    index('approval_by_payment').on(table.paymentId, table.requestedAt).where(sql`payment_id IS NOT NULL`),
    // Decided requests are erased one day.
    index('approval_decided').on(table.decidedAt).where(sql`decided_at IS NOT NULL`),
  ],
);
export type ApprovalRow = typeof approvalTable.$inferSelect;
