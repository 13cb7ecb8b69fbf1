import type { SiteDb } from './site-db.ts';

/** Brings what it can of the write-ahead log into the database, and keeps nobody from writing. */
export function checkpointNow(db: SiteDb): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // A disk that is full or broken shows at the next commit, where it is dealt with.
  }
}
