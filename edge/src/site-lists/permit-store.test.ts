import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldPlate } from '@hlid/protocol/plate/plate';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testPermit } from '../../test/site.ts';
import { plateSlot, ROWS } from '../db/plate-slot.ts';
import { openSiteDb, type SiteDb } from '../db/site-db.ts';
import { PermitStore } from './permit-store.ts';

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
  return { db, permits: new PermitStore(db) };
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
