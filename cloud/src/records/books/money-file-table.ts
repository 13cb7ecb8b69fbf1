import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/** A file of a provider or a bank that was imported: each once, by its hash. */
export const moneyFileTable = sqliteTable(
  'money_file',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<'settlement' | 'bank'>().notNull(),
    /** SHA-256 of its bytes, in hexadecimal digits. */
    hash: text('hash').notNull(),
    name: text('name').notNull(),
    format: text('format').notNull(),
    bytes: integer('bytes').notNull(),
    rows: integer('rows').notNull(),
    /** The site of all its accounts; null: of several. */
    siteId: compactSiteId('site_id'),
    warnings: text('warnings', { mode: 'json' }).$type<Mistake[]>().notNull(),
    importedBy: text('imported_by').notNull(),
    importedAt: text('imported_at').notNull(),
    /** The close of a day that counts with it; null: none, and it may be deleted. */
    usedBy: text('used_by'),
  },
  (table) => [
    uniqueIndex('money_file_by_hash').on(table.hash),
    index('money_file_by_kind').on(table.kind, table.importedAt, table.id),
  ],
);
export type MoneyFileRow = typeof moneyFileTable.$inferSelect;

/** One payout of a provider. */
export const settlementBatchTable = sqliteTable(
  'settlement_batch',
  {
    id: text('id').primaryKey(),
    fileId: text('file_id').notNull(),
    accountId: text('account_id').notNull(),
    reference: text('reference').notNull(),
    currency: text('currency').notNull(),
    state: text('state').$type<'paid' | 'failed' | 'carried' | 'open'>().notNull(),
    paidOn: text('paid_on'),
    grossMinor: integer('gross_minor').notNull(),
    feeMinor: integer('fee_minor').notNull(),
    payoutMinor: integer('payout_minor').notNull(),
    carriedInMinor: integer('carried_in_minor').notNull(),
    carriedOutMinor: integer('carried_out_minor').notNull(),
    roundingMinor: integer('rounding_minor').notNull(),
    rows: integer('row_count').notNull(),
  },
  (table) => [
    uniqueIndex('settlement_batch_by_reference').on(table.accountId, table.reference, table.currency),
    index('settlement_batch_by_file').on(table.fileId),
    index('settlement_batch_by_day').on(table.paidOn).where(sql`paid_on IS NOT NULL`),
    // Few: negative batches, and those that wait for their payout.
    index('settlement_batch_unpaid').on(table.id).where(sql`paid_on IS NULL`),
  ],
);
export type SettlementBatchRow = typeof settlementBatchTable.$inferSelect;

/**
 * `other-amount`: the payment is known with another amount. `duplicate`: the same is settled already. `not-booked`: the
 * payment is known, and no such movement of it. `ambiguous`: several could be meant.
 */
export const ROW_MATCHES = [
  'matched',
  'other-amount',
  'duplicate',
  'not-booked',
  'ambiguous',
  'none',
] as const;
export type RowMatch = (typeof ROW_MATCHES)[number];

/** The rows that may still be matched to what is booked later. */
export const OPEN_ROW = sql`match IN ('none', 'ambiguous', 'not-booked')`;

export const settlementRowTable = sqliteTable(
  'settlement_row',
  {
    fileId: text('file_id').notNull(),
    /** Its number in the file. */
    n: integer('n').notNull(),
    line: integer('line').notNull(),
    batchId: text('batch_id').notNull(),
    kind: text('kind').notNull(),
    reference: text('reference'),
    ownReference: text('own_reference'),
    merchantReference: text('merchant_reference'),
    authorisation: text('authorisation'),
    terminal: text('terminal'),
    lastFour: text('last_four'),
    method: text('method'),
    at: compactTime('at'),
    bookedOn: text('booked_on').notNull(),
    currency: text('currency').notNull(),
    grossMinor: integer('gross_minor').notNull(),
    feeMinor: integer('fee_minor').notNull(),
    /** Our payment; null: none was found. */
    paymentId: compactId('payment_id'),
    match: text('match').$type<RowMatch>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.n] }),
    index('settlement_row_by_batch').on(table.batchId, table.n),
    index('settlement_row_open').on(table.bookedOn).where(OPEN_ROW),
    index('settlement_row_by_payment').on(table.paymentId).where(sql`payment_id IS NOT NULL`),
    index('settlement_row_unmatched').on(table.bookedOn).where(sql`payment_id IS NULL`),
  ],
);
export type SettlementRowRow = typeof settlementRowTable.$inferSelect;

export const bankStatementTable = sqliteTable(
  'bank_statement',
  {
    id: text('id').primaryKey(),
    fileId: text('file_id').notNull(),
    accountId: text('account_id').notNull(),
    reference: text('reference').notNull(),
    currency: text('currency').notNull(),
    fromDay: text('from_day').notNull(),
    untilDay: text('until_day').notNull(),
    openingMinor: integer('opening_minor'),
    closingMinor: integer('closing_minor'),
    entries: integer('entry_count').notNull(),
  },
  (table) => [
    uniqueIndex('bank_statement_by_reference').on(table.accountId, table.reference, table.fromDay),
    index('bank_statement_by_file').on(table.fileId),
    index('bank_statement_by_day').on(table.accountId, table.untilDay),
  ],
);
export type BankStatementRow = typeof bankStatementTable.$inferSelect;

/** `other-amount`: the batch is named, and another amount came. `ambiguous`: several batches could be meant. */
export const ENTRY_MATCHES = ['matched', 'other-amount', 'ambiguous', 'none'] as const;
export type EntryMatch = (typeof ENTRY_MATCHES)[number];

/** The entries that may name a person. */
export const NAMED_ENTRY = sql`(counterpart IS NOT NULL OR entry_text IS NOT NULL)`;

export const bankEntryTable = sqliteTable(
  'bank_entry',
  {
    fileId: text('file_id').notNull(),
    /** Its number in the file. */
    n: integer('n').notNull(),
    line: integer('line').notNull(),
    statementId: text('statement_id').notNull(),
    accountId: text('account_id').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    bookedOn: text('booked_on').notNull(),
    valueOn: text('value_on'),
    isReversal: integer('is_reversal', { mode: 'boolean' }).notNull(),
    reference: text('reference'),
    endToEndId: text('end_to_end_id'),
    counterpart: text('counterpart'),
    text: text('entry_text'),
    transactions: integer('transactions'),
    /** The batch of a provider that it is; null: none was found. */
    batchId: text('batch_id'),
    match: text('match').$type<EntryMatch>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.n] }),
    index('bank_entry_by_account').on(table.accountId, table.bookedOn),
    index('bank_entry_by_reference').on(table.accountId, table.reference).where(sql`reference IS NOT NULL`),
    index('bank_entry_by_batch').on(table.batchId).where(sql`batch_id IS NOT NULL`),
    index('bank_entry_named').on(table.bookedOn).where(NAMED_ENTRY),
    index('bank_entry_unmatched').on(table.bookedOn).where(sql`batch_id IS NULL`),
  ],
);
export type BankEntryRow = typeof bankEntryTable.$inferSelect;
