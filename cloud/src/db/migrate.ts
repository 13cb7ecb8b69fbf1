import { renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Fault, isFault, messageOf } from '@hlid/protocol/fault';
import Database from 'better-sqlite3';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';

/** Beside `src` and `dist`, so that both find it. */
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Where Drizzle's own migrator keeps what it has applied; kept in its form. */
export const APPLIED = '__drizzle_migrations';

/**
 * Brings a database file up to date: forward only, all in one transaction, after copying the file as it was.
 * Throws Fault `database-unusable` where the file is newer than this program or a migration fails.
 */
export function migrate(path: string, log: Logger, folder = MIGRATIONS): void {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  try {
    bringUpToDate(path, log, migrations);
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('database-unusable', `${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

function bringUpToDate(path: string, log: Logger, migrations: MigrationMeta[]): void {
  const database = new Database(path);
  try {
    database.pragma('busy_timeout = 5000');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    // Migrations that make a table anew cannot do so under its references; they are checked at the end instead.
    database.pragma('foreign_keys = OFF');
    const at = appliedUpTo(database);
    const newest = migrations.at(-1)?.folderMillis ?? 0;
    if (at > newest) {
      throw newerThanProgram(path);
    }
    const due = migrations.filter((migration) => migration.folderMillis > at);
    if (due.length === 0) return;
    if (at > 0) log.info({ event: EVENTS.databaseCopied, copy: copyBefore(database, path, at) });
    database.exec('BEGIN IMMEDIATE');
    try {
      // Another process that started at the same time may have done it meanwhile.
      if (appliedUpTo(database) === at) apply(database, due);
      database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
    log.info({ event: EVENTS.databaseMigrated, applied: due.length });
  } finally {
    database.close();
  }
}

export function newerThanProgram(what: string): Fault {
  return new Fault('database-unusable', `${what} was made by a newer version of this program`);
}

function apply(database: Database.Database, due: readonly MigrationMeta[]): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${APPLIED} (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)`,
  );
  const note = database.prepare(`INSERT INTO ${APPLIED} (hash, created_at) VALUES (?, ?)`);
  for (const migration of due) {
    for (const statement of migration.sql) database.exec(statement);
    note.run(migration.hash, migration.folderMillis);
  }
  if (database.prepare('PRAGMA foreign_key_check').all().length > 0) {
    throw new Error('after the migration, rows refer to rows that do not exist');
  }
}

/** The newest migration that this program knows: the mark of the schema. */
export function newestMigration(folder = MIGRATIONS): number {
  return readMigrationFiles({ migrationsFolder: folder }).at(-1)?.folderMillis ?? 0;
}

/** The newest migration that a database file has; 0: none. */
export function appliedUpTo(database: Pick<Database.Database, 'prepare'>): number {
  const table = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
    .get(APPLIED);
  if (table === undefined) return 0;
  const [row] = database.prepare(`SELECT coalesce(max(created_at), 0) FROM ${APPLIED}`).raw().all();
  return Array.isArray(row) ? Number(row[0]) : 0;
}

/** The copy is whole or not there: made under another name first. */
function copyBefore(database: Database.Database, path: string, at: number): string {
  const copy = `${path}.at-${at}`;
  const partial = `${copy}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  database.prepare('VACUUM INTO ?').run(partial);
  renameSync(partial, copy);
  return copy;
}
