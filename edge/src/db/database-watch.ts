import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import Database from 'better-sqlite3';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import { checkWritable, isDamage } from './open-site.ts';
import { type SiteDb, siteDbPath } from './site-db.ts';

export interface DatabaseWatchTiming {
  firstCheckMs: number;
  checkEveryMs: number;
  inPlaceEveryMs: number;
}

/**
 * A check reads the whole file, in its own thread: it finds damage in a page before the page is needed, and no driver
 * waits for that.
 */
const TIMING: DatabaseWatchTiming = {
  firstCheckMs: MINUTE_MS,
  checkEveryMs: 6 * HOUR_MS,
  inPlaceEveryMs: 5000,
};

const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = new URL(
  FROM_SOURCE ? 'quick-check-worker-from-source.mjs' : 'quick-check-worker.js',
  import.meta.url,
);
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

interface DatabaseWatchOptions {
  dataDir: string;
  /** The site runs from memory, since its database cannot be written: `passes` where it may be writable again. */
  unwritable: 'passes' | 'lasts' | null;
  /** Called once, when the database must be replaced. */
  onBroken: (reason: string) => void;
  /** Called when the data folder can be written that could not be. */
  onWritable: () => void;
  timing?: Partial<DatabaseWatchTiming>;
}

/**
 * The answer of the thread of a check. Errors of SQLite lose their class and their message on the way between
 * threads.
 */
export type QuickCheckAnswer =
  | { kind: 'whole' }
  | { kind: 'damaged'; finding: string }
  | { kind: 'unchecked'; reason: string };

/** Checks whether the files of the site's database are there and whole, while the daemon runs. */
export class DatabaseWatch {
  readonly #db: SiteDb;
  readonly #log: Logger;
  readonly #options: DatabaseWatchOptions;
  readonly #timing: DatabaseWatchTiming;
  readonly #files: readonly { path: string; ino: number; dev: number }[];
  readonly #timers = new Set<NodeJS.Timeout>();
  #worker: Worker | null = null;
  #broken = false;

  constructor({ db, log }: { db: SiteDb; log: Logger }, options: DatabaseWatchOptions) {
    this.#db = db;
    this.#log = log;
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#files = options.unwritable
      ? []
      : [db.name, `${db.name}-wal`].map((path) => ({ path, ...identityOf(path) }));
  }

  start(): void {
    const { firstCheckMs, checkEveryMs, inPlaceEveryMs } = this.#timing;
    const { unwritable, dataDir, onWritable } = this.#options;
    if (unwritable === 'lasts') return;
    if (unwritable === 'passes') {
      this.#every(inPlaceEveryMs, () => {
        if (canBeWritten(dataDir)) onWritable();
      });
      return;
    }
    this.#every(inPlaceEveryMs, () => {
      try {
        this.checkInPlace();
      } catch (error) {
        this.failed(error);
      }
    });
    this.#timers.add(setTimeout(() => void this.check(), firstCheckMs).unref());
    this.#every(checkEveryMs, () => void this.check());
  }

  /** Does not wait for a check: SQLite reads the file to its end, which may take minutes. Its thread ends by itself. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** Throws Fault 'database-gone' where the files that are written are no longer those in the data folder. */
  checkInPlace(): void {
    for (const { path, ino, dev } of this.#files) {
      if (ino === 0) continue;
      const now = identityOf(path);
      if (now.ino !== ino || now.dev !== dev) {
        throw new Fault('database-gone', `${path} was deleted or replaced while the program was running`);
      }
    }
  }

  /** Takes note of an error of the database. */
  failed(error: unknown): void {
    if (isDamage(error) || (error instanceof Fault && error.code === 'database-gone')) {
      this.#reportBroken(messageOf(error));
    }
  }

  /** Reads the whole file, in its own thread; resolves when that is done. */
  async check(): Promise<void> {
    if (this.#worker || this.#broken) return;
    const started = new Worker(ENTRY, {
      workerData: this.#db.name,
      execArgv: FROM_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: LIMITS,
    });
    this.#worker = started;
    started.unref();
    const unchecked = (reason: string) => this.#log.warn({ event: LOG_EVENTS.databaseUnchecked, reason });
    started.on('message', (answer: QuickCheckAnswer) => {
      if (answer.kind === 'damaged') this.#reportBroken(`quick_check: ${answer.finding}`);
      // A file that cannot even be opened fails at the next commit, which handles it.
      if (answer.kind === 'unchecked') unchecked(answer.reason);
    });
    started.on('error', (error) => unchecked(messageOf(error)));
    await new Promise<void>((resolve) => started.once('exit', () => resolve()));
    this.#worker = null;
  }

  #reportBroken(reason: string): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#log.error({ event: LOG_EVENTS.databaseBroken, path: this.#db.name, reason });
    this.#options.onBroken(reason);
  }

  #every(ms: number, work: () => void): void {
    this.#timers.add(setInterval(work, ms).unref());
  }
}

/** Whether a site's database can be created or opened there now. */
function canBeWritten(dataDir: string): boolean {
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(probe, 'x', { flush: true });
    rmSync(probe);
    const path = siteDbPath(dataDir);
    if (!existsSync(path)) return true;
    const db = new Database(path, { timeout: 0 });
    try {
      checkWritable(db);
    } finally {
      db.close();
    }
    return true;
  } catch (error) {
    // A damaged database is replaced when it is opened.
    return isDamage(error);
  }
}

function identityOf(path: string): { ino: number; dev: number } {
  const found = statSync(path, { throwIfNoEntry: false });
  return { ino: found?.ino ?? 0, dev: found?.dev ?? 0 };
}
