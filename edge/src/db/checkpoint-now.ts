import type { SiteDb } from './site-db.ts';

/** Writes as much as possible of the write-ahead log back into the database, without blocking writers. */
export function checkpointNow(db: SiteDb): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // A full or broken disk fails at the next commit, which handles it.
  }
}
