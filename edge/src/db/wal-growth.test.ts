import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSiteDb, type SiteDb } from './site-db.ts';

const MIB = 1024 * 1024;
let folder: string;
let db: SiteDb;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-wal-'));
  db = openSiteDb(join(folder, 'site.sqlite'));
  // The test measures how much is written, not how safely.
  db.pragma('synchronous = OFF');
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const walBytes = () => statSync(join(folder, 'site.sqlite-wal')).size;

/** Commits of about one car each. */
function write(commits: number): void {
  const add = db.prepare('INSERT INTO event (at, body) VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM event WHERE seq <= ? - 2000');
  for (let n = 0; n < commits; n++) {
    const { lastInsertRowid } = add.run('2026-11-21T08:00:00.000Z', 'x'.repeat(3000));
    if (n % 100 === 0) drop.run(lastInsertRowid);
  }
}

it('keeps the write-ahead log of a site that runs for months short', () => {
  let most = 0;
  for (let round = 0; round < 10; round++) {
    write(1500);
    most = Math.max(most, walBytes());
  }
  expect(most).toBeLessThan(36 * MIB);
});

it('grown behind a long reader or a large change, it gives its disk back', () => {
  const reader = new Database(join(folder, 'site.sqlite'), { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM event').get();
  write(12_000);
  expect(walBytes()).toBeGreaterThan(60 * MIB);
  reader.exec('COMMIT');
  reader.close();
  write(50);
  expect(walBytes()).toBeLessThanOrEqual(40 * MIB);
});
