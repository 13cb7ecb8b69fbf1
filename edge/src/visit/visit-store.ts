import { foldPlate } from '@hlid/protocol/plate';
import type { SettlementItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { SiteDb } from '../db/site-db.ts';

/** The visits of this site. */
export interface VisitStore {
  get(id: string): Visit | undefined;
  /** @param reportedSeq the number of the event that reports it, if any */
  save(visit: Visit, reportedSeq?: number): void;
  openByPlate(plate: string): Visit | undefined;
  /** The visit of exactly this plate that ended last. */
  endedByPlate(plate: string): Visit | undefined;
  /** Open visits whose plate shares a folded key with one of these. */
  openLike(plates: readonly string[]): Visit[];
  /** Every open visit's plate, for looking loosely. */
  openPlates(): { id: string; plate: string }[];
  open(): Visit[];
  /** When the oldest of them began; null: there are none. */
  oldestStart(): UtcTime | null;
  /** Visits of a plate that ended after a moment, among those that began not long before this one. */
  earlierOf(visit: Pick<Visit, 'id' | 'plate'>, endedAfter: UtcTime): Visit[];
  /** Cars inside, by the lane through which they came. */
  countOpen(): { entryLaneId: string | null; cars: number }[];
  /** Keeps a settlement; false where it is known already. */
  saveSettlement(settlement: SettlementItem): boolean;
  /** What is known of a visit's settlements, in the order in which they were made. */
  settlementsOf(visitId: string): SettlementItem[];
}

/** Visits lie in the order in which they began; further back than so many nobody looks for the last 24 hours'. */
const MAX_EARLIER = 20_000;

export function createVisitStore(db: SiteDb): VisitStore {
  const byId = db.prepare<[string], string>('SELECT body FROM visit WHERE id = ?').pluck();
  const byPlate = db
    .prepare<[string, string], string>(
      'SELECT body FROM visit WHERE plate_key = ? AND plate = ? AND ended_at IS NULL',
    )
    .pluck();
  const endedByPlate = db
    .prepare<[string], string>(
      `SELECT body FROM visit WHERE plate = ? AND plate IS NOT NULL AND ended_at IS NOT NULL
       ORDER BY ended_at DESC LIMIT 1`,
    )
    .pluck();
  const byKey = db
    .prepare<[string], string>('SELECT body FROM visit WHERE plate_key = ? AND ended_at IS NULL')
    .pluck();
  const openPlates = db.prepare<[], { id: string; plate: string }>(
    'SELECT id, plate FROM visit WHERE ended_at IS NULL AND plate IS NOT NULL',
  );
  const open = db.prepare<[], string>('SELECT body FROM visit WHERE ended_at IS NULL').pluck();
  const oldestStart = db
    .prepare<[], UtcTime | null>(
      "SELECT min(json_extract(body, '$.startedAt')) FROM visit WHERE ended_at IS NULL",
    )
    .pluck();
  const earlier = db
    .prepare<[string, string | null, UtcTime], string>(
      `SELECT visit.body FROM visit, (SELECT rowid AS row FROM visit WHERE id = ?) AS here
       WHERE visit.rowid < here.row AND visit.rowid >= here.row - ${MAX_EARLIER}
         AND visit.plate = ? AND visit.ended_at > ?`,
    )
    .pluck();
  const countOpen = db.prepare<[], { entryLaneId: string | null; cars: number }>(
    'SELECT entry_lane_id AS entryLaneId, count(*) AS cars FROM visit WHERE ended_at IS NULL GROUP BY entry_lane_id',
  );
  const save = db.prepare(
    `INSERT INTO visit (id, plate, plate_key, entry_lane_id, ended_at, body, reported_seq) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET plate = excluded.plate, plate_key = excluded.plate_key,
       ended_at = excluded.ended_at, body = excluded.body, reported_seq = iif(excluded.reported_seq > 0, excluded.reported_seq, reported_seq)`,
  );
  const settlements = db.prepare<[string], string>('SELECT body FROM settlement WHERE visit_id = ?').pluck();
  const saveSettlement = db.prepare('INSERT INTO settlement VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING');

  return {
    get: (id) => parsed(byId.get(id)),
    save: (visit, reportedSeq = 0) =>
      void save.run(
        visit.id,
        visit.plate,
        visit.plate === null ? null : foldPlate(visit.plate),
        visit.entryLaneId,
        visit.endedAt,
        JSON.stringify(visit),
        reportedSeq,
      ),
    openByPlate: (plate) => parsed(byPlate.get(foldPlate(plate), plate)),
    endedByPlate: (plate) => parsed(endedByPlate.get(plate)),
    openLike: (plates) =>
      [...new Set(plates.map(foldPlate))].flatMap((key) => byKey.all(key).map((body) => JSON.parse(body))),
    openPlates: () => openPlates.all(),
    open: () => open.all().map((body) => JSON.parse(body)),
    oldestStart: () => oldestStart.get() ?? null,
    earlierOf: ({ id, plate }, endedAfter) =>
      earlier.all(id, plate, endedAfter).map((body) => JSON.parse(body)),
    countOpen: () => countOpen.all(),
    saveSettlement: (settlement) =>
      saveSettlement.run(settlement.id, settlement.visitId, JSON.stringify(settlement)).changes > 0,
    settlementsOf: (visitId) =>
      settlements
        .all(visitId)
        .map((body) => JSON.parse(body) as SettlementItem)
        .sort((a, b) => (a.settledAt < b.settledAt ? -1 : 1)),
  };
}

function parsed(body: string | undefined): Visit | undefined {
  return body === undefined ? undefined : JSON.parse(body);
}
