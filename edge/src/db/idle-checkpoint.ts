import { checkpointNow } from './checkpoint-now.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SiteDb } from './site-db.ts';

/**
 * Some twelve pages each, mostly the same ones: a checkpoint writes each page once for all commits. A car that comes
 * during a checkpoint waits after all: seldom, and little longer for many commits than for few.
 */
const COMMITS = 300;
/** The log was not written for this long: no car is between its camera and its gate. */
const QUIET_MS = 30;

/**
 * Writes the write-ahead log back into the database while no car is handled. Left alone, SQLite does that within the
 * commit that makes the log too long, and the car of that commit waits for hundreds of pages and two more flushes.
 */
export class IdleCheckpoint {
  readonly #context: { db: SiteDb; commit: GroupCommit };
  #commits = 0;
  #lastRunAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #started = false;

  constructor(context: { db: SiteDb; commit: GroupCommit }) {
    this.#context = context;
    context.commit.onCommitted(() => this.#onCommitted());
  }

  start(): void {
    this.#started = true;
  }

  stop(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  #onCommitted(): void {
    if (!this.#started) return;
    const { commit } = this.#context;
    // Long work makes its own checkpoints.
    if (commit.lastRunAt() !== this.#lastRunAt) this.#commits++;
    this.#lastRunAt = commit.lastRunAt();
    if (this.#commits < COMMITS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#checkpoint(), QUIET_MS).unref();
  }

  #checkpoint(): void {
    const { db } = this.#context;
    if (!db.open || db.inTransaction) return;
    this.#commits = 0;
    checkpointNow(db);
  }
}
