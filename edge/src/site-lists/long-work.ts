import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';

/** Long work on the site's database, in small steps: gates go first. */
export interface LongWork {
  /** One step, in a transaction of its own and at once; resolves when the next may come. */
  step<T>(work: () => T): Promise<T>;
  /** To be awaited where there may be much to do between two steps: resolves nothing while it has not been long. */
  breathe(): Promise<void> | undefined;
}

/** Without a word to anybody else, at most. */
const BREATH_MS = 1;
/** While a car is being dealt with, long work rests: the car's way goes through several turns of the event loop … */
const CAR_MS = 4;
/** … but never longer than that at once, however many cars there are. */
const MOST_MS = 40;
/** So many steps fill the write-ahead log by some hundred pages: little to write back at once. */
const STEPS_A_CHECKPOINT = 8;

export function createLongWork(db: SiteDb, commit: Pick<GroupCommit, 'runNow' | 'lastAskedAt'>): LongWork {
  let steps = 0;
  let since = performance.now();

  async function giveWay(): Promise<void> {
    const from = performance.now();
    await turn();
    while (performance.now() - commit.lastAskedAt() < CAR_MS && performance.now() - from < MOST_MS) {
      await pause(1);
    }
    since = performance.now();
  }

  /**
   * A step need not be on the disk when it is done: the swap is, and with it all that lies before it in the log. So a slow
   * disk keeps nobody waiting. Nothing else comes in between, for all of this is one turn of the event loop.
   */
  function unflushed<T>(write: () => T): T {
    db.pragma('synchronous = NORMAL');
    try {
      return write();
    } finally {
      db.pragma('synchronous = FULL');
    }
  }

  return {
    async step(work) {
      const result = unflushed(() => commit.runNow(work));
      await giveWay();
      if (++steps % STEPS_A_CHECKPOINT === 0 && db.open) {
        // Else the car whose commit fills the log up to its limit waits for all of it to be written back.
        db.pragma('wal_checkpoint(PASSIVE)');
        await giveWay();
      }
      return result;
    },
    breathe: () => (performance.now() - since < BREATH_MS ? undefined : giveWay()),
  };
}
