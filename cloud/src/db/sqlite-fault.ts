import { messageOf } from '@hlid/protocol/fault';
import { LibsqlError } from '@libsql/client';
import { DrizzleQueryError } from 'drizzle-orm';
import Database from 'libsql';

/** SQLite's own code of an error, such as `SQLITE_BUSY`, embedded or remote; null: it is none of its errors. */
function sqliteCode(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof Database.SqliteError) return at.code;
    if (at instanceof LibsqlError) return at.extendedCode ?? at.code;
  }
  return null;
}

/**
 * The same error with its reason first, and without the values of its statement, which Drizzle puts into its words: they would
 * come into logs, and into what is kept of a failure.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  const plain = new Error(`${messageOf(error.cause)}, in: ${error.query}`, { cause: error.cause });
  plain.name = error.name;
  return plain;
}

/** Somebody else is writing: to be tried again. */
export function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/** The data is to blame, so that trying again cannot help. */
export function isFaultOfData(error: unknown): boolean {
  return /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(sqliteCode(error) ?? '');
}
