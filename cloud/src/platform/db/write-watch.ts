import type { Announced, Db, Queries, ReadOptions, Tx } from './db.ts';
import { faultOfStorage } from './sqlite-fault.ts';

/** A database of which is known whether it can be written. Reading goes on where the disk is full. */
export class WriteWatch implements Db {
  readonly #db: Db;
  #fault: string | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Why the newest transaction could not be stored; null: it was. */
  writeFault(): string | null {
    return this.#fault;
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      const result = await this.#db.write(work);
      this.#fault = null;
      return result;
    } catch (error) {
      this.#fault = faultOfStorage(error) ?? this.#fault;
      throw error;
    }
  }

  read<T>(work: (q: Queries) => Promise<T>, options?: ReadOptions): Promise<T> {
    return this.#db.read(work, options);
  }

  onAnnounced(listener: Announced): () => void {
    return this.#db.onAnnounced(listener);
  }

  announced(names: ReadonlySet<string>): void {
    this.#db.announced(names);
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}
