import { foldPlate } from '@hlid/protocol/plate';
import type { Permit } from '@hlid/protocol/whitelist';
import type { SiteDb } from '../db/site-db.ts';

/** The whitelist as this site holds it. */
export interface PermitStore {
  /** Every entry whose plate shares the folded key of this one, whatever its state. */
  listedLike(plate: string): Permit[];
  get(id: string): Permit | undefined;
  put(permit: Permit): void;
  remove(id: string): void;
}

/** @param table the live list, or the one that is being built beside it */
export function createPermitStore(db: SiteDb, table: 'permit' | 'permit_next' = 'permit'): PermitStore {
  const byKey = db.prepare<[string], string>(`SELECT body FROM ${table} WHERE plate_key = ?`).pluck();
  const byId = db.prepare<[string], string>(`SELECT body FROM ${table} WHERE id = ?`).pluck();
  const put = db.prepare(
    `INSERT INTO ${table} (id, plate_key, body) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET plate_key = excluded.plate_key, body = excluded.body`,
  );
  const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  return {
    listedLike: (plate) => byKey.all(foldPlate(plate)).map(fromBody),
    get(id) {
      const body = byId.get(id);
      return body === undefined ? undefined : fromBody(body);
    },
    put: (permit) => void put.run(permit.id, foldPlate(permit.plate), JSON.stringify(permit)),
    remove: (id) => void remove.run(id),
  };
}

/** Parsed at the border when it came in; the database only kept it. */
function fromBody(body: string): Permit {
  return JSON.parse(body) as Permit;
}
