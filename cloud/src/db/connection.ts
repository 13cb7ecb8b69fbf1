import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Queries } from './db.ts';
import { withRunText } from './run-text.ts';

/** Statements kept prepared on a connection, at most; the ones used longest ago go first. */
const KEPT_STATEMENTS = 400;

/** One connection to a database file: the queries on it and what its owner does with it. */
export interface Connection {
  q: Queries;
  exec(statement: string): void;
  readonly inTransaction: boolean;
  close(): void;
}

/** Hears the text of each statement when it is prepared. */
export type OnPrepared = (text: string) => void;

/** Opens a connection to a database file, made where there is none. Settings hold for this connection only. */
export function openConnection(path: string, kind: 'writer' | 'reader', onPrepared?: OnPrepared): Connection {
  const database = new Database(path);
  for (const setting of [
    // A writer waits for its turn without blocking (libsql-db.ts); a reader only ever waits for a checkpoint.
    `busy_timeout = ${kind === 'writer' ? 0 : 5000}`,
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'temp_store = MEMORY',
    'journal_size_limit = 67108864',
    `cache_size = ${kind === 'writer' ? -65536 : -16384}`,
    ...(kind === 'reader' ? ['query_only = ON'] : []),
  ]) {
    database.pragma(setting);
  }
  const statements = keepingStatements(database, onPrepared);
  // Drizzle's driver uses nothing else of a connection.
  const client = statements as unknown as Database.Database;
  return {
    q: withRunText(drizzle({ client }), (text, values) => void statements.prepare(text).run(...values)),
    exec: (statement) => void statements.prepare(statement).run(),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

type Statement = Database.Statement<unknown[]>;

/** What Drizzle's driver uses of a connection, with statements prepared once instead of at every query. */
function keepingStatements(database: Database.Database, onPrepared?: OnPrepared) {
  const kept = new Map<string, KeptStatement>();
  return {
    prepare(text: string): KeptStatement {
      const known = kept.get(text);
      if (known === undefined) onPrepared?.(text);
      const statement = known ?? keptStatement(database, text);
      kept.delete(text);
      kept.set(text, statement);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_STATEMENTS && oldest !== undefined) kept.delete(oldest);
      return statement;
    },
    transaction(): never {
      throw new TypeError('transactions are begun by Db.write');
    },
  };
}

interface KeptStatement extends Pick<Statement, 'run' | 'get' | 'all'> {
  /** Rows as arrays. */
  raw(): Pick<Statement, 'get' | 'all'>;
}

/** A statement once raw stays so: rows as arrays need one of their own. */
function keptStatement(database: Database.Database, text: string): KeptStatement {
  let plain: Statement | undefined;
  let raw: Statement | undefined;
  const prepare = () => database.prepare<unknown[]>(plannedOnce(text));
  const statement = () => {
    plain ??= prepare();
    return plain;
  };
  return {
    run: (...values) => statement().run(...values),
    get: (...values) => statement().get(...values),
    all: (...values) => statement().all(...values),
    raw() {
      raw ??= prepare().raw();
      return raw;
    },
  };
}

/**
 * SQLite (3.50 and later) reads the value of a bare `LIMIT ?` when it plans, so it plans such a statement again at every
 * run. A list takes twice as long then.
 */
export function plannedOnce(text: string): string {
  return text.replaceAll(/\blimit \?/gi, 'limit ? + 0');
}
