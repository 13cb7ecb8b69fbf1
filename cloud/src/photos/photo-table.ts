import type { PlateCandidate } from '@hlid/protocol/plate';
import type { Travel } from '@hlid/protocol/plate-read';
import type { StoredRead } from '@hlid/protocol/site-event';
import { index, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export type PhotoStatus = 'new' | 'need-review' | 'force-review' | 'reviewed' | 'deleted' | 'failed';

/** A read as a site stored it; the specification's photo. The picture itself may come later, or never. */
export const photoTable = sqliteTable(
  'photo',
  {
    /** The read's. */
    id: text('id').primaryKey(),
    siteId: text('site_id').notNull(),
    cameraId: text('camera_id').notNull(),
    laneId: text('lane_id').notNull(),
    passageId: text('passage_id'),
    status: text('status').$type<PhotoStatus>().notNull(),
    plate: text('plate'),
    plateFolded: text('plate_folded'),
    plateRaw: text('plate_raw').notNull(),
    score: real('score').notNull(),
    country: text('country'),
    direction: text('direction').$type<Travel>().notNull(),
    standing: text('standing').$type<StoredRead['standing']>().notNull(),
    candidates: text('candidates', { mode: 'json' }).$type<PlateCandidate[]>().notNull(),
    eventKey: text('event_key').notNull(),
    /** By the camera's clock. */
    capturedAt: text('captured_at'),
    receivedAt: text('received_at').notNull(),
    /** Where the picture is; null as long as there is none. */
    url: text('url'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('photo_by_time').on(table.receivedAt, table.id),
    index('photo_by_status').on(table.status, table.receivedAt, table.id),
    index('photo_by_plate').on(table.plate, table.receivedAt),
    index('photo_by_passage').on(table.passageId),
  ],
);
