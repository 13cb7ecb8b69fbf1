import type BetterSqlite3 from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import Database from 'libsql';
import type { Queries } from './db.ts';

/** Statements kept prepared on a connection, at most; the ones used longest ago go first. */
const KEPT_STATEMENTS = 400;

/** One connection to a database file: the queries on it and what its owner does with it. */
export interface Connection {
  q: Queries;
  exec(statement: string): void;
  readonly inTransaction: boolean;
  close(): void;
}

/** Opens a connection to a database file, made where there is none. Settings hold for this connection only. */
export function openConnection(path: string, kind: 'writer' | 'reader'): Connection {
  const database = new Database(path);
  for (const setting of [
    'busy_timeout = 5000',
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
  // libsql has the same calls as better-sqlite3, for which Drizzle's driver is written; only the types differ.
  const client = keepingStatements(database) as unknown as BetterSqlite3.Database;
  return {
    q: drizzle({ client }),
    exec: (statement) => void database.exec(statement),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

type Statement = Database.Statement;

/** What Drizzle's driver asks of a connection, with statements prepared once instead of at every query. */
function keepingStatements(database: Database.Database) {
  const kept = new Map<string, KeptStatement>();
  return {
    prepare(text: string): KeptStatement {
      const statement = kept.get(text) ?? keptStatement(database, text);
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

interface KeptStatement {
  run: Statement['run'];
  get: Statement['get'];
  all: Statement['all'];
  /** Rows as arrays. A statement of its own: on libsql a statement once raw stays so. */
  raw(): Pick<Statement, 'get' | 'all'>;
}

function keptStatement(database: Database.Database, text: string): KeptStatement {
  const plain = database.prepare(text);
  let raw: Statement | null = null;
  return {
    // As one array: libsql would take a single null or Buffer for named values.
    run: (...values) => plain.run(values),
    get: (...values) => plain.get(values),
    all: (...values) => plain.all(values),
    raw() {
      raw ??= database.prepare(text).raw();
      const statement = raw;
      return { get: (...values) => statement.get(values), all: (...values) => statement.all(values) };
    },
  };
}
