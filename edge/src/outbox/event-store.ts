import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Statement } from 'better-sqlite3';
import { type EventPack, type EventRow, packEvents, unpackEvents } from '../db/event-pack.ts';
import type { SiteDb } from '../db/site-db.ts';

/** The columns that hold numbers of events. */
const SEQ_COLUMNS = [
  ['event', 'seq'],
  ['event_pack', 'first_seq'],
  ['event_pack', 'last_seq'],
  ['quota_units', 'seq'],
  ['visit', 'reported_seq'],
  ['picture', 'after_seq'],
] as const;

/** More would save little, and take longer to unpack. */
export const EVENTS_PER_PACK = 200;

/** The tables of events: packs of older ones and single ones. All writes are part of the running transaction. */
export class EventStore {
  readonly #db: SiteDb;
  readonly #insert: Statement;
  readonly #last: Statement<[], number>;
  readonly #after: Statement<[number, number], EventRow>;
  readonly #find: Statement<[number], EventRow>;
  readonly #isErased: Statement<[number], number>;
  readonly #oldest: Statement<[number, number], EventRow>;
  readonly #dropOld: Statement;
  readonly #dropUpTo: Statement;
  readonly #drop: Statement;
  readonly #packsAfter: Statement<[number], EventPack>;
  readonly #addPack: Statement<[EventPack & { newestAt: string }]>;
  readonly #dropOldPack: Statement;
  readonly #dropPacksUpTo: Statement;

  constructor(db: SiteDb) {
    this.#db = db;
    this.#insert = db.prepare('INSERT INTO event (at, body) VALUES (?, ?)');
    this.#last = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'event'").pluck();
    this.#after = db.prepare('SELECT seq, at, body FROM event WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#find = db.prepare('SELECT seq, at, body FROM event WHERE seq = ?');
    this.#isErased = db.prepare<[number], number>('SELECT 1 FROM erased_event WHERE seq = ?').pluck();
    this.#oldest = db.prepare('SELECT seq, at, body FROM event WHERE seq <= ? ORDER BY seq LIMIT ?');
    this.#dropOld = db.prepare(
      // Searches among the oldest alone: a log without old events is not read to its end.
      'DELETE FROM event WHERE at < ? AND seq IN (SELECT seq FROM event WHERE seq <= ? ORDER BY seq LIMIT ?)',
    );
    this.#dropUpTo = db.prepare(
      'DELETE FROM event WHERE seq IN (SELECT seq FROM event WHERE seq <= ? LIMIT ?)',
    );
    this.#drop = db.prepare('DELETE FROM event WHERE seq BETWEEN ? AND ?');
    this.#packsAfter = db.prepare(
      'SELECT first_seq AS firstSeq, last_seq AS lastSeq, body FROM event_pack WHERE last_seq > ? ORDER BY last_seq',
    );
    this.#addPack = db.prepare(
      `INSERT OR REPLACE INTO event_pack (last_seq, first_seq, newest_at, body)
       VALUES (@lastSeq, @firstSeq, @newestAt, @body)`,
    );
    this.#dropOldPack = db.prepare(
      `DELETE FROM event_pack WHERE newest_at < ? AND last_seq <= ?
         AND last_seq = (SELECT min(last_seq) FROM event_pack)`,
    );
    this.#dropPacksUpTo = db.prepare(
      'DELETE FROM event_pack WHERE last_seq IN (SELECT last_seq FROM event_pack WHERE last_seq <= ? LIMIT ?)',
    );
  }

  insert(at: UtcTime, body: string): number {
    return Number(this.#insert.run(at, body).lastInsertRowid);
  }

  lastSeq(): number {
    return this.#last.get() ?? 0;
  }

  *after(seq: number, max: number): Iterable<EventRow> {
    let left = max;
    for (const pack of this.#packsAfter.iterate(seq)) {
      for (const row of unpackEvents(pack)) {
        if (row.seq <= seq) continue;
        if (left-- <= 0) return;
        yield row;
      }
    }
    yield* this.#after.iterate(seq, left);
  }

  /** The event as it was written; undefined where it is gone, or a plate was erased from it. */
  findOriginal(seq: number): EventRow | undefined {
    if (this.#isErased.get(seq) !== undefined) return undefined;
    const single = this.#find.get(seq);
    if (single !== undefined) return single;
    const pack = this.#packsAfter.get(seq - 1);
    return pack && unpackEvents(pack).find((row) => row.seq === seq);
  }

  /** Packs the oldest single events up to one of them. @returns how many; 0: there are not enough for a pack */
  pack(upTo: number): number {
    const oldest = this.#oldest.all(upTo, EVENTS_PER_PACK);
    const [first] = oldest;
    if (first === undefined || oldest.length < EVENTS_PER_PACK) return 0;
    // A pack has no gaps.
    const rows = oldest.filter(({ seq }, n) => seq === first.seq + n);
    this.#savePack(first.seq, rows);
    this.#drop.run(first.seq, first.seq + rows.length - 1);
    return rows.length;
  }

  /** Deletes events up to a number, about `max` at most. @returns how many rows were deleted */
  dropUpTo(seq: number, max: number): number {
    const packs = this.#dropPacksUpTo.run(seq, Math.ceil(max / EVENTS_PER_PACK)).changes;
    if (packs > 0) return packs;
    const [pack] = this.#packsAfter.all(seq);
    if (pack && pack.firstSeq <= seq) {
      this.#savePack(
        seq + 1,
        unpackEvents(pack).filter((row) => row.seq > seq),
      );
    }
    const dropped = this.#dropUpTo.run(seq, max).changes;
    if (dropped === 0) this.#dropReferences(seq);
    return dropped;
  }

  dropOld(before: UtcTime, upTo: number, max: number): number {
    const dropped =
      this.#dropOldPack.run(before, upTo).changes || this.#dropOld.run(before, upTo, max).changes;
    if (dropped > 0) {
      const [oldest] = this.after(0, 1);
      this.#dropReferences((oldest?.seq ?? this.lastSeq() + 1) - 1);
    }
    return dropped;
  }

  /** Numbers the events after this one from 1, with the rows that refer to them. */
  renumber(after: number): void {
    const offset = 2 * this.lastSeq();
    // The cloud receives the events in the new epoch as they are now.
    this.#db.exec('DELETE FROM erased_event');
    for (const [table, column] of SEQ_COLUMNS) {
      // First below zero, so that no two rows ever have the same number.
      this.#db.prepare(`UPDATE ${table} SET ${column} = ${column} - ?`).run(offset);
      this.#db.prepare(`UPDATE ${table} SET ${column} = ${column} + ?`).run(offset - after);
    }
    this.#db.prepare("UPDATE sqlite_sequence SET seq = seq - ? WHERE name = 'event'").run(after);
  }

  /** Saves a pack, also in place of one that has the same last event. */
  #savePack(firstSeq: number, rows: readonly EventRow[]): void {
    const newestAt = rows.reduce((newest, { at }) => (at > newest ? at : newest), '');
    this.#addPack.run({ firstSeq, lastSeq: firstSeq + rows.length - 1, newestAt, body: packEvents(rows) });
  }

  #dropReferences(upTo: number): void {
    for (const table of ['quota_units', 'erased_event'])
      this.#db.prepare(`DELETE FROM ${table} WHERE seq <= ?`).run(upTo);
  }
}
