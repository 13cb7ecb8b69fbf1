import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';

/**
 * The database in queries, inside or outside a transaction. Always `await` them: embedded they are done at
 * once, on a remote database they are not.
 */
export type Queries = BaseSQLiteDatabase<'sync' | 'async', unknown>;

/** Receives names of what has changed, by a transaction of this process or of another one. */
export type Announced = (names: ReadonlySet<string>, from: 'here' | 'elsewhere') => void;

export interface ReadOptions {
  /**
   * The statement adds up many rows, so it runs on a connection that keeps few statements. Kept statements
   * take the memory that SQLite has for each connection (its lookaside slots, enough for some twenty
   * statements). After that each value of each row is allocated again, and such a statement takes 1.4 times
   * as long.
   */
  manyRows?: boolean;
}

/** The one database of the cloud, embedded or remote. */
export interface Db {
  /** Runs `work` on one committed state of the database, unchanged as long as it lasts. Several run at once. */
  read<T>(work: (q: Queries) => Promise<T>, options?: ReadOptions): Promise<T>;
  /**
   * Done whole, or not at all when `work` throws; one at a time, in the order asked. Resolved means durable. Never wait
   * for the network inside, nor for another `write`: it would wait for ever.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Calls the listener with what transactions announced, once it is durable. @returns a function that ends it */
  onAnnounced(listener: Announced): () => void;
  /** Another process on the same database has announced this. */
  announced(names: ReadonlySet<string>): void;
  /** Waits for the work in hand, takes no more. */
  close(): Promise<void>;
}

/** A transaction at work. */
export interface Tx {
  q: Queries;
  /** Runs once everything is durable, in the order asked; not at all after a rollback. */
  afterCommit(action: () => void): void;
  /** Notifies the watchers of the database of a change by name, once per transaction. */
  announce(name: string): void;
}
