import { sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Scheduled runs: who is at it now, and when it was done last. */
export const jobTable = sqliteTable('job', {
  name: text('name').primaryKey(),
  /** The process that has it, and until when; null: none. */
  heldBy: text('held_by'),
  heldUntil: text('held_until'),
  lastStartedAt: text('last_started_at'),
  /** When one last ended well. */
  lastDoneAt: text('last_done_at'),
  /** The error of the last run; null: it ended well. */
  lastError: text('last_error'),
});

/** The processes that have this database now. */
export const instanceTable = sqliteTable('cloud_instance', {
  id: text('id').primaryKey(),
  startedAt: text('started_at').notNull(),
  /** It is dead after this moment, unless it has written a later one. */
  aliveUntil: text('alive_until').notNull(),
});
