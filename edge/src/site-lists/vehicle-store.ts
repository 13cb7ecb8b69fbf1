import type { VehicleItem } from '@hlid/protocol/site-link/site-change';
import type { Statement } from 'better-sqlite3';
import type { SiteDb } from '../db/site-db.ts';

/** The vehicles that the cloud sends to this site. There may be hundreds of thousands. */
export class VehicleStore {
  readonly #byPlate: Statement<[string], string>;
  readonly #put: Statement;
  readonly #remove: Statement;

  /** @param suffix of the table: none for the live list, another while one is built beside it */
  constructor(db: SiteDb, suffix: '' | '_next' = '') {
    const table = `vehicle${suffix}`;
    this.#byPlate = db.prepare<[string], string>(`SELECT body FROM ${table} WHERE plate = ?`).pluck();
    this.#put = db.prepare(
      `INSERT INTO ${table} (plate, body) VALUES (?, ?) ON CONFLICT (plate) DO UPDATE SET body = excluded.body`,
    );
    this.#remove = db.prepare(`DELETE FROM ${table} WHERE plate = ?`);
  }

  get(plate: string): VehicleItem | undefined {
    const body = this.#byPlate.get(plate);
    // Parsed at the border when it came in; the database only kept it.
    return body === undefined ? undefined : (JSON.parse(body) as VehicleItem);
  }

  put(plate: string, vehicle: VehicleItem): void {
    this.#put.run(plate, JSON.stringify(vehicle));
  }

  remove(plate: string): void {
    this.#remove.run(plate);
  }
}
