import { pause } from '@hlid/node/pause';
import { backoffMs } from '@hlid/protocol/base/backoff';
import { type Logger, pino } from 'pino';
import { Announcements } from './announcements.ts';
import { type Connection, type OnPrepared, openConnection } from './connection.ts';
import type { Announced, Db, Queries, ReadOptions, Tx } from './db.ts';
import { migrate } from './migrate.ts';
import { ReaderPool } from './reader-pool.ts';
import { ReadsInHand } from './reads-in-hand.ts';
import { isBusy } from './sqlite-fault.ts';

/** Reads at once, at most; more wait their turn. */
const READERS = 8;
/** The most readers at once that go through many rows. */
const MANY_ROW_READERS = 2;
/** A writer waits this long for others that write the same file. */
const TURN_MS = 10_000;
const PAUSE = { firstMs: 1, maxMs: 20 };
/**
 * Writes that wait during a commit are committed together next; later writes do not delay them further.
 */
const GROUP_MS = 10;

interface OpenOptions {
  log?: Logger;
  onPrepared?: OnPrepared;
}

const SILENT = pino({ level: 'silent' });

/**
 * Opens the embedded database: one connection writes, one after the other; others read, each read on one committed
 * state. Writes that wait at the same time share a commit: waiting for the disk is most of what they take. Migrates
 * first.
 */
export async function openDb(path: string, options: OpenOptions = {}): Promise<Db> {
  migrate(path, options.log ?? SILENT);
  return openMigratedDb(path, options);
}

/** Opens a database that is known to have the schema of this version. */
export function openMigratedDb(path: string, { log = SILENT, onPrepared }: OpenOptions = {}): Db {
  return new LibsqlDb(path, log, onPrepared);
}

/** A write that waits for its turn. */
interface WaitingWrite {
  /** Does its work. @returns what to call once it is durable */
  run(q: Queries): Promise<() => void>;
  fail(error: unknown): void;
}

class LibsqlDb implements Db {
  readonly #writer: Connection;
  readonly #readers: ReaderPool;
  readonly #manyRowReaders: ReaderPool;
  readonly #announcements: Announcements;
  readonly #reads = new ReadsInHand();
  #waitingWrites: WaitingWrite[] = [];
  #writing: Promise<void> | null = null;

  constructor(path: string, log: Logger, onPrepared: OnPrepared | undefined) {
    const open = () => openConnection(path, 'reader', onPrepared);
    this.#readers = new ReaderPool(READERS, open);
    this.#manyRowReaders = new ReaderPool(MANY_ROW_READERS, open);
    this.#announcements = new Announcements(log);
    this.#writer = openConnection(path, 'writer', onPrepared);
  }

  read<T>(work: (q: Queries) => Promise<T>, { manyRows = false }: ReadOptions = {}): Promise<T> {
    const readers = manyRows ? this.#manyRowReaders : this.#readers;
    return this.#reads.track(() => readOn(readers, work));
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#reads.refuseIfClosed();
    return new Promise((resolve, fail) => {
      const run = async (q: Queries) => {
        const { tx, committed } = this.#announcements.transaction(q);
        const result = await work(tx);
        return () => {
          committed();
          resolve(result);
        };
      };
      this.#waitingWrites.push({ run, fail });
      this.#writing ??= this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    for (;;) {
      // Waits for everything that has arrived by now. Waiting writes then go along, and no reader waits for
      // more than one group.
      await new Promise((resolve) => setImmediate(resolve));
      const first = this.#waitingWrites.shift();
      if (first === undefined) break;
      await this.#writeGroup(first);
    }
    this.#writing = null;
  }

  /** One transaction of those who wait; each of them is undone on its own where it fails. */
  async #writeGroup(first: WaitingWrite): Promise<void> {
    const group: { write: WaitingWrite; durable: () => void }[] = [];
    const until = performance.now() + GROUP_MS;
    let write: WaitingWrite | undefined = first;
    try {
      await this.#begin();
      for (; write; write = performance.now() < until ? this.#waitingWrites.shift() : undefined) {
        const durable = group.length === 0 ? await write.run(this.#writer.q) : await this.#runInside(write);
        if (durable !== null) group.push({ write, durable });
      }
      this.#writer.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      for (const member of group) member.write.fail(error);
      write?.fail(error);
      return;
    }
    for (const { durable } of group) durable();
  }

  /** The callers get the error of their work, whether a damaged database refuses the rollback or not. */
  #rollBack(): void {
    // Some errors (a full disk) have ended the transaction already.
    if (!this.#writer.inTransaction) return;
    try {
      this.#writer.exec('ROLLBACK');
    } catch {
      // Every later write fails at its BEGIN, and reports that.
    }
  }

  /** @returns null where it failed, and left the others' work as it was */
  async #runInside(write: WaitingWrite): Promise<(() => void) | null> {
    this.#writer.exec('SAVEPOINT one');
    try {
      const durable = await write.run(this.#writer.q);
      this.#writer.exec('RELEASE one');
      return durable;
    } catch (error) {
      if (!this.#writer.inTransaction) throw error;
      this.#writer.exec('ROLLBACK TO one');
      this.#writer.exec('RELEASE one');
      write.fail(error);
      return null;
    }
  }

  /** Another process may be writing: its turn is waited for without holding up everything else here. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + TURN_MS;
    for (let failures = 1; ; failures++) {
      try {
        this.#writer.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      await pause(backoffMs(failures, PAUSE));
    }
  }

  onAnnounced(listener: Announced): () => void {
    return this.#announcements.on(listener);
  }

  announced(names: ReadonlySet<string>): void {
    this.#announcements.announced(names);
  }

  async close(): Promise<void> {
    if (!(await this.#reads.close(this.#writing))) return;
    for (const readers of [this.#readers, this.#manyRowReaders]) readers.close();
    // Everything into the one file: who copies it then has it all.
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
  }
}

async function readOn<T>(readers: ReaderPool, work: (q: Queries) => Promise<T>): Promise<T> {
  const reader = await readers.take();
  try {
    reader.exec('BEGIN');
    try {
      return await work(reader.q);
    } finally {
      reader.exec('COMMIT');
    }
  } finally {
    readers.giveBack(reader);
  }
}
