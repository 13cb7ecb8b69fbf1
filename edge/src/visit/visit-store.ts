import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import type { Visit } from '@hlid/protocol/records/visit';
import type { CarsOfLane } from '@hlid/protocol/site-link/occupancy';
import type { SettlementItem } from '@hlid/protocol/site-link/site-change';
import type { SiteDb } from '../db/site-db.ts';

/** Rows are in the order of entry. The search for stays of the last 24 hours goes back this many rows at most. */
const MAX_EARLIER = 20_000;

/** The visits of this site. */
export class VisitStore {
  readonly #byId;
  readonly #byPlate;
  readonly #endedByPlate;
  readonly #byKey;
  readonly #openPlates;
  readonly #open;
  readonly #oldestStart;
  readonly #earlier;
  readonly #countOpen;
  readonly #save;
  readonly #settlements;
  readonly #saveSettlement;

  constructor(db: SiteDb) {
    this.#byId = db.prepare<[string], string>('SELECT unpacked(body) FROM visit WHERE id = ?').pluck();
    this.#byPlate = db
      .prepare<[string, string], string>(
        'SELECT body FROM visit WHERE plate_key = ? AND plate = ? AND ended_at IS NULL',
      )
      .pluck();
    this.#endedByPlate = db
      .prepare<[string], string>(
        `SELECT unpacked(body) FROM visit WHERE plate = ? AND plate IS NOT NULL AND ended_at IS NOT NULL
         ORDER BY ended_at DESC LIMIT 1`,
      )
      .pluck();
    this.#byKey = db
      .prepare<[string], string>('SELECT body FROM visit WHERE plate_key = ? AND ended_at IS NULL')
      .pluck();
    this.#openPlates = db.prepare<[], { id: string; plate: string }>(
      'SELECT id, plate FROM visit WHERE ended_at IS NULL AND plate IS NOT NULL',
    );
    this.#open = db.prepare<[], string>('SELECT body FROM visit WHERE ended_at IS NULL').pluck();
    this.#oldestStart = db
      .prepare<[], UtcTime | null>(
        "SELECT min(json_extract(body, '$.startedAt')) FROM visit WHERE ended_at IS NULL",
      )
      .pluck();
    this.#earlier = db
      .prepare<[string, string | null, UtcTime], string>(
        `SELECT unpacked(visit.body) FROM visit, (SELECT rowid AS row FROM visit WHERE id = ?) AS here
         WHERE visit.rowid < here.row AND visit.rowid >= here.row - ${MAX_EARLIER}
           AND visit.plate = ? AND visit.ended_at > ?`,
      )
      .pluck();
    this.#countOpen = db.prepare<[], CarsOfLane>(
      'SELECT entry_lane_id AS laneId, count(*) AS cars FROM visit WHERE ended_at IS NULL GROUP BY entry_lane_id',
    );
    this.#save = db.prepare(
      `INSERT INTO visit (id, plate, plate_key, entry_lane_id, ended_at, body, reported_seq) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET plate = excluded.plate, plate_key = excluded.plate_key,
         ended_at = excluded.ended_at, body = excluded.body, reported_seq = iif(excluded.reported_seq > 0, excluded.reported_seq, reported_seq)`,
    );
    this.#settlements = db
      .prepare<[string], string>('SELECT unpacked(body) FROM settlement WHERE visit_id = ?')
      .pluck();
    this.#saveSettlement = db.prepare(
      'INSERT INTO settlement (id, visit_id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
  }

  get(id: string): Visit | undefined {
    return parsed(this.#byId.get(id));
  }

  /** @param reportedSeq the number of the event that reports it, if any */
  save(visit: Visit, reportedSeq = 0): void {
    this.#save.run(
      visit.id,
      visit.plate,
      visit.plate === null ? null : foldPlate(visit.plate),
      visit.entryLaneId,
      visit.endedAt,
      JSON.stringify(visit),
      reportedSeq,
    );
  }

  openByPlate(plate: string): Visit | undefined {
    return parsed(this.#byPlate.get(foldPlate(plate), plate));
  }

  /** The visit of exactly this plate that ended last. */
  endedByPlate(plate: string): Visit | undefined {
    return parsed(this.#endedByPlate.get(plate));
  }

  /** Open visits with a plate that shares a folded key with one of these. */
  openLike(plates: readonly string[]): Visit[] {
    const keys = [...new Set(plates.map(foldPlate))];
    return keys.flatMap((key) => this.#byKey.all(key).map((body) => JSON.parse(body)));
  }

  /** The plate of every open visit, for a loose search. */
  openPlates(): { id: string; plate: string }[] {
    return this.#openPlates.all();
  }

  open(): Visit[] {
    return this.#open.all().map((body) => JSON.parse(body));
  }

  /** The start of the oldest open visit; null: there are none. */
  oldestStart(): UtcTime | null {
    return this.#oldestStart.get() ?? null;
  }

  /** Visits of a plate that ended after a moment, among those that began not long before this one. */
  earlierOf({ id, plate }: Pick<Visit, 'id' | 'plate'>, endedAfter: UtcTime): Visit[] {
    return this.#earlier.all(id, plate, endedAfter).map((body) => JSON.parse(body));
  }

  /** Cars inside, by entry lane. */
  countOpen(): CarsOfLane[] {
    return this.#countOpen.all();
  }

  /** Stores a settlement; false if it is known already. */
  saveSettlement(settlement: SettlementItem): boolean {
    const { id, visitId } = settlement;
    return this.#saveSettlement.run(id, visitId, JSON.stringify(settlement)).changes > 0;
  }

  /** The known settlements of a visit, in the order in which they were made. */
  settlementsOf(visitId: string): SettlementItem[] {
    return this.#settlements
      .all(visitId)
      .map((body) => JSON.parse(body) as SettlementItem)
      .sort((a, b) => (a.settledAt < b.settledAt ? -1 : 1));
  }
}

function parsed(body: string | undefined): Visit | undefined {
  return body === undefined ? undefined : JSON.parse(body);
}
