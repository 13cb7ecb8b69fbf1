import Database from 'better-sqlite3';
import type { SiteDb } from './site-db.ts';

interface Job {
  run(): void;
  settle(failure: { error: unknown } | null): void;
}

/** The one way to write to the site's database. */
export interface GroupCommit {
  /**
   * Runs the work in a transaction, together with whatever else is waiting, and resolves when that is on the disk.
   * Work that throws is undone alone; the rest goes on. The work is synchronous and may run after others of its group.
   */
  run<T>(work: () => T): Promise<T>;
  /** The same for what nobody waits for: with the next commit, or with one of its own a moment later. */
  runSoon<T>(work: () => T): Promise<T>;
  /** The same at once and alone, for work that must follow on what is on the disk now. */
  runNow<T>(work: () => T): T;
  /** When `run` was last asked for, by `performance.now()`: gates are at work, and long work may wait a moment. */
  lastAskedAt(): number;
  /** Called after each commit, once for all of it. */
  onCommitted(listener: () => void): void;
  /** Called at once when work was undone: what is kept in memory of the database may be wrong. */
  onUndone(listener: () => void): void;
}

/** How long work that nobody waits for may wait for company. */
const SOON_MS = 25;
/** While another process writes, it is looked again so often, for so long. */
const BUSY_PAUSE_MS = 20;
const BUSY_FOR_MS = 5000;

/** Told of every transaction: how long it took, and why nothing of it was kept; null: it is on the disk. */
export type OnFlushed = (tookMs: number, fault: unknown) => void;

/**
 * Group commit: one flush of the disk serves all that arrived while the last one was being written. With a single
 * writer nothing waits for it; with many, throughput is that of the flush times the size of the group.
 */
export function createGroupCommit(
  db: SiteDb,
  {
    busyForMs = BUSY_FOR_MS,
    onFlushed,
    checkInPlace = () => undefined,
    onFailed = () => undefined,
  }: {
    busyForMs?: number;
    onFlushed?: OnFlushed;
    /** Throws where the files that are written are not the site's any more: nothing counts as written then. */
    checkInPlace?: () => void;
    /** Told of every error, of a transaction or of a part of one. */
    onFailed?: (error: unknown) => void;
  } = {},
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT job');
  const release = db.prepare('RELEASE job');
  const undo = db.prepare('ROLLBACK TO job');
  const committed: (() => void)[] = [];
  const undone: (() => void)[] = [];
  let waiting: Job[] = [];
  let flushing: NodeJS.Immediate | NodeJS.Timeout | undefined;
  /** By `performance.now()`; null: nobody else writes. */
  let busySince: number | null = null;
  let flushingSoon: NodeJS.Timeout | undefined;
  let lastAskedAt = Number.NEGATIVE_INFINITY;

  function flush(): void {
    const group = waiting;
    waiting = [];
    clearTimeout(flushingSoon);
    flushing = undefined;
    flushingSoon = undefined;
    const failures = new Map<Job, { error: unknown }>();
    const started = performance.now();
    try {
      begin.run();
      busySince = null;
      for (const job of group) {
        savepoint.run();
        try {
          job.run();
        } catch (error) {
          undo.run();
          tell(undone);
          onFailed(error);
          failures.set(job, { error });
        }
        release.run();
      }
      checkInPlace();
      commit.run();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      else if (comesAgain(error)) {
        waiting = group;
        flushing = setTimeout(flush, BUSY_PAUSE_MS);
        return;
      }
      busySince = null;
      onFlushed?.(performance.now() - started, error);
      onFailed(error);
      tell(undone);
      for (const job of group) job.settle({ error });
      return;
    }
    const unwritten = [...failures.values()].find(({ error }) => isAboutStorage(error));
    onFlushed?.(performance.now() - started, unwritten?.error ?? null);
    tell(committed);
    for (const job of group) job.settle(failures.get(job) ?? null);
  }

  /**
   * Whether somebody else writes, who will have done soon; nobody stands still for that, since gates must be seen to.
   */
  function comesAgain(error: unknown): boolean {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) return false;
    busySince ??= performance.now();
    return performance.now() - busySince < busyForMs;
  }

  function enqueue<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: { value: T } | undefined;
      waiting.push({
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

  return {
    runNow<T>(work: () => T): T {
      let result: T;
      try {
        result = db
          .transaction(() => {
            const value = work();
            checkInPlace();
            return value;
          })
          .immediate();
      } catch (error) {
        onFailed(error);
        tell(undone);
        throw error;
      }
      tell(committed);
      return result;
    },
    run<T>(work: () => T): Promise<T> {
      lastAskedAt = performance.now();
      flushing ??= setImmediate(flush);
      return enqueue(work);
    },
    runSoon<T>(work: () => T): Promise<T> {
      if (!flushing) flushingSoon ??= setTimeout(flush, SOON_MS);
      return enqueue(work);
    },
    lastAskedAt: () => lastAskedAt,
    onCommitted: (listener) => void committed.push(listener),
    onUndone: (listener) => void undone.push(listener),
  };
}

/** Whether work failed for the sake of the disk, and not by itself. */
function isAboutStorage(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(READONLY|IOERR|FULL|CORRUPT|NOTADB|CANTOPEN)/.test(error.code)
  );
}

function tell(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) listener();
}
