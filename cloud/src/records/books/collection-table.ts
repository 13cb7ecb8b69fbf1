import type { ReminderStep } from '@hlid/protocol/records/collection-law';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';

/** A file for a collector. No column of it changes. */
export const collectionFileTable = sqliteTable(
  'collection_file',
  {
    id: compactId('id').primaryKey(),
    /** Null: its invoices are of several sites. */
    siteId: compactSiteId('site_id'),
    /** The day on which it was made, `YYYY-MM-DD`. */
    day: text('day').notNull(),
    invoices: integer('invoices').notNull(),
    /** All of it, charges included. */
    totalMinor: integer('total_minor').notNull(),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (table) => [
    index('collection_file_by_time').on(table.createdAt, table.id),
    index('collection_file_by_site').on(table.siteId, table.createdAt, table.id),
  ],
);
export type CollectionFileRow = typeof collectionFileTable.$inferSelect;

/** The delivery of a reminder, and what proves it. */
export interface DeliveredNotice {
  step: ReminderStep;
  /** `YYYY-MM-DD`, at its site. */
  deliveredOn: string;
  /** `mail`: a server has accepted the mail of that id. `person`: a person has delivered it, and noted it. */
  proof: 'mail' | 'person';
  /** The mail, or who noted it. */
  reference: string;
  at: string;
}

/** An open invoice for the charge of a reminder. */
export interface CollectedCharge {
  invoiceId: string;
  number: number | null;
  openMinor: number;
}

/**
 * An invoice in a file for a collector, as it was then: each is handed over once. Only names are erased, with those of
 * the invoice.
 */
export const collectionItemTable = sqliteTable(
  'collection_item',
  {
    invoiceId: compactId('invoice_id').primaryKey(),
    fileId: compactId('file_id').notNull(),
    /** Its place in the file. */
    n: integer('n').notNull(),
    siteId: compactSiteId('site_id'),
    number: integer('number').notNull(),
    creditorName: text('creditor_name'),
    creditorId: text('creditor_id'),
    debtorName: text('debtor_name'),
    debtorId: text('debtor_id'),
    currency: text('currency').notNull(),
    /** The principal, on which interest counts. */
    openMinor: integer('open_minor').notNull(),
    /** What is open of its charges. */
    chargesMinor: integer('charges_minor').notNull(),
    charges: shortJson<CollectedCharge[]>('charges').notNull(),
    /** What had been credited of it and of its charges: more than that is a change. */
    creditedMinor: integer('credited_minor').notNull(),
    issuedOn: text('issued_on').notNull(),
    dueOn: text('due_on').notNull(),
    /** The first day of interest. */
    interestFrom: text('interest_from').notNull(),
    notices: shortJson<DeliveredNotice[]>('notices').notNull(),
    link: text('link').notNull(),
  },
  (table) => [index('collection_item_by_file').on(table.fileId, table.n)],
);
export type CollectionItemRow = typeof collectionItemTable.$inferSelect;
