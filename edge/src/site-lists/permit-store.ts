import { foldPlate } from '@hlid/protocol/plate/plate';
import { type Permit, platesToList } from '@hlid/protocol/records/whitelist';
import type { Statement } from 'better-sqlite3';
import { firstPlace, plateSlot, ROWS, slotOfKey } from '../db/plate-slot.ts';
import type { SiteDb } from '../db/site-db.ts';

/** The whitelist as this site holds it. */
export class PermitStore {
  readonly #bySlot: Statement<[bigint, bigint], string>;
  readonly #byId: Statement<[string], { row: number; body: string }>;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #remove: Statement;
  readonly #addPlace: Statement;
  readonly #removePlace: Statement;

  /** @param suffix of the tables: none for the live list, another while one is built beside it */
  constructor(db: SiteDb, suffix: '' | '_next' = '') {
    const permits = `permit${suffix}`;
    const places = `permit_place${suffix}`;
    this.#bySlot = db
      .prepare<[bigint, bigint], string>(
        `SELECT body FROM ${places} JOIN ${permits} ON row = place % ${ROWS} WHERE place BETWEEN ? AND ?`,
      )
      .pluck();
    this.#byId = db.prepare(`SELECT row, body FROM ${permits} WHERE id = ?`);
    this.#insert = db.prepare(`INSERT INTO ${permits} (id, body) VALUES (?, ?)`);
    this.#update = db.prepare(`UPDATE ${permits} SET body = ? WHERE row = ?`);
    this.#remove = db.prepare(`DELETE FROM ${permits} WHERE row = ?`);
    this.#addPlace = db.prepare(`INSERT OR IGNORE INTO ${places} (place) VALUES (?)`);
    this.#removePlace = db.prepare(`DELETE FROM ${places} WHERE place = ?`);
  }

  /** Every entry like the plate, whatever its state. @param country as the camera reports it */
  listedLike(plate: string, country: string | null = null): Permit[] {
    const keys = new Set(platesToList(plate, country).map(foldPlate));
    return [...keys].flatMap((key) => this.#withKey(key));
  }

  #withKey(key: string): Permit[] {
    const first = firstPlace(slotOfKey(key));
    return this.#bySlot
      .all(first, first + BigInt(ROWS - 1))
      .map(fromBody)
      .filter((permit) => foldPlate(permit.plate) === key);
  }

  get(id: string): Permit | undefined {
    const found = this.#byId.get(id);
    return found && fromBody(found.body);
  }

  put(permit: Permit): void {
    const body = JSON.stringify(permit);
    const found = this.#byId.get(permit.id);
    const row = found?.row ?? Number(this.#insert.run(permit.id, body).lastInsertRowid);
    if (found) {
      this.#removePlace.run(placeOf(fromBody(found.body).plate, row));
      this.#update.run(body, row);
    }
    this.#addPlace.run(placeOf(permit.plate, row));
  }

  remove(id: string): void {
    const found = this.#byId.get(id);
    if (!found) return;
    this.#removePlace.run(placeOf(fromBody(found.body).plate, found.row));
    this.#remove.run(found.row);
  }
}

function placeOf(plate: string, row: number): bigint {
  return firstPlace(plateSlot(plate)) + BigInt(row);
}

/** Parsed at the border when it came in; the database only kept it. */
function fromBody(body: string): Permit {
  return JSON.parse(body) as Permit;
}
