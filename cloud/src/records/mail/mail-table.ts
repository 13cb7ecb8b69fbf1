import type { Language } from '@hlid/protocol/base/language';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { sql } from '../../platform/db/sql.ts';
import { WorkQueue, workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';
import type { EInvoiceBuyer } from '../invoices/e-invoice-table.ts';

/** Mail to send, and its result. */
export const mailTable = sqliteTable(
  'mail',
  {
    id: text('id').primaryKey(),
    to: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('body_text').notNull(),
    html: text('body_html'),
    /** A login: the text lacks the secret of its recovery link, which is made when the mail is sent. */
    recoversLoginId: text('recovers_login_id'),
    /** The same of a link by which a driver logs in: the language of its page. */
    driverLink: text('driver_link').$type<Language>(),
    /** The visit that it is about; null: none, or several. */
    visitId: compactId('visit_id'),
    /** The invoice whose files go with it; null: none. */
    invoiceId: compactId('invoice_id'),
    /** The company that gets the invoice as the receipt of a card payment for its books; null: as an invoice. */
    company: shortJson<EInvoiceBuyer>('company'),
    /** The purpose, such as `receipt`. */
    kind: text('kind').$type<MailKind>().notNull(),
    status: text('status').$type<MailStatus>().notNull(),
    /** How often a person asked for it to be sent again. */
    resends: integer('resends').notNull().default(0),
    // `attempts`: since it was queued, or asked for again.
    ...workColumns(),
    lastError: text('last_error'),
    createdAt: text('created_at').notNull(),
    sentAt: text('sent_at'),
  },
  (table) => [
    ...workIndexes('mail', table),
    index('mail_by_creation').on(table.createdAt, table.id),
    index('mail_by_visit').on(table.visitId).where(sql`visit_id IS NOT NULL`),
    index('mail_by_status').on(table.status, table.createdAt, table.id),
  ],
);

export const mailQueue = new WorkQueue('mail');

export const MAIL_KINDS = [
  'receipt',
  'invoice',
  'recover-password',
  'invitation',
  'alarm',
  'driver-link',
  'driver',
  'dispute',
  'reminder',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
export const MAIL_STATUSES = ['waiting', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];
