import { newId } from '@hlid/node/new-id';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { isSentAgain, type KnownRead, keysToStore, underKey } from '@hlid/protocol/records/passage';
import { beginPassage, type PassageCourse } from '@hlid/protocol/rules/passage-transitions';
import type { GateOutcome, StoredRead } from '@hlid/protocol/site-link/site-event';
import { unpackJson } from '../db/packed-json.ts';
import type { SiteDb } from '../db/site-db.ts';
import { StandingStore } from './standing-store.ts';

/** One vehicle passing one lane, and what the gate did. */
export interface Passage extends PassageCourse {
  /** `wanted` is on the disk before the gate's command; still there after a restart, the outcome is unknown. */
  gate: 'untouched' | 'wanted' | GateOutcome;
  pulsedAt: UtcTime | null;
  pulses: number;
}

/** A passage without a decision; the caller stores the read that decides. */
export function newPassage(read: PlateRead, laneId: string, at: UtcTime): Passage {
  const course = beginPassage({ id: newId(), laneId, readId: '' }, read, at);
  return { gate: 'untouched', pulsedAt: null, pulses: 0, ...course };
}

/** The passage when its gate is about to receive its command. */
export function markWanted(passage: Passage, at: UtcTime): Passage {
  return { ...passage, gate: 'wanted', pulsedAt: at, pulses: passage.pulses + 1 };
}

/** A person has opened for it. */
export function markOpened(passage: Passage, at: UtcTime, outcome: GateOutcome): Passage {
  return { ...markWanted(passage, at), gate: outcome };
}

/** Whether its car may stand before the gate: it was kept, or the gate may not have opened for it. */
export function mayNotHaveLeft({ decision, gate }: Passage): boolean {
  return !decision.open || gate !== 'done';
}

interface PassageRow {
  id: string;
  lane_id: string;
  plate: string | null;
  score: number;
  votes: string | Buffer;
  first_seen_at: string;
  last_seen_at: string;
  keys: string | Buffer;
  decision: string | Buffer;
  visit_id: string | null;
  read_id: string;
  gate: Passage['gate'];
  pulsed_at: string | null;
  pulses: number;
}

/** A read of no passage, of a vehicle that was there. */
export interface UnreadRow {
  id: string;
  eventKey: string;
  plate: string | null;
  score: number;
  receivedAt: UtcTime;
}

/**
 * The number of a lane's passages that are kept in memory: a read joins one of the newest, and people see
 * them.
 */
const RECENT = 40;
/** The number of the site's newest passages among which they are searched. */
const NEWEST_OF_SITE = 2000;

const UPSERT = `
  INSERT INTO passage (id, lane_id, plate, score, votes, first_seen_at, last_seen_at, keys, decision, visit_id, read_id,
    gate, pulsed_at, pulses) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET plate = excluded.plate, score = excluded.score, votes = excluded.votes,
    first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
    keys = excluded.keys, decision = excluded.decision, visit_id = excluded.visit_id, read_id = excluded.read_id,
    gate = excluded.gate, pulsed_at = excluded.pulsed_at, pulses = excluded.pulses`;

/** The passages of a site and their reads. The newest of each lane are in memory, since every read needs them. */
export class PassageStore {
  readonly standing: StandingStore;
  readonly #laneIds: readonly string[];
  readonly #now: () => UtcTime;
  readonly #byId;
  readonly #recent;
  readonly #wanted;
  readonly #save;
  readonly #saveGate;
  readonly #knownRead;
  readonly #lastUnread;
  readonly #saveRead;
  /** The newest passages by lane, newest first. */
  readonly #newest = new Map<string, readonly Passage[]>();

  /** @param now by the site's clock; what was seen after it was seen by another clock */
  constructor(db: SiteDb, laneIds: readonly string[], now: () => UtcTime) {
    this.standing = new StandingStore(db);
    this.#laneIds = laneIds;
    this.#now = now;
    this.#byId = db.prepare<[string], PassageRow>('SELECT * FROM passage WHERE id = ?');
    this.#recent = db.prepare<[string, number], PassageRow>(
      `SELECT * FROM passage WHERE rowid > (SELECT max(rowid) FROM passage) - ${NEWEST_OF_SITE} AND lane_id = ?
       ORDER BY rowid DESC LIMIT ?`,
    );
    this.#wanted = db.prepare<[], PassageRow>("SELECT * FROM passage WHERE gate = 'wanted'");
    this.#save = db.prepare(UPSERT);
    this.#saveGate = db.prepare('UPDATE passage SET gate = ? WHERE id = ?');
    this.#knownRead = db.prepare<[string, string], KnownRead>(
      'SELECT plate, score, received_at AS receivedAt FROM read WHERE camera_id = ? AND event_key = ?',
    );
    this.#lastUnread = db.prepare<[string], UnreadRow>(
      `SELECT id, event_key AS eventKey, plate, score, received_at AS receivedAt FROM read
       WHERE rowid > (SELECT max(rowid) FROM read) - ${NEWEST_OF_SITE} AND lane_id = ? AND passage_id IS NULL
         AND standing IN ('low-score', 'counts') ORDER BY rowid DESC LIMIT 1`,
    );
    this.#saveRead = db.prepare(
      `INSERT INTO read (id, camera_id, event_key, lane_id, passage_id, plate, score, standing, received_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  get(id: string): Passage | undefined {
    for (const passages of this.#newest.values()) {
      const passage = passages.find((candidate) => candidate.id === id);
      if (passage) return passage;
    }
    const row = this.#byId.get(id);
    return row && fromRow(row);
  }

  /** The lane's newest passages, newest first. */
  recent(laneId: string): readonly Passage[] {
    const known = this.#newest.get(laneId);
    if (known) return known;
    const rows = this.#recent.all(laneId, RECENT);
    const passages = rows.map(fromRow).flatMap(seenBefore(this.#now())).sort(newestFirst);
    this.#newest.set(laneId, passages);
    return passages;
  }

  save(passage: Passage): void {
    this.#remember(passage);
    const { id, laneId, plate, score, firstSeenAt, lastSeenAt, visitId, readId, gate, pulsedAt, pulses } =
      passage;
    const votes = JSON.stringify(passage.votes);
    const keys = JSON.stringify([...passage.keys]);
    const decision = JSON.stringify(passage.decision);
    // Values are bound by place: by name, this many take longer than the rows are long.
    this.#save.run(
      id,
      laneId,
      plate,
      score,
      votes,
      firstSeenAt,
      lastSeenAt,
      keys,
      decision,
      visitId,
      readId,
      gate,
      pulsedAt,
      pulses,
    );
  }

  /** Saves only the state of the gate. */
  saveGate(passage: Passage, gate: Passage['gate']): void {
    this.#remember({ ...passage, gate });
    this.#saveGate.run(gate, passage.id);
  }

  /** Shifts the times of recent passages by a change of the clock, within the transaction. */
  shift(byMs: number): void {
    const moved = (at: UtcTime) => utcTime(millis(at) + byMs);
    for (const passage of this.#laneIds.flatMap((laneId) => this.recent(laneId))) {
      const { firstSeenAt, lastSeenAt, pulsedAt } = passage;
      this.save({
        ...passage,
        firstSeenAt: moved(firstSeenAt),
        lastSeenAt: moved(lastSeenAt),
        pulsedAt: pulsedAt && moved(pulsedAt),
      });
    }
    this.standing.shift(byMs);
  }

  /** Forgets what is in memory: after a transaction that was undone. */
  refresh(): void {
    this.#newest.clear();
    this.standing.refresh();
  }

  /** Whether a plate was seen on another lane since, as far as that lane's newest passages go back. */
  seenElsewhere(plate: string, laneId: string, since: UtcTime): boolean {
    return this.#someElsewhere(laneId, (passage) => passage.plate === plate && passage.lastSeenAt > since);
  }

  /** Whether the vehicle of a passage, by its plate or its visit, was seen on another lane after it. */
  movedOn({ laneId, plate, visitId, lastSeenAt }: Passage): boolean {
    return this.#someElsewhere(
      laneId,
      (later) =>
        later.lastSeenAt > lastSeenAt &&
        ((plate !== null && later.plate === plate) || (visitId !== null && later.visitId === visitId)),
    );
  }

  /** The newest passages of other lanes that have shown a plate. */
  withPlateElsewhere(plate: string, laneId: string): Passage[] {
    const found: Passage[] = [];
    for (const other of this.#laneIds) {
      if (other === laneId) continue;
      for (const passage of this.recent(other)) {
        if (passage.votes.some((vote) => vote.plate === plate)) found.push(passage);
      }
    }
    return found;
  }

  /** The read under the key by which it is to be stored; null: it is a document that is stored already. */
  asNewRead(cameraId: string, read: PlateRead, at: UtcTime): PlateRead | null {
    for (const key of keysToStore(read, at)) {
      const known = this.#knownRead.get(cameraId, key);
      if (known === undefined) return underKey(read, key);
      if (isSentAgain(known, read, at)) return null;
    }
    return null;
  }

  /** The lane's newest read that was not good enough, and belongs to no passage. */
  lastUnread(laneId: string): UnreadRow | undefined {
    return this.#lastUnread.get(laneId);
  }

  saveRead(read: StoredRead): void {
    const { id, cameraId, eventKey, laneId, passageId, plate, score, standing, receivedAt } = read;
    this.#saveRead.run(id, cameraId, eventKey, laneId, passageId, plate, score, standing, receivedAt);
  }

  /** Passages with a gate that was to open when the program ended. */
  wanted(): Passage[] {
    return this.#wanted.all().map(fromRow);
  }

  #someElsewhere(laneId: string, fits: (passage: Passage) => boolean): boolean {
    return this.#laneIds.some((other) => other !== laneId && this.recent(other).some(fits));
  }

  #remember(passage: Passage): void {
    const passages = [...this.recent(passage.laneId)];
    const before = passages.findIndex(({ id }) => id === passage.id);
    if (before !== -1) passages.splice(before, 1);
    const older = passages.findIndex(({ lastSeenAt }) => lastSeenAt <= passage.lastSeenAt);
    passages.splice(older === -1 ? passages.length : older, 0, passage);
    if (passages.length > RECENT) passages.pop();
    this.#newest.set(passage.laneId, passages);
  }
}

function newestFirst(one: Passage, other: Passage): number {
  return one.lastSeenAt < other.lastSeenAt ? 1 : one.lastSeenAt > other.lastSeenAt ? -1 : 0;
}

/**
 * Handles a passage that was seen by a clock that was ahead: how long ago is unknown. A car that was kept may
 * be there still; a car that was let out is finished.
 */
function seenBefore(now: UtcTime): (passage: Passage) => Passage[] {
  return (passage) => {
    if (passage.lastSeenAt <= now) return [passage];
    return passage.decision.open ? [] : [{ ...passage, firstSeenAt: now, lastSeenAt: now }];
  };
}

function fromRow(row: PassageRow): Passage {
  return {
    id: row.id,
    laneId: row.lane_id,
    plate: row.plate,
    score: row.score,
    votes: JSON.parse(unpackJson(row.votes)),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    keys: new Set(JSON.parse(unpackJson(row.keys))),
    decision: JSON.parse(unpackJson(row.decision)),
    visitId: row.visit_id,
    readId: row.read_id,
    gate: row.gate,
    pulsedAt: row.pulsed_at,
    pulses: row.pulses,
  };
}
