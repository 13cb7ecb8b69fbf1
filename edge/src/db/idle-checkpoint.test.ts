import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventsWithoutLog } from '../../test/events-without-log.ts';
import { GroupCommit } from './group-commit.ts';
import { IdleCheckpoint } from './idle-checkpoint.ts';
import { openSiteDb, type SiteDb } from './site-db.ts';

let folder: string;
let path: string;
let db: SiteDb;
let commit: GroupCommit;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = mkdtempSync(join(tmpdir(), 'hlid-checkpoint-'));
  path = join(folder, 'site.sqlite');
  db = openSiteDb(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  commit = new GroupCommit(db);
});
afterEach(() => {
  vi.useRealTimers();
  db.close();
  rmSync(folder, { recursive: true });
});

/** Commits of about one car each. */
async function write(commits: number): Promise<void> {
  const add = db.prepare('INSERT INTO event (at, body) VALUES (?, ?)');
  for (let n = 0; n < commits; n++) {
    await commit.run(() => void add.run('2026-11-21T08:00:00.000Z', 'x'.repeat(3000)));
  }
}

it('what cars have written is in the database itself once it is quiet, and not while they come', async () => {
  new IdleCheckpoint({ db, commit }).start();
  for (let car = 0; car < 320; car++) {
    await write(1);
    vi.advanceTimersByTime(20);
  }
  expect(eventsWithoutLog(path)).toBe(0);
  vi.advanceTimersByTime(20);
  expect(eventsWithoutLog(path)).toBe(320);
});

it('a few cars are left in the log: each page is written once for many', async () => {
  new IdleCheckpoint({ db, commit }).start();
  await write(290);
  vi.advanceTimersByTime(1000);
  expect(eventsWithoutLog(path)).toBe(0);
});

it('does nothing once it is stopped, or the database is closed', async () => {
  const log = new IdleCheckpoint({ db, commit });
  log.start();
  await write(420);
  log.stop();
  vi.advanceTimersByTime(1000);
  expect(eventsWithoutLog(path)).toBe(0);
  await write(1);
  db.close();
  expect(() => vi.advanceTimersByTime(1000)).not.toThrow();
});
