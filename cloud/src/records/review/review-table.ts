import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';
import { type PhotoState, photoTable } from '../photos/photo-table.ts';
import type { VisitRow } from '../visits/visit-table.ts';
import type { PlateEffect, ReviewCause } from './review-cause.ts';

const ofPhoto = () =>
  compactId('photo_id')
    .notNull()
    .references(() => photoTable.id, { onDelete: 'cascade' });
/** The person who reviews a picture now: one person for a minute, which is renewed during the review. */
export const reviewClaimTable = sqliteTable('review_claim', {
  photoId: ofPhoto().primaryKey(),
  accountId: text('account_id').notNull(),
  until: text('until').notNull(),
});

/** The fields before an answer, to be put back. */
export interface AnswerUndo {
  photo: PhotoState;
  /** The visit as it was; null: none changed. */
  visit: VisitState | null;
  /** The visit as the answer left it. */
  visitAfter: VisitState | null;
}
export type VisitState = Pick<
  VisitRow,
  'id' | 'plate' | 'plateByPerson' | 'status' | 'paymentStatus' | 'endedAt' | 'exitReadId' | 'flags'
>;

/**
 * People's answers about pictures. `first` decides; `blind` is another person's answer about the same
 * picture, without knowledge of the first; `final` decides if the two disagree; `skip` leaves it to others.
 */
export const reviewAnswerTable = sqliteTable(
  'review_answer',
  {
    id: text('id').primaryKey(),
    photoId: ofPhoto(),
    kind: text('kind').$type<'first' | 'blind' | 'final' | 'skip'>().notNull(),
    accountId: text('account_id').notNull(),
    answeredAt: text('answered_at').notNull(),
    siteId: compactSiteId('site_id').notNull(),
    /** The camera's `remoteId`. */
    cameraId: text('camera_id').notNull(),
    /** When the picture was taken, by the clock of its site: 0 to 23. */
    hour: integer('hour').notNull(),
    /** Null: no plate is readable, or there is no answer. */
    plate: text('plate'),
    /** The plate, as the camera read it. */
    readPlate: text('read_plate'),
    /**
     * Whether the camera read another plate than the person; null: the picture shows none, or there is no
     * answer.
     */
    misread: integer('misread', { mode: 'boolean' }),
    /** Whether a first review waits for another person's. */
    awaitsBlind: integer('awaits_blind', { mode: 'boolean' }).notNull(),
    /** Whether a blind review is the same as the first. */
    agrees: integer('agrees', { mode: 'boolean' }),
    /** The causes that the first person saw, for the second one to see the same. */
    causes: text('causes', { mode: 'json' }).$type<ReviewCause[]>().notNull(),
    plateEffect: text('plate_effect').$type<PlateEffect>().notNull(),
    undo: text('undo', { mode: 'json' }).$type<AnswerUndo>(),
  },
  (table) => [
    // Each picture is decided once, and reviewed blind once; it may be skipped any number of times.
    uniqueIndex('review_answer_of_kind').on(table.photoId, table.kind).where(sql`kind <> 'skip'`),
    index('review_answer_by_photo').on(table.photoId, table.answeredAt),
    index('review_answer_by_time').on(table.answeredAt),
    index('review_answer_by_person').on(table.accountId, table.answeredAt),
    index('review_answer_awaits_blind').on(table.answeredAt, table.id).where(sql`awaits_blind = 1`),
    index('review_answer_disagrees').on(table.answeredAt, table.id).where(sql`agrees = 0`),
  ],
);
export type AnswerRow = typeof reviewAnswerTable.$inferSelect;
