import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { createCheckpointThread } from '../db/checkpoint-thread.ts';
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
const MAX_MS = 20;
/** As long as cars come, it rests after each step, else every other one of them would find it at work. */
const CARS_COME_MS = 250;
/** So many rows fill the write-ahead log by some hundred pages: little to flush for the car whose commit comes next. */
const ROWS_A_CHECKPOINT = 2000;
/**
 * Where no cars come, long work writes on meanwhile, but every so many times it waits: only a log that is copied whole
 * begins anew.
 */
const CHECKPOINTS_A_LOG = 4;

export function createLongWork(db: SiteDb, commit: Pick<GroupCommit, 'runNow' | 'lastAskedAt'>): LongWork {
  let since = performance.now();
  const thread = createCheckpointThread(db);
  const rowsWritten = db.prepare<[], number>('SELECT total_changes()').pluck();
  let atCheckpoint = 0;
  let checkpoints = 0;
  let checkpoint = Promise.resolve();

  const carsCome = () => performance.now() - commit.lastAskedAt() < CARS_COME_MS;

  async function giveWay(): Promise<void> {
    const from = performance.now();
    await turn();
    if (carsCome()) await pause(1);
    while (performance.now() - commit.lastAskedAt() < CAR_MS && performance.now() - from < MAX_MS) {
      await pause(1);
    }
    since = performance.now();
  }

  /**
   * A step need not be on the disk when it is done: the swap is, and with it all that lies before it in the log. So a
   * slow disk keeps nobody waiting. Nothing else comes in between, for all of this is one turn of the event loop.
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
      const written = rowsWritten.get() ?? 0;
      if (written - atCheckpoint >= ROWS_A_CHECKPOINT) {
        atCheckpoint = written;
        // Else the car whose commit fills the log up to its limit waits for all of it to be written back.
        await checkpoint;
        checkpoint = thread.checkpoint();
        if (carsCome() || ++checkpoints % CHECKPOINTS_A_LOG === 0) await checkpoint;
      }
      await giveWay();
      return result;
    },
    breathe: () => (performance.now() - since < BREATH_MS ? undefined : giveWay()),
  };
}
