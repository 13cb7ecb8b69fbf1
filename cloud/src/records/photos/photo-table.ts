import type { PlateCandidate } from '@hlid/protocol/plate/plate';
import type { Travel } from '@hlid/protocol/plate/plate-read';
import type { StoredRead } from '@hlid/protocol/site-link/site-event';
import { index, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime, compactWord } from '../../platform/db/compact-columns.ts';
import { plateMiddleIndexes } from '../../platform/db/search-key.ts';
import { shortJson } from '../../platform/db/short-json.ts';
import { sql } from '../../platform/db/sql.ts';

export const PHOTO_STATUSES = [
  'new',
  'need-review',
  'force-review',
  'reviewed',
  'deleted',
  'failed',
] as const;
type PhotoStatus = (typeof PHOTO_STATUSES)[number];

/** Numbered in this order: new ones go to the end. */
const TRAVELS: readonly Travel[] = ['approaching', 'leaving', 'unknown'];
const STANDINGS: readonly StoredRead['standing'][] = [
  'counts',
  'late',
  'parked',
  'wrong-way',
  'filtered',
  'low-score',
  'camera-inactive',
];

/** A read as it was stored; the specification's photo. The picture itself may come later, or never. */
export const photoTable = sqliteTable(
  'photo',
  {
    /** The read's. */
    id: compactId('id').primaryKey(),
    /** The source: a site's edge daemon, or a camera that posts to the cloud; `test` is part of no list. */
    source: text('source').$type<'site' | 'posted' | 'test'>().notNull().default('site'),
    siteId: compactSiteId('site_id').notNull(),
    /** The camera's `remoteId`. */
    cameraId: text('camera_id').notNull(),
    laneId: text('lane_id').notNull(),
    passageId: compactId('passage_id'),
    /** The visit that it is of, where that was found here; for a site's own reads its passage has it. */
    visitId: compactId('visit_id'),
    status: text('status').$type<PhotoStatus>().notNull(),
    plate: text('plate'),
    plateFolded: text('plate_folded'),
    plateRaw: text('plate_raw').notNull(),
    score: real('score').notNull(),
    country: text('country'),
    direction: compactWord('direction', TRAVELS).notNull(),
    standing: compactWord('standing', STANDINGS).notNull(),
    candidates: shortJson<PlateCandidate[]>('candidates').notNull(),
    eventKey: text('event_key').notNull(),
    /** The time by the camera's clock. */
    capturedAt: compactTime('captured_at'),
    receivedAt: compactTime('received_at').notNull(),
    /** A person changed the plate. */
    corrected: integer('corrected', { mode: 'boolean' }).notNull().default(false),
    /** The input of `pictureKey`; null as long as there is no picture. */
    url: text('url'),
    pictureBytes: integer('picture_bytes'),
    /** The same of a picture of the plate alone. */
    plateUrl: text('plate_url'),
    plateBytes: integer('plate_bytes'),
    /** The size of the thumbnail; null: not made yet; 0: it cannot be made. */
    thumbBytes: integer('thumb_bytes'),
    createdAt: compactTime('created_at').notNull(),
  },
  (table) => [
    index('photo_by_time').on(table.receivedAt),
    // A small index of those that an operator must still review; queries repeat its condition word for word.
    index('photo_for_review')
      .on(table.status, table.receivedAt)
      .where(sql`status IN ('need-review', 'force-review')`),
    index('photo_by_folded_plate').on(table.plateFolded, table.receivedAt),
    ...plateMiddleIndexes('photo', table.plateFolded),
    index('photo_by_camera').on(table.siteId, table.cameraId, table.receivedAt),
    index('photo_by_site').on(table.siteId, table.receivedAt),
    index('photo_by_event').on(table.siteId, table.cameraId, table.eventKey).where(sql`source <> 'site'`),
    index('photo_by_passage').on(table.passageId),
    index('photo_with_picture').on(table.receivedAt).where(sql`url IS NOT NULL OR plate_url IS NOT NULL`),
    index('photo_by_visit').on(table.visitId).where(sql`visit_id IS NOT NULL`),
  ],
);

/** The fields of a photo that a person can change. */
export type PhotoState = Pick<typeof photoTable.$inferSelect, 'plate' | 'status' | 'visitId' | 'corrected'>;
