import { checkpointNow } from './checkpoint-now.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SiteDb } from './site-db.ts';

/**
 * Some twelve pages each. A car that comes just then waits after all: seldom, and little longer for many than for few.
 */
const COMMITS = 100;
/** Nothing was written for so long: no car is between its camera and its gate. */
const QUIET_MS = 30;

/**
 * Brings the write-ahead log into the database when no car is about. Left alone, SQLite does that within the commit
 * that makes the log too long, and the car of that commit waits for hundreds of pages and two flushes more.
 */
export function checkpointWhenIdle(db: SiteDb, commit: GroupCommit): { stop(): void } {
  let commits = 0;
  let lastAskedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function checkpoint(): void {
    if (!db.open || db.inTransaction) return;
    commits = 0;
    checkpointNow(db);
  }

  commit.onCommitted(() => {
    // Long work sees to its own.
    if (commit.lastAskedAt() !== lastAskedAt) commits++;
    lastAskedAt = commit.lastAskedAt();
    if (commits < COMMITS) return;
    clearTimeout(timer);
    timer = setTimeout(checkpoint, QUIET_MS);
    timer.unref();
  });
  return { stop: () => clearTimeout(timer) };
}
