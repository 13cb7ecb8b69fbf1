import type { Language } from '@hlid/protocol/base/language';
import type { CallState } from '@hlid/protocol/site-link/edge-api';
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';

/** Calls for help from kiosks. */
export const callTable = sqliteTable(
  'help_call',
  {
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    terminalId: text('terminal_id'),
    visitId: compactId('visit_id'),
    language: text('language').$type<Language>().notNull(),
    state: text('state').$type<CallState>().notNull(),
    /** When the driver pressed the button, by the site's clock. */
    at: text('at').notNull(),
    acceptedBy: text('accepted_by'),
    /** The person's name then. */
    acceptedByName: text('accepted_by_name'),
    acceptedAt: text('accepted_at'),
    closedBy: text('closed_by'),
    closedAt: text('closed_at'),
    /** The act that ended the call. */
    done: text('done').$type<CallDone>(),
    note: text('note'),
  },
  (table) => [
    index('help_call_by_state').on(table.state, table.at, table.id),
    index('help_call_by_time').on(table.at, table.id),
  ],
);
export type CallRow = typeof callTable.$inferSelect;

export const CALL_DONE = [
  'explained',
  'opened',
  'settled',
  'technician-sent',
  'nobody-there',
  'other',
] as const;
export type CallDone = (typeof CALL_DONE)[number];
