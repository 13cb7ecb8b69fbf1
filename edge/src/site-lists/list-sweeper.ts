import type { Statement } from 'better-sqlite3';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { LongWork } from './long-work.ts';

const ROWS_PER_STEP = 400;

/** Tables that may be left over, each with its key column. */
const LEFT_OVER = [
  ['permit_old', 'row'],
  ['permit_next', 'row'],
  ['permit_place_old', 'place'],
  ['permit_place_next', 'place'],
  ['vehicle_old', 'plate'],
  ['vehicle_next', 'plate'],
] as const;

/** Removes lists that are not needed any more, replaced ones and half-built ones, in small steps. */
export class ListSweeper {
  readonly #context: Pick<EdgeContext, 'db' | 'commit'>;
  readonly #longWork: LongWork;
  readonly #exists: Statement<[string], number>;
  #last: Promise<void> = Promise.resolve();

  constructor(context: Pick<EdgeContext, 'db' | 'commit'>, longWork: LongWork) {
    this.#context = context;
    this.#longWork = longWork;
    this.#exists = context.db
      .prepare<[string], number>("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
      .pluck();
  }

  /** Resolves when all that are there now are removed. */
  sweep(): Promise<void> {
    const sweepAll = () => this.#sweepAll();
    this.#last = this.#last.then(sweepAll, sweepAll);
    return this.#last;
  }

  async #sweepAll(): Promise<void> {
    const { db, commit } = this.#context;
    for (const [table, key] of LEFT_OVER) {
      // Closed meanwhile: the next start goes on.
      if (!db.open) return;
      if (this.#exists.get(table) === undefined) continue;
      const remove = db.prepare(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT ${ROWS_PER_STEP})`,
      );
      // Dropping a table of a million rows at once would take as long as a driver waits.
      while (db.open && (await this.#longWork.step(() => remove.run().changes)) > 0);
      if (db.open) commit.runNow(() => db.exec(`DROP TABLE ${table}`));
    }
  }
}
