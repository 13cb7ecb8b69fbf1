import { messageOf } from '@hlid/protocol/fault';
import { type Logger, pino } from 'pino';
import { EVENTS } from '../events.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Db, Queries, Tx } from './db.ts';
import { migrate } from './migrate.ts';

/** Reads at once, at most; more wait their turn. */
const READERS = 8;

/**
 * Opens the embedded database: one connection writes, one transaction at a time; others read, each read on one
 * committed state. Migrates first.
 */
export async function openDb(path: string, options: { log?: Logger } = {}): Promise<Db> {
  const log = options.log ?? pino({ level: 'silent' });
  migrate(path, log);
  return new LibsqlDb(path, log);
}

type Announced = (names: ReadonlySet<string>) => void;

class LibsqlDb implements Db {
  readonly #path: string;
  readonly #log: Logger;
  readonly #writer: Connection;
  readonly #idleReaders: Connection[] = [];
  readonly #waitingReads: ((reader: Connection) => void)[] = [];
  readonly #listeners = new Set<Announced>();
  #readers = 0;
  #readsInHand = new Set<Promise<unknown>>();
  #lastWrite: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.#writer = openConnection(path, 'writer');
  }

  read<T>(work: (q: Queries) => Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    const reading = this.#readOn(work);
    this.#readsInHand.add(reading);
    const done = () => this.#readsInHand.delete(reading);
    reading.then(done, done);
    return reading;
  }

  async #readOn<T>(work: (q: Queries) => Promise<T>): Promise<T> {
    const reader = await this.#takeReader();
    try {
      reader.exec('BEGIN');
      try {
        return await work(reader.q);
      } finally {
        reader.exec('COMMIT');
      }
    } finally {
      this.#giveBack(reader);
    }
  }

  #takeReader(): Connection | Promise<Connection> {
    // The one used last: its statements are prepared and its pages are in memory.
    const idle = this.#idleReaders.pop();
    if (idle) return idle;
    if (this.#readers < READERS) {
      this.#readers++;
      return openConnection(this.#path, 'reader');
    }
    return new Promise((resolve) => this.#waitingReads.push(resolve));
  }

  #giveBack(reader: Connection): void {
    const next = this.#waitingReads.shift();
    if (next) next(reader);
    else this.#idleReaders.push(reader);
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#refuseIfClosed();
    const writing = this.#lastWrite.then(() => this.#transact(work));
    this.#lastWrite = writing.catch(() => undefined);
    return writing;
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const actions: (() => void)[] = [];
    const announced = new Set<string>();
    const tx: Tx = {
      q: this.#writer.q,
      afterCommit: (action) => void actions.push(action),
      announce: (name) => void announced.add(name),
    };
    this.#writer.exec('BEGIN IMMEDIATE');
    let result: T;
    try {
      result = await work(tx);
      this.#writer.exec('COMMIT');
    } catch (error) {
      // Some errors (a full disk) have ended the transaction already.
      if (this.#writer.inTransaction) this.#writer.exec('ROLLBACK');
      throw error;
    }
    if (announced.size > 0) {
      for (const listener of this.#listeners) actions.push(() => listener(announced));
    }
    for (const action of actions) this.#runAction(action);
    return result;
  }

  /** What was committed stays so, whatever comes of telling others. */
  #runAction(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#log.error(
        { event: EVENTS.afterCommitFailed, err: error, message: messageOf(error) },
        'after commit',
      );
    }
  }

  onAnnounced(listener: Announced): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled([this.#lastWrite, ...this.#readsInHand]);
    for (const reader of this.#idleReaders) reader.close();
    // Everything into the one file: who copies it then has it all.
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new Error('the database is closed');
  }
}
