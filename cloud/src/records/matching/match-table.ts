import type { PaymentStatus, ReviewFlag, VisitPrice, VisitStatus } from '@hlid/protocol/records/visit';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId, compactTime } from '../../platform/db/compact-columns.ts';
import { type PhotoState, photoTable } from '../photos/photo-table.ts';

/**
 * `open`: a person is asked. `settled`: it ended the visit by itself. `accepted`, `rejected`: as a person said. `undone`: it
 * had ended the visit by itself, and a person took that back.
 */
export const PROPOSAL_STATES = ['open', 'settled', 'accepted', 'rejected', 'undone'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** What decides whether a visit is still as the match left it, and what an undo puts back. */
export interface MatchedVisit {
  status: VisitStatus;
  paymentStatus: PaymentStatus | null;
  paidUntil: string | null;
  price: VisitPrice | null;
  unitsMet: number;
  paidMinor: number;
  flags: ReviewFlag[];
}

/** The fields before a match, and after it, for its undo. They have no plate. */
export interface MatchUndo {
  photoStatus: PhotoState['status'];
  before: MatchedVisit;
  after: MatchedVisit;
}

/** A visit that was open, and a read at an exit that found none: perhaps one car. */
export const matchProposalTable = sqliteTable(
  'match_proposal',
  {
    id: compactId('id').primaryKey(),
    siteId: compactSiteId('site_id').notNull(),
    visitId: compactId('visit_id').notNull(),
    exitReadId: compactId('exit_read_id')
      .notNull()
      .references(() => photoTable.id, { onDelete: 'cascade' }),
    state: text('state').$type<ProposalState>().notNull(),
    /** By what judged pairs have shown of `weight`. */
    probability: real('probability').notNull(),
    /** The share of the ways to pair the cars that have this pair. */
    weight: real('weight').notNull(),
    /** The likeliest other pair with one of the two; null: there is none. */
    secondVisitId: compactId('second_visit_id'),
    secondExitReadId: compactId('second_exit_read_id'),
    secondProbability: real('second_probability').notNull(),
    /** A person has judged it once: it is never settled by itself. */
    isJudged: integer('is_judged', { mode: 'boolean' }).notNull().default(false),
    createdAt: compactTime('created_at').notNull(),
    modifiedAt: compactTime('modified_at').notNull(),
    /** Who gave it its state: `account:<id>` or `cloud:matching`. */
    by: text('by').notNull(),
    /** Null: it has ended no visit. */
    undo: text('undo', { mode: 'json' }).$type<MatchUndo>(),
  },
  (table) => [
    uniqueIndex('match_proposal_of_pair').on(table.visitId, table.exitReadId),
    index('match_proposal_by_exit').on(table.exitReadId),
    index('match_proposal_by_time').on(table.createdAt, table.id),
    index('match_proposal_by_site').on(table.siteId, table.createdAt, table.id),
    index('match_proposal_by_state').on(table.state, table.createdAt, table.id),
    index('match_proposal_by_site_state').on(table.siteId, table.state, table.createdAt, table.id),
  ],
);
export type ProposalRow = typeof matchProposalTable.$inferSelect;

/** How often a camera at an exit read a character where the entrance read another one: what pairs have taught. */
export const matchConfusionTable = sqliteTable(
  'match_confusion',
  {
    siteId: compactSiteId('site_id').notNull(),
    /** The `remoteId` of the camera at the exit. */
    cameraId: text('camera_id').notNull(),
    /** Empty: the entrance did not read it. */
    before: text('before').notNull(),
    /** Empty: the exit did not read it. */
    now: text('now').notNull(),
    times: integer('times').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.cameraId, table.before, table.now] })],
);
