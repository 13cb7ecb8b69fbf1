import type { EraseItem } from '@hlid/protocol/site-link/site-change';
import type { Statement } from 'better-sqlite3';
import type { EdgeContext } from '../outbox/edge-context.ts';
import { type PlateTable, plateTables } from './plate-tables.ts';
import { rowWindows } from './row-windows.ts';

export interface ErasedPlates {
  /** Rows that no longer contain a plate. */
  rows: number;
  /** Plates that some rows still need: a stay that is not over, an event that the cloud has not got. */
  waiting: number;
}

interface EraserOptions {
  /** Deletes the pictures of reads. If the program ends after it, the reads are found again. */
  deletePictures: (readIds: readonly string[]) => Promise<unknown>;
  /** Called after erasing: copies in memory may still contain the plate. */
  onErased: () => void;
}

type Erasure = EraseItem & { id: string };

/** Erases the plates that the cloud requests to be erased. */
export class PlateEraser {
  readonly #context: Pick<EdgeContext, 'db' | 'commit' | 'events'>;
  readonly #options: EraserOptions;
  readonly #pending: Statement<[], Erasure>;
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #tables: readonly PlateTable[];

  constructor(context: Pick<EdgeContext, 'db' | 'commit' | 'events'>, options: EraserOptions) {
    const { db } = context;
    this.#context = context;
    this.#options = options;
    this.#pending = db.prepare('SELECT id, plate, before FROM erasure');
    this.#insert = db.prepare(
      'INSERT INTO erasure (id, plate, before) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
    this.#delete = db.prepare('DELETE FROM erasure WHERE id = ?');
    this.#tables = plateTables(db);
  }

  /** Stores a request, within the running transaction. */
  request(id: string, { plate, before }: EraseItem): void {
    this.#insert.run(id, plate, before);
  }

  /** Continues with the stored requests, as far as possible now, in steps that delay no gate. */
  async run(signal: AbortSignal): Promise<ErasedPlates> {
    const { commit } = this.#context;
    const result: ErasedPlates = { rows: 0, waiting: 0 };
    for (const erasure of this.#pending.all()) {
      let left = false;
      for (const table of this.#tables) {
        const erased = await this.#eraseIn(table, erasure, signal);
        result.rows += erased.rows;
        if (signal.aborted) return result;
        left ||= erased.left;
      }
      if (left) result.waiting++;
      else await commit.run(() => this.#delete.run(erasure.id));
    }
    return result;
  }

  async #eraseIn(table: PlateTable, { plate, before }: Erasure, signal: AbortSignal) {
    const { db, commit, events } = this.#context;
    const result = { rows: 0, left: false };
    for await (const window of rowWindows(db, table.table)) {
      if (signal.aborted) return result;
      const rows = () => ({ ...window, plate, before, acknowledged: events.acknowledged() });
      if (!table.contains(rows())) continue;
      if (table.readIds) await this.#options.deletePictures(table.readIds(rows()));
      const erased = await commit.run(() => table.erase(rows()));
      if (erased.rows > 0) this.#options.onErased();
      result.rows += erased.rows;
      result.left ||= erased.left;
    }
    return result;
  }
}
