import type { PictureKind } from '@hlid/protocol/edge-api';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { SiteDb } from '../db/site-db.ts';

/** `refused`: the cloud will never take it. */
export type PictureState = 'waiting' | 'stored' | 'refused';

/** A picture that is kept here; its bytes are in a file. */
export interface Picture {
  id: string;
  /** The read at which it stands. */
  readId: string;
  passageId: string | null;
  kind: PictureKind;
  contentType: 'image/jpeg' | 'image/png';
  bytes: number;
  sha256: string;
  /** Of the read that it came with. */
  score: number;
  takenAt: UtcTime;
  state: PictureState;
  /** When the cloud has this event, it knows the read and its visit. */
  afterSeq: number;
  /** How often the cloud has answered that it cannot take it now. */
  tries: number;
  /** Not brought to the cloud before. */
  dueAt: UtcTime;
}

/** Which pictures are here, within the running transaction where it writes. */
export interface PictureStore {
  add(picture: Picture): void;
  get(readId: string, kind: PictureKind): Picture | undefined;
  ofRead(readId: string): Picture[];
  ofPassage(passageId: string): Picture[];
  /** Those that may be brought to the cloud now, the longest waiting first. */
  due(now: UtcTime, acknowledged: number, limit: number): Picture[];
  /** When the next one may be brought, of those whose events the cloud has. */
  nextDueAt(acknowledged: number): UtcTime | null;
  setState(id: string, state: PictureState): void;
  putOff(id: string, tries: number, dueAt: UtcTime): void;
  /** The cloud was restored from a backup, and has lost what it heard after that event. @returns how many wait again */
  bringAgain(acknowledged: number): number;
  /** The oldest first. */
  oldest(state: PictureState, limit: number, acknowledged?: number): Picture[];
  takenBefore(before: UtcTime, state: PictureState, limit: number): Picture[];
  remove(ids: readonly string[]): void;
  /** Days (`2026-11-21`) of which there are pictures. */
  days(): string[];
  ofDay(day: string): Picture[];
  count(): { state: PictureState; pictures: number; bytes: number; oldestAt: UtcTime }[];
}

export function createPictureStore(db: SiteDb): PictureStore {
  const columns = `id, read_id readId, passage_id passageId, kind, content_type contentType, bytes, sha256, score,
    taken_at takenAt, state, after_seq afterSeq, tries, due_at dueAt`;
  const select = <Values extends unknown[]>(rest: string) =>
    db.prepare<Values, Picture>(`SELECT ${columns} FROM picture ${rest}`);
  const add = db.prepare(
    `INSERT INTO picture VALUES (@id, @readId, @passageId, @kind, @contentType, @bytes, @sha256, @score, @takenAt,
       @state, @afterSeq, @tries, @dueAt)`,
  );
  const get = select<[string, string]>('WHERE read_id = ? AND kind = ?');
  const ofRead = select<[string]>('WHERE read_id = ?');
  const ofPassage = select<[string]>('WHERE passage_id = ?');
  const due = select<[string, number, number]>(
    "INDEXED BY picture_waiting WHERE state = 'waiting' AND due_at <= ? AND after_seq <= ? ORDER BY due_at LIMIT ?",
  );
  const nextDue = db
    .prepare<[number], string | null>(
      "SELECT min(due_at) FROM picture INDEXED BY picture_waiting WHERE state = 'waiting' AND after_seq <= ?",
    )
    .pluck();
  const setState = db.prepare('UPDATE picture SET state = ? WHERE id = ?');
  const putOff = db.prepare('UPDATE picture SET tries = ?, due_at = ? WHERE id = ?');
  const bringAgain = db.prepare(
    "UPDATE picture SET state = 'waiting', tries = 0, due_at = taken_at WHERE state = 'stored' AND after_seq > ?",
  );
  const oldest = select<[string, number, number]>(
    'WHERE state = ? AND after_seq <= ? ORDER BY taken_at LIMIT ?',
  );
  const oldInState = select<[string, string, number]>(
    'WHERE state = ? AND taken_at < ? ORDER BY taken_at LIMIT ?',
  );
  const remove = db.prepare('DELETE FROM picture WHERE id = ?');
  const days = db.prepare<[], string>('SELECT DISTINCT substr(taken_at, 1, 10) FROM picture').pluck();
  const ofDay = select<{ day: string }[]>(
    `WHERE state IN ('waiting', 'stored', 'refused') AND taken_at BETWEEN @day AND @day || '~'`,
  );
  const count = db.prepare<[], ReturnType<PictureStore['count']>[number]>(
    `SELECT state, count(*) pictures, sum(bytes) bytes, min(taken_at) oldestAt FROM picture GROUP BY state`,
  );

  return {
    add: (picture) => void add.run(picture),
    get: (readId, kind) => get.get(readId, kind),
    ofRead: (readId) => ofRead.all(readId),
    ofPassage: (passageId) => ofPassage.all(passageId),
    due: (now, acknowledged, limit) => due.all(now, acknowledged, limit),
    nextDueAt: (acknowledged) => nextDue.get(acknowledged) ?? null,
    setState: (id, state) => void setState.run(state, id),
    putOff: (id, tries, dueAt) => void putOff.run(tries, dueAt, id),
    bringAgain: (acknowledged) => bringAgain.run(acknowledged).changes,
    oldest: (state, limit, acknowledged = Number.MAX_SAFE_INTEGER) => oldest.all(state, acknowledged, limit),
    takenBefore: (before, state, limit) => oldInState.all(state, before, limit),
    remove(ids) {
      for (const id of ids) remove.run(id);
    },
    days: () => days.all(),
    ofDay: (day) => ofDay.all({ day }),
    count: () => count.all(),
  };
}
