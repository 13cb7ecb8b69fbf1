import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MIGRATIONS } from './migrations.ts';
import { openSiteDb } from './site-db.ts';

const NEXT = [...MIGRATIONS, "INSERT INTO meta VALUES ('upgraded', 'yes');"];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-site-db-'));
  path = join(folder, 'site.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

const metaOf = (file: string) => {
  const db = new Database(file, { readonly: true });
  const meta = Object.fromEntries(
    db.prepare<[], [string, string]>('SELECT key, value FROM meta').raw().all(),
  );
  db.close();
  return meta;
};

test('a new database has every table, and no copy of an older one', () => {
  openSiteDb(path, { migrations: NEXT }).close();
  expect(metaOf(path)).toEqual({ upgraded: 'yes' });
  expect(existsSync(`${path}.before-upgrade`)).toBe(false);
});

test('a later version upgrades the database once, and keeps a copy of it as it was', () => {
  const first = openSiteDb(path);
  first.exec("INSERT INTO meta VALUES ('epoch', 'e')");
  first.close();
  for (let start = 0; start < 2; start++) openSiteDb(path, { migrations: NEXT }).close();
  expect(metaOf(path)).toEqual({ epoch: 'e', upgraded: 'yes' });
  expect(metaOf(`${path}.before-upgrade`)).toEqual({ epoch: 'e' });
});

test('a migration can read packed columns, also on the copy', () => {
  openSiteDb(path).close();
  const reads = `INSERT INTO meta (key, value) VALUES ('read', unpacked('{}'))`;
  openSiteDb(path, { migrations: [...NEXT, reads] }).close();
  expect(metaOf(path)).toEqual({ upgraded: 'yes', read: '{}' });
});

test('a migration that fails leaves the database as it was', () => {
  openSiteDb(path).close();
  expect(() => openSiteDb(path, { migrations: [...NEXT, 'nonsense'] })).toThrow('The database is as it was');
  expect(metaOf(path)).toEqual({});
});

test('an earlier version opens it, since migrations only add', () => {
  openSiteDb(path, { migrations: NEXT }).close();
  openSiteDb(path).close();
  expect(metaOf(path)).toEqual({ upgraded: 'yes' });
});
