import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** How far each site's event log is applied, by epoch. An epoch has its row from its first word on. */
export const eventCursorTable = sqliteTable(
  'event_cursor',
  {
    siteId: compactSiteId('site_id').notNull(),
    epoch: text('epoch').notNull(),
    committed: integer('committed').notNull(),
    /** The digest of the event with that number, as the site sent it (`event-digest.ts`); null: not known. */
    digest: text('digest'),
    /** The site's first epoch is 1: only the latest one is right about the site. */
    ordinal: integer('ordinal').notNull().default(1),
    at: text('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.epoch] })],
);

/** Events that could not be understood, as they came: nothing is lost, and the rest goes on. */
export const rejectedEventTable = sqliteTable(
  'rejected_event',
  {
    siteId: compactSiteId('site_id').notNull(),
    epoch: text('epoch').notNull(),
    seq: integer('seq').notNull(),
    /** The event as JSON. */
    event: text('event').notNull(),
    error: text('error').notNull(),
    receivedAt: text('received_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.epoch, table.seq] })],
);
