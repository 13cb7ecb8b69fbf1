import { messageOf } from '@hlid/protocol/base/fault';
import { LibsqlError } from '@libsql/client';
import Database from 'libsql';
import { DrizzleQueryError } from './sql.ts';

interface SqliteError {
  /** SQLite's own, such as `SQLITE_BUSY`. */
  code: string;
  message: string;
}

/** The reason in an error of SQLite, embedded or remote; null: it is none of its errors. */
function sqliteErrorOf(error: unknown): SqliteError | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof Database.SqliteError) return at;
    if (at instanceof LibsqlError) return { code: at.extendedCode ?? at.code, message: at.message };
  }
  return null;
}

function sqliteCode(error: unknown): string | null {
  return sqliteErrorOf(error)?.code ?? null;
}

/**
 * The same error with its reason first, and without the values of its statement. Drizzle puts those into its
 * message, and they would come into logs and into stored failures.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const plain = new Error(`${messageOf(error.cause)}, in: ${error.query}`, { cause: error.cause });
  plain.name = error.name;
  return plain;
}

/** Another connection is writing: try again. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/**
 * The message of SQLite, if the storage is at fault (no room, no right to write, a damaged file or disk);
 * else null.
 */
export function faultOfStorage(error: unknown): string | null {
  const fault = sqliteErrorOf(error);
  const isOfStorage = /^SQLITE_(FULL|IOERR|READONLY|PERM|CANTOPEN|CORRUPT|NOTADB)/.test(fault?.code ?? '');
  return fault !== null && isOfStorage ? fault.message : null;
}

/** The data is to blame, so that trying again cannot help. */
export function isFaultOfData(error: unknown): boolean {
  return /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(sqliteCode(error) ?? '');
}
