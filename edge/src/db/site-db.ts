import { join } from 'node:path';
import { sqliteFile } from '@hlid/node/backup/sqlite-file';
import { migrateDatabase } from '@hlid/node/migration/migrate-database';
import { Fault, isFault, messageOf } from '@hlid/protocol/base/fault';
import Database from 'better-sqlite3';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import { MIGRATIONS } from './migrations.ts';
import { addFunctions, SITE_DATABASE, sitePlan } from './site-schema.ts';

/** The site's database: better-sqlite3, one connection, which is the only one to write. */
export interface SiteDb extends Database.Database {}

/**
 * The length of the write-ahead log at which a commit brings it into the database, and its car waits for that. Reached
 * only where cars come without a pause (see idle-checkpoint.ts); in hundreds of cars, one is to wait.
 */
const CHECKPOINT_BYTES = 32 * 1024 * 1024;
/**
 * The page size of a new database. A commit writes every page that it changes once more as a whole, mostly for a row of
 * some hundred bytes: with 1024 bytes, a car makes the disk write half of what it does with 4096 (ADR 27). Tables without
 * rowids hold only short rows: one of more than 231 bytes would take a second page for itself.
 */
export const PAGE_BYTES = 1024;
/** Kept for the next round: overwritten, it is flushed faster than a file that grows. */
const WAL_KEPT_BYTES = 40 * 1024 * 1024;

/** The path of the site's database. */
export function siteDbPath(dataDir: string): string {
  return join(dataDir, 'site.sqlite');
}

/**
 * Opens the site's database and brings it up to date. Every commit is on the disk when it returns
 * (`synchronous=FULL`): a gate opens, and a camera gets its answer, only after that.
 *
 * Throws Fault: 'schema-refused' or 'no-room' where the database is whole and this version cannot use it, else
 * 'database-unusable'.
 */
export function openSiteDb(
  path: string,
  { migrations = MIGRATIONS, log }: { migrations?: readonly string[]; log?: Logger } = {},
): SiteDb {
  let db: SiteDb | undefined;
  try {
    db = new Database(path);
    addFunctions(db);
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('busy_timeout = 5000');
    db.pragma('cache_size = -8192');
    // Grown behind a long reader or a large change, the write-ahead log would keep the disk it once took.
    db.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
    const pageBytes = Number(db.pragma('page_size', { simple: true }));
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_BYTES / pageBytes}`);
    migrateDatabase(sqliteFile(db), {
      path,
      open: SITE_DATABASE.open,
      plan: sitePlan(migrations),
      report: (step) => log?.info({ event: LOG_EVENTS.databaseMigrated, ...step }),
    });
    db.pragma('foreign_keys = ON');
    // Savepoints keep their pages in memory: in a file, each would be written once more while a driver waits.
    db.pragma('temp_store = MEMORY');
    return db;
  } catch (error) {
    db?.close();
    if (isFault(error, 'schema-refused') || isFault(error, 'no-room')) throw error;
    throw new Fault('database-unusable', `The site's database ${path} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
