import { foldPlate } from '@hlid/protocol/plate';
import type { SettlementItem } from '@hlid/protocol/site-change';
import type { Visit } from '@hlid/protocol/visit';
import type { SiteDb } from '../db/site-db.ts';

/** The visits of this site. */
export interface VisitStore {
  get(id: string): Visit | undefined;
  save(visit: Visit): void;
  openByPlate(plate: string): Visit | undefined;
  /** Open visits whose plate shares a folded key with one of these. */
  openLike(plates: readonly string[]): Visit[];
  /** Every open visit's plate, for looking loosely. */
  openPlates(): { id: string; plate: string }[];
  /** Cars inside, by the lane through which they came. */
  countOpen(): { entryLaneId: string | null; cars: number }[];
  /** Keeps a settlement; false where it is known already. */
  saveSettlement(settlement: SettlementItem): boolean;
  /** What is known of a visit's settlements, in the order in which they were made. */
  settlementsOf(visitId: string): SettlementItem[];
}

export function createVisitStore(db: SiteDb): VisitStore {
  const byId = db.prepare<[string], string>('SELECT body FROM visit WHERE id = ?').pluck();
  const byPlate = db
    .prepare<[string], string>('SELECT body FROM visit WHERE plate = ? AND ended_at IS NULL')
    .pluck();
  const byKey = db
    .prepare<[string], string>('SELECT body FROM visit WHERE plate_key = ? AND ended_at IS NULL')
    .pluck();
  const openPlates = db.prepare<[], { id: string; plate: string }>(
    'SELECT id, plate FROM visit WHERE ended_at IS NULL AND plate IS NOT NULL',
  );
  const countOpen = db.prepare<[], { entryLaneId: string | null; cars: number }>(
    'SELECT entry_lane_id AS entryLaneId, count(*) AS cars FROM visit WHERE ended_at IS NULL GROUP BY entry_lane_id',
  );
  const save = db.prepare(
    `INSERT INTO visit (id, plate, plate_key, entry_lane_id, ended_at, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET plate = excluded.plate, plate_key = excluded.plate_key,
       ended_at = excluded.ended_at, body = excluded.body`,
  );
  const settlements = db.prepare<[string], string>('SELECT body FROM settlement WHERE visit_id = ?').pluck();
  const saveSettlement = db.prepare('INSERT INTO settlement VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING');

  return {
    get: (id) => parsed(byId.get(id)),
    save: (visit) =>
      void save.run(
        visit.id,
        visit.plate,
        visit.plate === null ? null : foldPlate(visit.plate),
        visit.entryLaneId,
        visit.endedAt,
        JSON.stringify(visit),
      ),
    openByPlate: (plate) => parsed(byPlate.get(plate)),
    openLike: (plates) =>
      [...new Set(plates.map(foldPlate))].flatMap((key) => byKey.all(key).map((body) => JSON.parse(body))),
    openPlates: () => openPlates.all(),
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
