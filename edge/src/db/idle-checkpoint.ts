import type { GroupCommit } from './group-commit.ts';
import type { SiteDb } from './site-db.ts';

/** About a quarter of the pages at which SQLite would do it by itself. */
const COMMITS = 16;
/** Nothing was written for so long: no car is between its camera and its gate. */
const QUIET_MS = 30;

/**
 * Brings the write-ahead log into the database when no car is about. Left alone, SQLite does that within the commit that
 * makes the log too long, and the car of that commit waits for hundreds of pages and two flushes more.
 */
export function checkpointWhenIdle(db: SiteDb, commit: GroupCommit): { stop(): void } {
  let commits = 0;
  let timer: NodeJS.Timeout | undefined;

  function checkpoint(): void {
    if (!db.open || db.inTransaction) return;
    commits = 0;
    try {
      db.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // A disk that is full or broken shows at the next commit, where it is dealt with.
    }
  }

  commit.onCommitted(() => {
    if (++commits < COMMITS) return;
    clearTimeout(timer);
    timer = setTimeout(checkpoint, QUIET_MS);
    timer.unref();
  });
  return { stop: () => clearTimeout(timer) };
}
