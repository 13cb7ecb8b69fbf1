import { setImmediate as turn } from 'node:timers/promises';
import { pause } from '@hlid/node/pause';
import type { Statement } from 'better-sqlite3';
import { CheckpointThread } from '../db/checkpoint-thread.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';

/** The longest time without a turn of the event loop for other work. */
const MAX_BUSY_MS = 1;
/** Long work pauses until this long after the last work for a car, which takes several turns of the event loop. */
const CAR_MS = 4;
/** The longest pause at once, however many cars there are. */
const MAX_PAUSE_MS = 20;
/** The pause after each step while cars come: without it every other car would meet the work. */
const RECENT_CAR_MS = 250;
/**
 * These rows add some hundred pages to the write-ahead log: little to flush for the car with the next commit.
 */
const ROWS_PER_CHECKPOINT = 2000;
/**
 * While no cars come, long work goes on writing during a checkpoint, but waits for every fourth one: the log
 * restarts from its beginning only when it is copied whole.
 */
const CHECKPOINTS_PER_LOG = 4;

/** Long work on the site's database, in small steps: gates go first. */
export class LongWork {
  readonly #db: SiteDb;
  readonly #commit: EdgeContext['commit'];
  readonly #thread: CheckpointThread;
  readonly #rowsWritten: Statement<[], number>;
  #since = performance.now();
  #rowsAtCheckpoint = 0;
  #checkpoints = 0;
  #checkpoint = Promise.resolve();

  constructor({ db, commit }: Pick<EdgeContext, 'db' | 'commit'>) {
    this.#db = db;
    this.#commit = commit;
    this.#thread = new CheckpointThread(db);
    this.#rowsWritten = db.prepare<[], number>('SELECT total_changes()').pluck();
  }

  /** Runs one step at once, in a separate transaction; resolves when the next may come. */
  async step<T>(work: () => T): Promise<T> {
    const result = this.#unflushed(() => this.#commit.runNow(work));
    const written = this.#rowsWritten.get() ?? 0;
    if (written - this.#rowsAtCheckpoint >= ROWS_PER_CHECKPOINT) {
      this.#rowsAtCheckpoint = written;
      // The car with the commit that fills the log would wait otherwise until all of it is written back.
      await this.#checkpoint;
      this.#checkpoint = this.#thread.checkpoint();
      if (this.#carsCome() || ++this.#checkpoints % CHECKPOINTS_PER_LOG === 0) await this.#checkpoint;
    }
    await this.#yieldToCars();
    return result;
  }

  /**
   * A promise to await between two steps, if there may be much to do; undefined: there is no need to wait
   * yet.
   */
  breathe(): Promise<void> | undefined {
    return performance.now() - this.#since < MAX_BUSY_MS ? undefined : this.#yieldToCars();
  }

  #carsCome(): boolean {
    return this.#sinceCar() < RECENT_CAR_MS;
  }

  #sinceCar(): number {
    return performance.now() - this.#commit.lastRunAt();
  }

  async #yieldToCars(): Promise<void> {
    const from = performance.now();
    await turn();
    if (this.#carsCome()) await pause(1);
    while (this.#sinceCar() < CAR_MS && performance.now() - from < MAX_PAUSE_MS) await pause(1);
    this.#since = performance.now();
  }

  /**
   * A step need not be on the disk when it is done: the swap is, and with it all that is before it in the
   * log. So a slow disk delays no caller. Nothing else can commit in between, since all of this is one turn
   * of the event loop.
   */
  #unflushed<T>(write: () => T): T {
    this.#db.pragma('synchronous = NORMAL');
    try {
      return write();
    } finally {
      this.#db.pragma('synchronous = FULL');
    }
  }
}
