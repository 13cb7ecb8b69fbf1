import type { SnapshotLine } from '@hlid/protocol/edge-api';
import type { SiteDb } from '../db/site-db.ts';
import type { LongWork } from './long-work.ts';
import { createPermitStore, type PermitStore } from './permit-store.ts';
import { plateSlot } from './plate-slot.ts';
import { createSlotOrder } from './slot-order.ts';
import { createVehicleStore, type VehicleStore } from './vehicle-store.ts';

/** A line of a snapshot that belongs to one of the lists too long for memory. */
export type LongLine = Extract<SnapshotLine, { kind: 'permit' | 'vehicle' }>;

/** The long lists of a snapshot, built beside the live ones. */
export interface NextLists {
  /** Adds a new item, within the running transaction. False: there is one of that id already. */
  add(line: LongLine): boolean;
  /** Makes what was added ready to be looked up: from then on only `permits` and `vehicles` write. */
  index(): Promise<void>;
  permits: PermitStore;
  vehicles: VehicleStore;
  /** They take the place of the live ones, within the running transaction; those are left over, for the sweeper. */
  swapIn(): void;
}

const PLACES_AT_ONCE = 1000;
const TABLES = ['permit', 'permit_place', 'vehicle'] as const;

/** Begins anew; nothing may be left over of an earlier one. */
export function createNextLists(db: SiteDb, longWork: LongWork): NextLists {
  db.exec(
    `CREATE TABLE permit_next (row INTEGER PRIMARY KEY CHECK (row < 134217728), id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
     CREATE TABLE permit_place_next (place INTEGER PRIMARY KEY);
     CREATE TABLE vehicle_next (plate TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID`,
  );
  const permits = createPermitStore(db, '_next');
  const vehicles = createVehicleStore(db, '_next');
  const addPermit = db.prepare(
    'INSERT INTO permit_next (id, body) VALUES (?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const addPlaces = db.prepare('INSERT OR IGNORE INTO permit_place_next SELECT value FROM json_each(?)');
  const places = createSlotOrder();

  return {
    permits,
    vehicles,
    add(line) {
      if (line.kind === 'vehicle') {
        if (vehicles.get(line.id)) return false;
        vehicles.put(line.id, line.item);
        return true;
      }
      const { changes, lastInsertRowid } = addPermit.run(line.id, JSON.stringify(line.item));
      if (changes === 0) return false;
      places.add(plateSlot(line.item.plate), Number(lastInsertRowid));
      return true;
    },
    async index() {
      for (const some of places.inOrder(PLACES_AT_ONCE)) {
        await longWork.step(() => addPlaces.run(`[${some.join(',')}]`));
      }
    },
    swapIn() {
      for (const table of TABLES) {
        db.exec(`ALTER TABLE ${table} RENAME TO ${table}_old; ALTER TABLE ${table}_next RENAME TO ${table}`);
      }
    },
  };
}
