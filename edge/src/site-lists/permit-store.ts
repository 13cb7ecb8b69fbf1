import { foldPlate } from '@hlid/protocol/plate';
import type { Permit } from '@hlid/protocol/whitelist';
import type { SiteDb } from '../db/site-db.ts';
import { firstPlace, plateSlot, ROWS, slotOfKey } from './plate-slot.ts';

/** The whitelist as this site holds it. */
export interface PermitStore {
  /** Every entry whose plate shares the folded key of this one, whatever its state. */
  listedLike(plate: string): Permit[];
  get(id: string): Permit | undefined;
  put(permit: Permit): void;
  remove(id: string): void;
}

/** @param suffix of the tables: none for the live list, another while one is built beside it */
export function createPermitStore(db: SiteDb, suffix: '' | '_next' = ''): PermitStore {
  const permits = `permit${suffix}`;
  const places = `permit_place${suffix}`;
  const bySlot = db
    .prepare<[bigint, bigint], string>(
      `SELECT body FROM ${places} JOIN ${permits} ON row = place % ${ROWS} WHERE place BETWEEN ? AND ?`,
    )
    .pluck();
  const byId = db.prepare<[string], { row: number; body: string }>(
    `SELECT row, body FROM ${permits} WHERE id = ?`,
  );
  const insert = db.prepare(`INSERT INTO ${permits} (id, body) VALUES (?, ?)`);
  const update = db.prepare(`UPDATE ${permits} SET body = ? WHERE row = ?`);
  const remove = db.prepare(`DELETE FROM ${permits} WHERE row = ?`);
  const addPlace = db.prepare(`INSERT OR IGNORE INTO ${places} VALUES (?)`);
  const removePlace = db.prepare(`DELETE FROM ${places} WHERE place = ?`);
  const placeOf = (plate: string, row: number) => firstPlace(plateSlot(plate)) + BigInt(row);

  return {
    listedLike(plate) {
      const key = foldPlate(plate);
      const first = firstPlace(slotOfKey(key));
      return bySlot
        .all(first, first + BigInt(ROWS - 1))
        .map(fromBody)
        .filter((permit) => foldPlate(permit.plate) === key);
    },
    get(id) {
      const found = byId.get(id);
      return found && fromBody(found.body);
    },
    put(permit) {
      const body = JSON.stringify(permit);
      const found = byId.get(permit.id);
      const row = found?.row ?? Number(insert.run(permit.id, body).lastInsertRowid);
      if (found) {
        removePlace.run(placeOf(fromBody(found.body).plate, row));
        update.run(body, row);
      }
      addPlace.run(placeOf(permit.plate, row));
    },
    remove(id) {
      const found = byId.get(id);
      if (!found) return;
      removePlace.run(placeOf(fromBody(found.body).plate, found.row));
      remove.run(found.row);
    },
  };
}

/** Parsed at the border when it came in; the database only kept it. */
function fromBody(body: string): Permit {
  return JSON.parse(body) as Permit;
}
