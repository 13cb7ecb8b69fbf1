import { fileURLToPath } from 'node:url';
import { type SchemaPlan, type SqliteFile, sqliteFile } from '@hlid/node/backup/sqlite-file';
import { migrateDatabase } from '@hlid/node/migration/migrate-database';
import { Fault, isFault, messageOf } from '@hlid/protocol/base/fault';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import Database from 'libsql';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { SOFTWARE } from '../software.ts';
import { WORKSPACE } from '../workspace.ts';

/** The folder is beside `src` and `dist`, so that both find it. */
export const MIGRATIONS = fileURLToPath(new URL('migrations', WORKSPACE));

/**
 * The last migration of the last release, counted from 1. A program that has it can use a newer database, because migrations
 * after it only add (ADR 30).
 */
export const OLDEST_MIGRATION = 1;

/** The table in which Drizzle's own migrator keeps what it has applied; it stays in its form. */
export const APPLIED = '__drizzle_migrations';
export const CREATE_APPLIED = `CREATE TABLE IF NOT EXISTS ${APPLIED} (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)`;
export const INSERT_APPLIED = `INSERT INTO ${APPLIED} (hash, created_at) VALUES (?, ?)`;

type CloudMigration = SchemaPlan['migrations'][number] & { hash: string };

export function cloudPlan(folder = MIGRATIONS): SchemaPlan<CloudMigration> {
  const migrations = readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis, sql, hash }) => ({
    schema: folderMillis,
    statements: sql,
    hash,
  }));
  return {
    migrations,
    oldest: migrations[OLDEST_MIGRATION - 1]?.schema ?? 0,
    software: SOFTWARE,
    revertCommand: 'hlid-cloud database revert',
    schemaOf: appliedUpTo,
    record(file, { hash, schema }) {
      file.exec(CREATE_APPLIED);
      file.run(INSERT_APPLIED, hash, schema);
    },
  };
}

export function openCloudFile(path: string, mode: 'read' | 'write'): SqliteFile {
  return sqliteFile(new Database(path, mode === 'read' ? { readonly: true } : {}));
}

/**
 * Brings a database file up to date: forward only, tried on a copy first. Throws Fault: `schema-refused` where this
 * program cannot use a file that is whole, `no-room` where a copy does not fit on the disk, else `database-unusable`.
 */
export function migrate(path: string, log: Logger, plan = cloudPlan()): void {
  try {
    const file = openCloudFile(path, 'write');
    try {
      file.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      migrateDatabase(file, {
        path,
        plan,
        open: openCloudFile,
        report: (step) => log.info({ event: EVENTS.databaseMigrated, ...step }),
      });
    } finally {
      file.close();
    }
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('database-unusable', `${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** The newest migration that a database has; 0: none. */
export function appliedUpTo(file: SqliteFile): number {
  const table = file.all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", APPLIED);
  if (table.length === 0) return 0;
  return Number(file.all(`SELECT coalesce(max(created_at), 0) FROM ${APPLIED}`)[0]?.[0]);
}
