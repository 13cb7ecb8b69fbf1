import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RefusalReason } from '../../platform/access-points/access-point.ts';
import { compactId } from '../../platform/db/compact-columns.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { WorkQueue, workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';

/**
 * `waiting`: not handed over. `sending`: it may be under way. `unknown`: whether the access point has it is not known.
 * `accepted`: the access point has it. `delivered`: the receiver has it.
 */
export const E_INVOICE_STATES = [
  'waiting',
  'sending',
  'unknown',
  'accepted',
  'delivered',
  'refused',
] as const;
export type EInvoiceState = (typeof E_INVOICE_STATES)[number];

/** Why it goes no further: an access point's reasons, and those for which none was given it. */
export type EInvoiceReason =
  | RefusalReason
  | 'no-access-point'
  | 'lacks-data'
  | 'vat-undecided'
  | 'vat-mixed'
  | 'bank-account'
  | 'not-reached'
  | 'document-changed';
export const E_INVOICE_REASONS: readonly [EInvoiceReason, ...EInvoiceReason[]] = [
  'no-access-point',
  'lacks-data',
  'vat-undecided',
  'vat-mixed',
  'bank-account',
  'receiver-unknown',
  'sender-unknown',
  'document-invalid',
  'other',
  'not-reached',
  'document-changed',
];

/** The company to which a driver has the receipt of a card payment sent. */
export interface EInvoiceBuyer {
  ssn: string;
  name: string;
  /** Null: its national id is its address. */
  electronicAddress: string | null;
}

/** Invoices, credit notes and receipts on their way to an access point. Each attempt is handed over once. */
export const eInvoiceTable = sqliteTable(
  'e_invoice',
  {
    /** The invoice. */
    id: compactId('id').primaryKey(),
    state: text('state').$type<EInvoiceState>().notNull(),
    /** The time since which it is in that state. */
    stateAt: text('state_at').notNull(),
    /** The idempotency key of this attempt. */
    key: text('key').notNull(),
    /** Attempts that were refused before this one. */
    refusals: integer('refusals').notNull().default(0),
    /** The access point that has it, or had; null: none yet. */
    accessPoint: text('access_point'),
    /** The buyer on the receipt of a card payment (TS 240); null: an invoice or credit note, to its own customer. */
    buyer: shortJson<EInvoiceBuyer>('buyer'),
    /** The address that it goes to, such as `0196:5501012020`; null: not known yet. */
    receiver: text('receiver'),
    /** SHA-256 of the document of this attempt: it is never another one under the same key. */
    digest: text('digest'),
    /** The access point's own id of it. */
    reference: text('reference'),
    reason: text('reason').$type<EInvoiceReason>(),
    /** More about the reason: what is missing, or what the access point says. */
    detail: text('detail'),
    createdAt: text('created_at').notNull(),
    ...workColumns(),
  },
  (table) => workIndexes('e_invoice', table),
);

export const eInvoiceQueue = new WorkQueue('e_invoice', { isCompact: true });

/** Announced when one is to be sent. */
export const E_INVOICES_WAITING = 'e-invoices-waiting';
