import type BetterSqlite3 from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import Database from 'libsql';
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

/** Receives the text of each statement when it is prepared. */
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
  // libsql has the same calls as better-sqlite3, for which Drizzle's driver is written; only the types differ.
  const statements = keepingStatements(database, onPrepared);
  const client = statements as unknown as BetterSqlite3.Database;
  return {
    q: withRunText(drizzle({ client }), (text, values) => void statements.prepare(text).run(...values)),
    exec: (statement) => void statements.prepare(statement).run(),
    get inTransaction() {
      return database.inTransaction;
    },
    close: () => void database.close(),
  };
}

type Statement = Database.Statement;

/** A connection for Drizzle's driver, with statements prepared once instead of at every query. */
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

interface KeptStatement {
  run: Statement['run'];
  get: Statement['get'];
  all: Statement['all'];
  /** Gives rows as arrays, from a separate statement: on libsql a statement once raw stays so. */
  raw(): Pick<Statement, 'get' | 'all'>;
}

type Call = 'run' | 'get' | 'all';

/**
 * A separate statement for each kind of call. If `get` or `run` follow `all` on one statement, libsql (0.5)
 * runs it with the values of the earlier call and answers with another row.
 */
function keptStatement(database: Database.Database, text: string): KeptStatement {
  const plain = perCall(() => database.prepare(text));
  const raw = perCall(() => database.prepare(text).raw());
  return {
    // The values are one array: libsql would take a single null or Buffer for named values.
    run: (...values) => plain('run').run(values),
    get: (...values) => plain('get').get(values),
    all: (...values) => plain('all').all(values),
    raw: () => ({
      get: (...values) => raw('get').get(values),
      all: (...values) => raw('all').all(values),
    }),
  };
}

function perCall(prepare: () => Statement): (call: Call) => Statement {
  const made = new Map<Call, Statement>();
  return (call) => {
    const known = made.get(call);
    if (known !== undefined) return known;
    const statement = prepare();
    made.set(call, statement);
    return statement;
  };
}
