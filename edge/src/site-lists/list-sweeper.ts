import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { LongWork } from './long-work.ts';

/** Takes away lists that nobody needs any more, replaced ones and half-built ones, a little at a time. */
export interface ListSweeper {
  /** Resolves when all are gone that are there now. */
  sweep(): Promise<void>;
}

const ROWS_AT_ONCE = 400;

/** Tables that may be left over, with what their rows go by. */
const LEFT_OVER = [
  ['permit_old', 'row'],
  ['permit_next', 'row'],
  ['permit_place_old', 'place'],
  ['permit_place_next', 'place'],
  ['vehicle_old', 'plate'],
  ['vehicle_next', 'plate'],
] as const;

export function createListSweeper(
  db: SiteDb,
  commit: Pick<GroupCommit, 'runNow'>,
  longWork: LongWork,
): ListSweeper {
  const isThere = db
    .prepare<[string], number>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .pluck();
  let last: Promise<void> = Promise.resolve();

  async function sweepAll(): Promise<void> {
    for (const [table, key] of LEFT_OVER) {
      // Closed meanwhile: the next start goes on.
      if (!db.open) return;
      if (isThere.get(table) === undefined) continue;
      const some = db.prepare(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT ${ROWS_AT_ONCE})`,
      );
      // To drop a table of a million rows at once takes as long as a driver waits.
      while (db.open && (await longWork.step(() => some.run().changes)) > 0);
      if (db.open) commit.runNow(() => db.exec(`DROP TABLE ${table}`));
    }
  }

  return {
    sweep() {
      last = last.then(sweepAll, sweepAll);
      return last;
    },
  };
}
