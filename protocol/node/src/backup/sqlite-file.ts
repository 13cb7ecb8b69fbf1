import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@hlid/protocol/base/fault';

/** An open database file, by whichever library the program uses. */
export interface SqliteFile {
  run(statement: string, ...values: (string | number)[]): void;
  /** Runs several statements at once, without values. */
  exec(statements: string): void;
  /** @returns rows as arrays */
  all(statement: string, ...values: string[]): unknown[][];
  close(): void;
}

/** The part of better-sqlite3 and libsql that is used here. */
interface Library {
  prepare(statement: string): {
    run(values: unknown[]): unknown;
    raw(): { all(values: unknown[]): unknown };
  };
  exec(statements: string): unknown;
  close(): void;
}

export function sqliteFile(library: Library): SqliteFile {
  return {
    run: (statement, ...values) => void library.prepare(statement).run(values),
    exec: (statements) => void library.exec(statements),
    all: (statement, ...values) => library.prepare(statement).raw().all(values) as unknown[][],
    close: () => library.close(),
  };
}

export interface Migration {
  /** The schema that it makes: a number that grows. */
  schema: number;
  statements: readonly string[];
}

/** The part of a database's schema that its program defines. */
export interface SchemaPlan<M extends Migration = Migration> {
  /** The newest is last. */
  migrations: readonly M[];
  /** Programs that know this schema can use the newest one too: what came after it only adds. */
  oldest: number;
  software: string;
  /** The command line that goes back to the copy from before. */
  revertCommand: string;
  /** 0: the database is empty. */
  schemaOf(file: SqliteFile): number;
  /** Records in the database that a migration is applied. */
  record(file: SqliteFile, migration: M): void;
}

/** The kind of database that a program has in its data folder. */
export interface DatabaseKind<M extends Migration = Migration> {
  /** Its name in the data folder. */
  fileName: string;
  open(path: string, mode: 'read' | 'write'): SqliteFile;
  plan(): SchemaPlan<M>;
}

/** The lock's file, beside the database while it is open for long. */
const LOCK = 'in-use.lock';

/**
 * Holds a data folder: `shared` for a program that runs on it, `alone` for a restore. The lock is the operating
 * system's, so that it ends with its process. @returns what gives it back, once. Throws Fault 'database-unusable' where
 * another holds it
 */
export function lockFolder(dataDir: string, how: 'shared' | 'alone', { open }: Pick<DatabaseKind, 'open'>) {
  return lockFile(join(dataDir, LOCK), how, open);
}

/** @param path of the lock: an empty database: SQLite manages its locks */
export function lockFile(path: string, how: 'shared' | 'alone', open: DatabaseKind['open']): () => void {
  const file = open(path, 'write');
  try {
    file.run('PRAGMA busy_timeout = 0');
    file.run(how === 'alone' ? 'BEGIN EXCLUSIVE' : 'BEGIN');
    file.all('SELECT count(*) FROM sqlite_master');
  } catch (error) {
    file.close();
    if (!isBusy(error)) throw error;
    throw new Fault('database-unusable', `another program is at work: it holds ${path}`, { cause: error });
  }
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    // The rollback makes libsql give the lock back at once, not some time after the connection is closed.
    file.run('ROLLBACK');
    file.close();
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** The rows of each table. */
export function rowsOf(file: SqliteFile): Record<string, number> {
  const tables = file
    .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .map(([name]) => String(name));
  return Object.fromEntries(
    tables.map((name) => [
      name,
      Number(file.all(`SELECT count(*) FROM "${name.replaceAll('"', '""')}"`)[0]?.[0]),
    ]),
  );
}

/**
 * The damage of a database; none where it is whole. `quick_check` reads each page once, from the end of each
 * table to its start, which is slow on a disk. `integrity_check` would also look up each row in each index,
 * which takes hours for a file larger than memory.
 */
export function findDamage(file: SqliteFile): string[] {
  const found = file.all('PRAGMA quick_check(5)').map(([finding]) => String(finding));
  return found.length === 1 && found[0] === 'ok' ? [] : found;
}

export function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}
