import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';

/** Every change by a person: who, what, before, after; and every look-up of a plate. Rows are only ever added. */
export const auditTable = sqliteTable(
  'audit',
  {
    id: text('id').primaryKey(),
    at: text('at').notNull(),
    /** The caller, as `callerName` spells it: `account:<id>`, `token:<id>`. */
    by: text('by').notNull(),
    /** The act, such as `visit.update`. */
    action: text('action').notNull(),
    /** The kind of record that was changed. */
    subject: text('subject').notNull(),
    subjectId: text('subject_id').notNull(),
    /** Null: of no site, or of several. */
    siteId: compactSiteId('site_id'),
    /** Null: it was not there. */
    before: text('before', { mode: 'json' }).$type<unknown>(),
    after: text('after', { mode: 'json' }).$type<unknown>(),
    /** Why, where a reason was given. */
    reason: text('reason'),
    requestId: text('request_id').notNull(),
  },
  (table) => [
    index('audit_by_time').on(table.at, table.id),
    index('audit_by_subject').on(table.subject, table.at, table.id),
    index('audit_by_row').on(table.subjectId, table.subject, table.at, table.id),
    index('audit_by_site').on(table.siteId, table.at, table.id).where(sql`site_id IS NOT NULL`),
    index('audit_by_action').on(table.action, table.at, table.id),
    index('audit_by_person').on(table.by, table.at, table.id),
  ],
);
