import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Statement } from 'better-sqlite3';
import type { SiteDb } from '../db/site-db.ts';

interface EventRow {
  seq: number;
  at: string;
  body: string;
}

/** The columns that hold numbers of events. */
const SEQ_COLUMNS = [
  ['event', 'seq'],
  ['quota_units', 'seq'],
  ['visit', 'reported_seq'],
  ['picture', 'after_seq'],
] as const;

/** The table of events. All its writes are part of the running transaction. */
export class EventStore {
  readonly #db: SiteDb;
  readonly #insert: Statement;
  readonly #last: Statement<[], number>;
  readonly #after: Statement<[number, number], EventRow>;
  readonly #findOriginal: Statement<[number], EventRow>;
  readonly #dropOld: Statement;
  readonly #dropUpTo: Statement;

  constructor(db: SiteDb) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO event (at, body) VALUES (?, ?)');
    this.#last = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'event'").pluck();
    this.#after = db.prepare('SELECT seq, at, body FROM event WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#findOriginal = db.prepare(
      'SELECT seq, at, body FROM event WHERE seq = ? AND seq NOT IN (SELECT seq FROM erased_event)',
    );
    this.#dropOld = db.prepare(
      // Only among the oldest: a log without old events is not read to its end.
      'DELETE FROM event WHERE at < ? AND seq IN (SELECT seq FROM event WHERE seq <= ? ORDER BY seq LIMIT ?)',
    );
    this.#dropUpTo = db.prepare(
      'DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE seq <= ? LIMIT ?)',
    );
  }

  insert(at: UtcTime, body: string): number {
    return Number(this.#insert.run(at, body).lastInsertRowid);
  }

  lastSeq(): number {
    return this.#last.get() ?? 0;
  }

  after(seq: number, max: number): Iterable<EventRow> {
    return this.#after.iterate(seq, max);
  }

  /** The event as it was written; undefined where it is gone, or a plate was erased from it. */
  findOriginal(seq: number): EventRow | undefined {
    return this.#findOriginal.get(seq);
  }

  dropUpTo(seq: number, max: number): number {
    return this.#dropUpTo.run(seq, max).changes;
  }

  dropOld(before: UtcTime, upTo: number, max: number): number {
    return this.#dropOld.run(before, upTo, max).changes;
  }

  /** Numbers the events after this one from 1, with the rows that refer to them. */
  renumber(after: number): void {
    const offset = 2 * this.lastSeq();
    this.#db.pragma('defer_foreign_keys = ON');
    // In the new epoch the cloud receives the events as they are now.
    this.#db.exec('DELETE FROM erased_event');
    for (const [table, column] of SEQ_COLUMNS) {
      // First below zero, so that no two rows ever have the same number.
      this.#db.prepare(`UPDATE ${table} SET ${column} = ${column} - ?`).run(offset);
      this.#db.prepare(`UPDATE ${table} SET ${column} = ${column} + ?`).run(offset - after);
    }
    this.#db.prepare("UPDATE sqlite_sequence SET seq = seq - ? WHERE name = 'event'").run(after);
  }
}
