import { index, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';

/** A camera, as people see it; its site knows the rest. */
export const cameraTable = sqliteTable(
  'camera',
  {
    id: text('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    name: text('name').notNull(),
    brand: text('brand'),
    location: text('location').$type<'entrance' | 'exit'>().notNull(),
    /** The camera's id in the site's own configuration. */
    remoteId: text('remote_id').notNull(),
    status: text('status').$type<'active' | 'inactive'>().notNull(),
    minimumOcrScore: real('minimum_ocr_score').notNull(),
    filters: text('filters', { mode: 'json' }).$type<string[]>().notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    uniqueIndex('camera_on_site').on(table.siteId, table.remoteId),
    index('camera_by_creation').on(table.createdAt, table.id),
    index('camera_by_status').on(table.status, table.createdAt, table.id),
  ],
);
