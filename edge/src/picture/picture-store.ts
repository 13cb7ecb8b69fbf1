import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PictureKind } from '@hlid/protocol/site-link/edge-api';
import type { SiteDb } from '../db/site-db.ts';

/** `refused`: the cloud will never accept it. */
export type PictureState = 'waiting' | 'stored' | 'refused';

/** A picture and the place of its bytes, a file. */
export interface NewPicture {
  /** The read that it belongs to. */
  readId: string;
  passageId: string | null;
  kind: PictureKind;
  contentType: 'image/jpeg' | 'image/png';
  bytes: number;
  /** The hash in Base64. */
  sha256: string;
  /** The score of the read that it came with. */
  score: number;
  takenAt: UtcTime;
  state: PictureState;
  /** When the cloud has this event, it knows the read and its visit. */
  afterSeq: number;
  /** How often the cloud could not accept it. */
  tries: number;
  /** The time before which the picture is not sent to the cloud. */
  dueAt: UtcTime;
}

/** A picture with its row. */
export interface Picture extends NewPicture {
  id: number;
}

interface PictureCount {
  state: PictureState;
  pictures: number;
  bytes: number;
  oldestAt: UtcTime;
}

/** The rows of the stored pictures. Writes belong to the running transaction. */
export class PictureStore {
  readonly #add;
  readonly #get;
  readonly #ofRead;
  readonly #ofPassage;
  readonly #due;
  readonly #nextDue;
  readonly #setState;
  readonly #putOff;
  readonly #bringAgain;
  readonly #oldest;
  readonly #oldInState;
  readonly #remove;
  readonly #days;
  readonly #ofDay;
  readonly #count;

  constructor(db: SiteDb) {
    const columns = `id, read_id readId, passage_id passageId, kind, content_type contentType, bytes, sha256, score,
      taken_at takenAt, state, after_seq afterSeq, tries, due_at dueAt`;
    const select = <Values extends unknown[]>(rest: string) =>
      db.prepare<Values, Picture>(`SELECT ${columns} FROM picture ${rest}`);
    this.#add = db.prepare(
      `INSERT INTO picture (read_id, passage_id, kind, content_type, bytes, sha256, score, taken_at, state, after_seq,
         tries, due_at)
       VALUES (@readId, @passageId, @kind, @contentType, @bytes, @sha256, @score, @takenAt,
         @state, @afterSeq, @tries, @dueAt)`,
    );
    this.#get = select<[string, string]>('WHERE read_id = ? AND kind = ?');
    this.#ofRead = select<[string]>('WHERE read_id = ?');
    this.#ofPassage = select<[string]>('WHERE passage_id = ?');
    this.#due = select<[string, number, number]>(
      "INDEXED BY picture_waiting WHERE state = 'waiting' AND due_at <= ? AND after_seq <= ? ORDER BY due_at LIMIT ?",
    );
    this.#nextDue = db
      .prepare<[number], string | null>(
        "SELECT min(due_at) FROM picture INDEXED BY picture_waiting WHERE state = 'waiting' AND after_seq <= ?",
      )
      .pluck();
    this.#setState = db.prepare('UPDATE picture SET state = ? WHERE id = ?');
    this.#putOff = db.prepare('UPDATE picture SET tries = ?, due_at = ? WHERE id = ?');
    this.#bringAgain = db.prepare(
      "UPDATE picture SET state = 'waiting', tries = 0, due_at = taken_at WHERE state = 'stored' AND after_seq > ?",
    );
    this.#oldest = select<[string, number, number]>(
      'WHERE state = ? AND after_seq <= ? ORDER BY taken_at LIMIT ?',
    );
    this.#oldInState = select<[string, string, number]>(
      'WHERE state = ? AND taken_at < ? ORDER BY taken_at LIMIT ?',
    );
    this.#remove = db.prepare('DELETE FROM picture WHERE id = ?');
    this.#days = db.prepare<[], string>('SELECT DISTINCT substr(taken_at, 1, 10) FROM picture').pluck();
    this.#ofDay = select<{ day: string }[]>(
      `WHERE state IN ('waiting', 'stored', 'refused') AND taken_at BETWEEN @day AND @day || '~'`,
    );
    this.#count = db.prepare<[], PictureCount>(
      `SELECT state, count(*) pictures, sum(bytes) bytes, min(taken_at) oldestAt FROM picture GROUP BY state`,
    );
  }

  add(picture: NewPicture): void {
    this.#add.run(picture);
  }

  get(readId: string, kind: PictureKind): Picture | undefined {
    return this.#get.get(readId, kind);
  }

  ofRead(readId: string): Picture[] {
    return this.#ofRead.all(readId);
  }

  ofPassage(passageId: string): Picture[] {
    return this.#ofPassage.all(passageId);
  }

  /** The pictures that may be sent to the cloud now, the longest waiting first. */
  due(now: UtcTime, acknowledged: number, limit: number): Picture[] {
    return this.#due.all(now, acknowledged, limit);
  }

  /** The time at which the next picture may be sent, among those with events that the cloud has. */
  nextDueAt(acknowledged: number): UtcTime | null {
    return this.#nextDue.get(acknowledged) ?? null;
  }

  setState(id: number, state: PictureState): void {
    this.#setState.run(state, id);
  }

  putOff(id: number, tries: number, dueAt: UtcTime): void {
    this.#putOff.run(tries, dueAt, id);
  }

  /** The cloud was restored from a backup, and has lost everything after that event. @returns how many wait again */
  bringAgain(acknowledged: number): number {
    return this.#bringAgain.run(acknowledged).changes;
  }

  /** The oldest first. */
  oldest(state: PictureState, limit: number, acknowledged = Number.MAX_SAFE_INTEGER): Picture[] {
    return this.#oldest.all(state, acknowledged, limit);
  }

  takenBefore(before: UtcTime, state: PictureState, limit: number): Picture[] {
    return this.#oldInState.all(state, before, limit);
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) this.#remove.run(id);
  }

  /** Days (`2026-11-21`) with pictures. */
  days(): string[] {
    return this.#days.all();
  }

  ofDay(day: string): Picture[] {
    return this.#ofDay.all({ day });
  }

  count(): PictureCount[] {
    return this.#count.all();
  }
}
