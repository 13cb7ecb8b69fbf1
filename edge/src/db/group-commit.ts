import Database, { type Statement } from 'better-sqlite3';
import type { SiteDb } from './site-db.ts';

interface Job {
  run(): void;
  settle(failure: { error: unknown } | null): void;
}

/** How long work without a waiting caller may wait for other work. */
const MAX_DELAY_MS = 25;
/** While another process writes, the commit is tried again at this interval, for this long. */
const BUSY_RETRY_MS = 20;
const BUSY_TIMEOUT_MS = 5000;

/** Called after every transaction: how long it took, and why nothing of it was kept; null: it is on the disk. */
export type OnFlushed = (tookMs: number, fault: unknown) => void;

interface GroupCommitOptions {
  busyTimeoutMs?: number;
  onFlushed?: OnFlushed;
  /** Throws where the files that are written are no longer the site's: nothing counts as written then. */
  checkInPlace?: () => void;
  /** Called with every error, of a transaction or of a part of one. */
  onFailed?: (error: unknown) => void;
}

/**
 * The one way to write to the site's database. Group commit: one flush of the disk serves all that arrived during the
 * last one. With a single writer nothing waits for it; with many, throughput is that of the flush times the size of the
 * group.
 */
export class GroupCommit {
  readonly #db: SiteDb;
  readonly #options: GroupCommitOptions;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #undo: Statement;
  readonly #committed: (() => void)[] = [];
  readonly #undone: (() => void)[] = [];
  #waiting: Job[] = [];
  #flushing: NodeJS.Immediate | NodeJS.Timeout | undefined;
  #flushingSoon: NodeJS.Timeout | undefined;
  /** The start of another writer's work, by `performance.now()`; null: there is none. */
  #busySince: number | null = null;
  #lastRunAt = Number.NEGATIVE_INFINITY;

  constructor(db: SiteDb, options: GroupCommitOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
    this.#savepoint = db.prepare('SAVEPOINT job');
    this.#release = db.prepare('RELEASE job');
    this.#undo = db.prepare('ROLLBACK TO job');
  }

  /**
   * Runs the work in a transaction, together with whatever else is waiting, and resolves when that is on the disk.
   * Work that throws is undone alone; the rest goes on. The work is synchronous and may run after others of its group.
   */
  run<T>(work: () => T): Promise<T> {
    this.#lastRunAt = performance.now();
    this.#flushing ??= setImmediate(() => this.#flush());
    return this.#enqueue(work);
  }

  /**
   * The same for work without a waiting caller: it goes with the next commit, or with a separate one a moment
   * later.
   */
  runSoon<T>(work: () => T): Promise<T> {
    if (!this.#flushing) this.#flushingSoon ??= setTimeout(() => this.#flush(), MAX_DELAY_MS);
    return this.#enqueue(work);
  }

  /** The same at once and alone, for work that depends on what is on the disk now. */
  runNow<T>(work: () => T): T {
    let result: T;
    try {
      result = this.#db
        .transaction(() => {
          const value = work();
          this.#options.checkInPlace?.();
          return value;
        })
        .immediate();
    } catch (error) {
      this.#options.onFailed?.(error);
      notify(this.#undone);
      throw error;
    }
    notify(this.#committed);
    return result;
  }

  /** When `run` was last called, by `performance.now()`: gates are at work, and long work may wait a moment. */
  lastRunAt(): number {
    return this.#lastRunAt;
  }

  /** Called after each commit, once for all of it. */
  onCommitted(listener: () => void): void {
    this.#committed.push(listener);
  }

  /** Called at once when work was undone: what is kept in memory of the database may be wrong. */
  onUndone(listener: () => void): void {
    this.#undone.push(listener);
  }

  #enqueue<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { value: T } | undefined;
      this.#waiting.push({
        run: () => {
          result = { value: work() };
        },
        settle: (failure) => {
          if (failure) reject(failure.error);
          else if (result) resolve(result.value);
        },
      });
    });
  }

  #flush(): void {
    const { onFlushed, onFailed, checkInPlace } = this.#options;
    const group = this.#waiting;
    this.#waiting = [];
    clearTimeout(this.#flushingSoon);
    this.#flushing = undefined;
    this.#flushingSoon = undefined;
    const failures = new Map<Job, { error: unknown }>();
    const started = performance.now();
    try {
      this.#begin.run();
      this.#busySince = null;
      for (const job of group) this.#runJob(job, failures);
      checkInPlace?.();
      this.#commit.run();
    } catch (error) {
      if (this.#db.inTransaction) this.#rollBack();
      else if (this.#shouldRetry(error)) {
        this.#waiting = group;
        this.#flushing = setTimeout(() => this.#flush(), BUSY_RETRY_MS);
        return;
      }
      this.#busySince = null;
      onFlushed?.(performance.now() - started, error);
      onFailed?.(error);
      notify(this.#undone);
      for (const job of group) job.settle({ error });
      return;
    }
    const unwritten = [...failures.values()].find(({ error }) => isAboutStorage(error));
    onFlushed?.(performance.now() - started, unwritten?.error ?? null);
    notify(this.#committed);
    for (const job of group) job.settle(failures.get(job) ?? null);
  }

  /** A damaged database may refuse this too. The callers get the error of their work in any case. */
  #rollBack(): void {
    try {
      this.#rollback.run();
    } catch (error) {
      this.#options.onFailed?.(error);
    }
  }

  #runJob(job: Job, failures: Map<Job, { error: unknown }>): void {
    this.#savepoint.run();
    try {
      job.run();
    } catch (error) {
      this.#undo.run();
      notify(this.#undone);
      this.#options.onFailed?.(error);
      failures.set(job, { error });
    }
    this.#release.run();
  }

  /** Whether another process writes, which ends soon. The program does not block meanwhile: gates need it. */
  #shouldRetry(error: unknown): boolean {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) return false;
    this.#busySince ??= performance.now();
    return performance.now() - this.#busySince < (this.#options.busyTimeoutMs ?? BUSY_TIMEOUT_MS);
  }
}

/** Whether work failed because of the disk, and not by itself. */
function isAboutStorage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(READONLY|IOERR|FULL|CORRUPT|NOTADB|CANTOPEN)/.test(error.code)
  );
}

function notify(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) listener();
}
