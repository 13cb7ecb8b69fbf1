import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Calls that were made with an `Idempotency-Key`, and their answers. */
export const idempotencyTable = sqliteTable(
  'idempotency_key',
  {
    /** The caller, as `callerName` spells it. */
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    /** HMAC of method, address and body: the key stands for this call only. */
    fingerprint: text('fingerprint').notNull(),
    /** Null: it was begun, and its outcome is not known yet. */
    status: integer('status'),
    location: text('location'),
    contentType: text('content_type'),
    body: text('body'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.caller, table.key] }),
    index('idempotency_key_by_age').on(table.createdAt),
  ],
);
