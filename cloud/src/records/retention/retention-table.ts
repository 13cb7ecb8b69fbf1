import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The kinds of data with a retention period. */
export const ERASED_KINDS = [
  'picture',
  'loose-read',
  'visit-plate',
  'passage',
  'vehicle',
  'invoice-payer',
  'payment-card',
  'bank-name',
  'online-payer',
  'pay-order',
  'audit-line',
  'mail',
  'driver',
  'dispute',
  'approval',
  'plate-request',
] as const;
export type ErasedKind = (typeof ERASED_KINDS)[number];

/** The log of erasures: when, why and how many records, never their content. */
export const retentionLogTable = sqliteTable(
  'retention_log',
  {
    id: text('id').primaryKey(),
    at: text('at').notNull(),
    kind: text('kind').$type<ErasedKind>().notNull(),
    rows: integer('rows').notNull(),
    /** Everything from before then; of a request for one plate: when it was made. */
    before: text('before').notNull(),
    /** `cloud:retention`, or who asked for it. */
    by: text('by').notNull(),
  },
  (table) => [index('retention_log_by_time').on(table.at, table.id)],
);

/** The place up to which reads were checked, and found to belong to a visit or erased. */
export const retentionCursorTable = sqliteTable('retention_cursor', {
  name: text('name').primaryKey(),
  at: text('at').notNull(),
  id: text('id').notNull(),
});
