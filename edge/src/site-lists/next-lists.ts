import { canonicalJson } from '@hlid/protocol/content-hash';
import type { ParsedLine } from '../cloud-link/feed-book.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { LongWork } from './long-work.ts';
import { createPermitStore, type PermitStore } from './permit-store.ts';
import { plateSlot } from './plate-slot.ts';
import { createSlotOrder } from './slot-order.ts';
import { createVehicleStore, type VehicleStore } from './vehicle-store.ts';

/** A line of a snapshot that belongs to one of the lists too long for memory. */
export type LongLine = Extract<ParsedLine, { kind: 'permit' | 'vehicle' }>;

/** An item of such a list as it is kept: `body` is canonical JSON. */
export interface LongItem {
  kind: LongLine['kind'];
  id: string;
  plate: string;
  body: string;
}

export function longItem(line: LongLine): LongItem {
  if (!('item' in line)) return line;
  const { kind, id, item } = line;
  return { kind, id, plate: item.plate, body: canonicalJson(item) };
}

/** The long lists of a snapshot, built beside the live ones. */
export interface NextLists {
  /** Adds new items, within the running transaction. @returns those of whose id there is one already */
  add(items: readonly LongItem[]): LongItem[];
  /** Makes what was added ready to be looked up: from then on only `permits` and `vehicles` write. */
  index(): Promise<void>;
  permits: PermitStore;
  vehicles: VehicleStore;
  /** They take the place of the live ones, within the running transaction; those are left over, for the sweeper. */
  swapIn(): void;
}

/** A statement for each row costs as much again as the row. */
const ROWS_A_STATEMENT = 50;
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
    'INSERT INTO permit_next (row, id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const addPermits = db.prepare(
    `INSERT INTO permit_next (row, id, body) VALUES ${Array(ROWS_A_STATEMENT).fill('(?, ?, ?)').join(', ')}`,
  );
  const addVehicle = db.prepare('INSERT INTO vehicle_next VALUES (?, ?) ON CONFLICT (plate) DO NOTHING');
  const addPlaces = db.prepare('INSERT OR IGNORE INTO permit_place_next SELECT value FROM json_each(?)');
  const places = createSlotOrder();
  let row = 0;
  /** No id that is there goes behind it. */
  let lastId = '';

  /** Whether none of these ids can be there already: clouds send them in order. */
  function goOn(items: readonly LongItem[]): boolean {
    let last = lastId;
    for (const { id } of items) {
      if (id <= last) return false;
      last = id;
    }
    return true;
  }

  function addTogether(permits: readonly LongItem[]): void {
    addPermits.run(permits.flatMap(({ id, body }, at) => [row + 1 + at, id, body]));
    for (const { plate } of permits) places.add(plateSlot(plate), ++row);
    lastId = permits.at(-1)?.id ?? lastId;
  }

  function addAlone(permit: LongItem): boolean {
    if (addPermit.run(row + 1, permit.id, permit.body).changes === 0) return false;
    places.add(plateSlot(permit.plate), ++row);
    if (permit.id > lastId) lastId = permit.id;
    return true;
  }

  return {
    permits,
    vehicles,
    add(items) {
      const vehicleItems = items.filter(({ kind }) => kind === 'vehicle');
      const permitItems = vehicleItems.length === 0 ? items : items.filter(({ kind }) => kind === 'permit');
      const known = vehicleItems.filter(({ id, body }) => addVehicle.run(id, body).changes === 0);
      for (let at = 0; at < permitItems.length; at += ROWS_A_STATEMENT) {
        const some = permitItems.slice(at, at + ROWS_A_STATEMENT);
        if (some.length === ROWS_A_STATEMENT && goOn(some)) addTogether(some);
        else known.push(...some.filter((permit) => !addAlone(permit)));
      }
      return known;
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
