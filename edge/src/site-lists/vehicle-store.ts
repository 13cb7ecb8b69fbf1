import type { VehicleItem } from '@hlid/protocol/site-change';
import type { SiteDb } from '../db/site-db.ts';

/** The vehicles that the cloud has something to say of, as this site holds them. There may be hundreds of thousands. */
export interface VehicleStore {
  get(plate: string): VehicleItem | undefined;
  put(plate: string, vehicle: VehicleItem): void;
  remove(plate: string): void;
}

/** @param suffix of the table: none for the live list, another while one is built beside it */
export function createVehicleStore(db: SiteDb, suffix: '' | '_next' = ''): VehicleStore {
  const byPlate = db.prepare<[string], string>(`SELECT body FROM vehicle${suffix} WHERE plate = ?`).pluck();
  const put = db.prepare(
    `INSERT INTO vehicle${suffix} (plate, body) VALUES (?, ?) ON CONFLICT (plate) DO UPDATE SET body = excluded.body`,
  );
  const remove = db.prepare(`DELETE FROM vehicle${suffix} WHERE plate = ?`);
  return {
    get(plate) {
      const body = byPlate.get(plate);
      // Parsed at the border when it came in; the database only kept it.
      return body === undefined ? undefined : (JSON.parse(body) as VehicleItem);
    },
    put: (plate, vehicle) => void put.run(plate, JSON.stringify(vehicle)),
    remove: (plate) => void remove.run(plate),
  };
}
