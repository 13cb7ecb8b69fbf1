import type { SnapshotLine } from '@hlid/protocol/edge-api';
import type { SiteDb } from '../db/site-db.ts';
import { createPermitStore } from './permit-store.ts';
import { createVehicleStore } from './vehicle-store.ts';

/** A line of a snapshot that belongs to one of the lists too long for memory. */
export type LongLine = Extract<SnapshotLine, { kind: 'permit' | 'vehicle' }>;

/** The long lists of a snapshot, built beside the live ones. */
export interface NextLists {
  put(line: LongLine): void;
  /** They take the place of the live ones, within the running transaction. */
  swapIn(): void;
  drop(): void;
}

/** Begins anew: what an earlier snapshot that came to nothing has left behind goes. */
export function createNextLists(db: SiteDb): NextLists {
  db.exec(
    `DROP TABLE IF EXISTS permit_next;
     CREATE TABLE permit_next (id TEXT NOT NULL UNIQUE, plate_key TEXT NOT NULL, body TEXT NOT NULL,
       PRIMARY KEY (plate_key, id)) WITHOUT ROWID;
     DROP TABLE IF EXISTS vehicle_next;
     CREATE TABLE vehicle_next (plate TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID`,
  );
  const permits = createPermitStore(db, 'permit_next');
  const vehicles = createVehicleStore(db, 'vehicle_next');
  return {
    put(line) {
      if (line.kind === 'permit') permits.put(line.item);
      else vehicles.put(line.id, line.item);
    },
    swapIn: () =>
      void db.exec(
        `DROP TABLE permit; ALTER TABLE permit_next RENAME TO permit;
         DROP TABLE vehicle; ALTER TABLE vehicle_next RENAME TO vehicle`,
      ),
    drop: () => void db.exec('DROP TABLE permit_next; DROP TABLE vehicle_next'),
  };
}
