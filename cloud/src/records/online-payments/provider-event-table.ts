import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Notifications of providers that were carried out: each is, once. Deleted after a month; providers repeat for days. */
export const providerEventTable = sqliteTable(
  'provider_event',
  {
    gatewayId: text('gateway_id').notNull(),
    /** The provider's. */
    id: text('id').notNull(),
    at: text('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.gatewayId, table.id] }),
    index('provider_event_by_time').on(table.at),
  ],
);
