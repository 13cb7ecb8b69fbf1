import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Fault, messageOf } from '@hlid/protocol/fault';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
import Database from 'better-sqlite3';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../events.ts';
import { checkWritable, isDamage } from './open-site.ts';
import { type SiteDb, siteDbPath } from './site-db.ts';

/** Whether the files of the site's database are there and whole, while the daemon runs. */
export interface DatabaseWatch {
  /** Throws Fault 'database-gone' where the files that are written are not those in the data folder any more. */
  checkInPlace(): void;
  /** Told of every error of the database. */
  failed(error: unknown): void;
  /** Reads the whole file, in a thread of its own; resolves when that is done. */
  check(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface DatabaseWatchTiming {
  firstCheckMs: number;
  checkEveryMs: number;
  inPlaceEveryMs: number;
}

/**
 * A check reads the whole file, in a thread of its own: a page that nobody asks for is found before it is needed, and
 * no driver waits for that.
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

/**
 * @param onBroken called once, when the database must be replaced
 * @param onWritable called once, when the data folder can be written that could not be
 */
export function createDatabaseWatch(parts: {
  db: SiteDb;
  dataDir: string;
  /** The site runs from memory, since its folder cannot be written. */
  unwritable: boolean;
  onBroken: (why: string) => void;
  onWritable: () => void;
  timing?: Partial<DatabaseWatchTiming>;
  log: Logger;
}): DatabaseWatch {
  const { db, log } = parts;
  const timing = { ...TIMING, ...parts.timing };
  const files = parts.unwritable
    ? []
    : [db.name, `${db.name}-wal`].map((path) => ({ path, ...identityOf(path) }));
  const timers = new Set<NodeJS.Timeout>();
  let worker: Worker | null = null;
  let broken = false;

  function breakDown(why: string): void {
    if (broken) return;
    broken = true;
    log.error({ event: LOG_EVENTS.databaseBroken, path: db.name, reason: why });
    parts.onBroken(why);
  }

  function checkInPlace(): void {
    for (const { path, ino, dev } of files) {
      if (ino === 0) continue;
      const now = identityOf(path);
      if (now.ino !== ino || now.dev !== dev) {
        throw new Fault('database-gone', `${path} was deleted or replaced while the program was running`);
      }
    }
  }

  function failed(error: unknown): void {
    if (isDamage(error) || (error instanceof Fault && error.code === 'database-gone')) {
      breakDown(messageOf(error));
    }
  }

  async function check(): Promise<void> {
    if (worker || broken) return;
    const started = new Worker(ENTRY, {
      workerData: db.name,
      execArgv: FROM_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: LIMITS,
    });
    worker = started;
    started.unref();
    started.on('message', (found: unknown) => {
      if (found !== 'ok') breakDown(`quick_check: ${found}`);
    });
    // A file that cannot even be opened shows at the next commit, where it is dealt with.
    started.on('error', (error: unknown) => {
      if (asksForReplacement(error)) breakDown(messageOf(error));
      else log.warn({ event: LOG_EVENTS.databaseUnchecked, reason: messageOf(error) });
    });
    await new Promise<void>((resolve) => started.once('exit', () => resolve()));
    worker = null;
  }

  /** Errors of another thread are copies: their class is lost, their code is not. */
  function asksForReplacement(error: unknown): boolean {
    if (isDamage(error)) return true;
    return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code));
  }

  function every(ms: number, work: () => void): void {
    timers.add(setInterval(work, ms).unref());
  }

  return {
    checkInPlace,
    failed,
    check,
    start() {
      if (parts.unwritable) {
        every(timing.inPlaceEveryMs, () => {
          if (canBeWritten(parts.dataDir)) parts.onWritable();
        });
        return;
      }
      every(timing.inPlaceEveryMs, () => {
        try {
          checkInPlace();
        } catch (error) {
          failed(error);
        }
      });
      timers.add(setTimeout(() => void check(), timing.firstCheckMs).unref());
      every(timing.checkEveryMs, () => void check());
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      await worker?.terminate();
    },
  };
}

/** Whether a site's database could be begun or opened there now. */
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
    // What is damaged is replaced when it is opened.
    return isDamage(error);
  }
}

function identityOf(path: string): { ino: number; dev: number } {
  const found = statSync(path, { throwIfNoEntry: false });
  return { ino: found?.ino ?? 0, dev: found?.dev ?? 0 };
}
