import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldPlate } from '@hlid/protocol/plate';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MIGRATIONS } from '../db/migrations.ts';
import { openSiteDb, type SiteDb } from '../db/site-db.ts';
import { testPermit } from '../test-site.ts';
import { createPermitStore } from './permit-store.ts';
import { plateSlot, ROWS } from './plate-slot.ts';

let folder: string;
let path: string;
let db: SiteDb | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-permits-'));
  path = join(folder, 'site.sqlite');
});
afterEach(() => {
  db?.close();
  db = undefined;
  rmSync(folder, { recursive: true });
});
const open = () => {
  db = openSiteDb(path);
  return { db, permits: createPermitStore(db) };
};
const permit = (id: string, plate: string) => testPermit(plate, { id });

test('finds what shares the folded key of a plate, whatever was put, replaced and taken away', () => {
  const { db, permits } = open();
  // Thousands of writes, and no power cut.
  db.pragma('synchronous = OFF');
  const Plate = fc.constantFrom('ABX12', 'A8XI2', 'A8X12', 'MKJ45', 'ÞÓR1', 'PÓR1', '무1234', 'O0D1');
  const Step = fc.tuple(fc.constantFrom('put', 'remove'), fc.constantFrom('p1', 'p2', 'p3', 'p4'), Plate);
  const held = new Map<string, string>();
  fc.assert(
    fc.property(fc.array(Step), (steps) => {
      for (const [what, id, plate] of steps) {
        if (what === 'put') {
          permits.put(permit(id, plate));
          held.set(id, plate);
        } else {
          permits.remove(id);
          held.delete(id);
        }
      }
      for (const plate of ['ABX12', 'MKJ45', 'ÞÓR1', '무1234', 'OOD1']) {
        const alike = [...held].filter(([, other]) => foldPlate(other) === foldPlate(plate));
        const found = permits.listedLike(plate).map(({ id, plate }) => [id, plate]);
        expect(found.sort()).toEqual(alike.sort());
      }
      expect(db.prepare('SELECT count(*) FROM permit_place').pluck().get()).toBe(held.size);
    }),
  );
});

test('a plate in the slot of another is not taken for it', () => {
  const { db, permits } = open();
  permits.put(permit('p1', 'ABX12'));
  const row = BigInt(Number(db.prepare('SELECT row FROM permit').pluck().get()));
  const place = BigInt(plateSlot('MKJ45')) * BigInt(ROWS) + row;
  db.prepare('INSERT INTO permit_place VALUES (?)').run(place);
  expect(permits.listedLike('MKJ45')).toEqual([]);
});

test('a database of the version before keeps its permits', () => {
  const old = new Database(path);
  for (const migration of MIGRATIONS.slice(0, 3)) old.exec(migration);
  old.pragma('user_version = 3');
  const insert = old.prepare('INSERT INTO permit (id, plate_key, body) VALUES (?, ?, ?)');
  const plates = ['ABX12', 'A8X12', 'MKJ45', 'ÞÓR1', '무1234'];
  for (const [at, plate] of plates.entries()) {
    insert.run(`p${at}`, foldPlate(plate), JSON.stringify(permit(`p${at}`, plate)));
  }
  // A snapshot was on its way when it was stopped.
  old.exec('CREATE TABLE permit_next (id TEXT NOT NULL UNIQUE, plate_key TEXT NOT NULL, body TEXT NOT NULL)');
  old.close();
  const { permits } = open();
  for (const [at, plate] of plates.entries()) {
    expect(permits.listedLike(plate)).toContainEqual(permit(`p${at}`, plate));
    expect(permits.get(`p${at}`)?.plate).toBe(plate);
  }
  permits.put(permit('p0', 'NEW22'));
  expect(permits.listedLike('ABX12').map(({ id }) => id)).toEqual(['p1']);
});
