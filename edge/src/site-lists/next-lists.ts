import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import type { Statement } from 'better-sqlite3';
import { plateSlot } from '../db/plate-slot.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { ParsedLine } from './feed-book.ts';
import type { LongWork } from './long-work.ts';
import { PermitStore } from './permit-store.ts';
import { SlotOrder } from './slot-order.ts';
import { VehicleStore } from './vehicle-store.ts';

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

/** A statement for each row costs as much again as the row. */
const ROWS_PER_STATEMENT = 50;
const PLACES_PER_STEP = 1000;
const TABLES = ['permit', 'permit_place', 'vehicle'] as const;

/** The long lists of a snapshot, built beside the live ones. */
export class NextLists {
  readonly permits: PermitStore;
  readonly vehicles: VehicleStore;
  readonly #db: SiteDb;
  readonly #longWork: LongWork;
  readonly #addPermit: Statement;
  readonly #addPermits: Statement;
  readonly #addVehicle: Statement;
  readonly #addPlaces: Statement;
  readonly #places = new SlotOrder();
  #row = 0;
  /** The greatest id that was added. */
  #lastId = '';

  /** Creates the tables: those of an earlier build must be gone. */
  constructor(db: SiteDb, longWork: LongWork) {
    for (const table of TABLES) createTwin(db, table);
    this.#db = db;
    this.#longWork = longWork;
    this.permits = new PermitStore(db, '_next');
    this.vehicles = new VehicleStore(db, '_next');
    this.#addPermit = db.prepare(
      'INSERT INTO permit_next (row, id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
    );
    this.#addPermits = db.prepare(
      `INSERT INTO permit_next (row, id, body) VALUES ${Array(ROWS_PER_STATEMENT).fill('(?, ?, ?)').join(', ')}`,
    );
    this.#addVehicle = db.prepare(
      'INSERT INTO vehicle_next (plate, body) VALUES (?, ?) ON CONFLICT (plate) DO NOTHING',
    );
    this.#addPlaces = db.prepare(
      'INSERT OR IGNORE INTO permit_place_next (place) SELECT value FROM json_each(?)',
    );
  }

  /** Adds new items, within the running transaction. @returns the items with an id that exists already */
  add(items: readonly LongItem[]): LongItem[] {
    const vehicles = items.filter(({ kind }) => kind === 'vehicle');
    const permits = vehicles.length === 0 ? items : items.filter(({ kind }) => kind === 'permit');
    const known = vehicles.filter(({ id, body }) => this.#addVehicle.run(id, body).changes === 0);
    for (let at = 0; at < permits.length; at += ROWS_PER_STATEMENT) {
      const some = permits.slice(at, at + ROWS_PER_STATEMENT);
      if (some.length === ROWS_PER_STATEMENT && this.#areAllNew(some)) this.#addTogether(some);
      else known.push(...some.filter((permit) => !this.#addAlone(permit)));
    }
    return known;
  }

  /** Makes what was added ready for lookups: from then on only `permits` and `vehicles` write. */
  async index(): Promise<void> {
    for (const some of this.#places.inOrder(PLACES_PER_STEP)) {
      await this.#longWork.step(() => this.#addPlaces.run(`[${some.join(',')}]`));
    }
  }

  /** They replace the live lists, within the running transaction; those are left over, for the sweeper. */
  swapIn(): void {
    for (const table of TABLES) {
      this.#db.exec(
        `ALTER TABLE ${table} RENAME TO ${table}_old; ALTER TABLE ${table}_next RENAME TO ${table}`,
      );
    }
  }

  /** Whether none of these ids can exist already: clouds send them in order. */
  #areAllNew(items: readonly LongItem[]): boolean {
    let last = this.#lastId;
    for (const { id } of items) {
      if (id <= last) return false;
      last = id;
    }
    return true;
  }

  #addTogether(permits: readonly LongItem[]): void {
    this.#addPermits.run(permits.flatMap(({ id, body }, at) => [this.#row + 1 + at, id, body]));
    for (const { plate } of permits) this.#places.add(plateSlot(plate), ++this.#row);
    this.#lastId = permits.at(-1)?.id ?? this.#lastId;
  }

  #addAlone(permit: LongItem): boolean {
    if (this.#addPermit.run(this.#row + 1, permit.id, permit.body).changes === 0) return false;
    this.#places.add(plateSlot(permit.plate), ++this.#row);
    if (permit.id > this.#lastId) this.#lastId = permit.id;
    return true;
  }
}

/** The table's twin has every column of the table: a newer version may have added some (ADR 30). */
function createTwin(db: SiteDb, table: (typeof TABLES)[number]): void {
  const sql = String(
    db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck().get(table),
  );
  db.exec(sql.replace(/^CREATE TABLE "?\w+"?/, `CREATE TABLE ${table}_next`));
}
