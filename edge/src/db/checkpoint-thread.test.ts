import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline } from '@hlid/protocol/test/deadline';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventsWithoutLog } from '../../test/events-without-log.ts';
import { CheckpointThread } from './checkpoint-thread.ts';
import { openSiteDb, type SiteDb } from './site-db.ts';

let folder: string;
let path: string;
let db: SiteDb;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-thread-'));
  path = join(folder, 'site.sqlite');
  db = openSiteDb(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const add = () =>
  db.prepare('INSERT INTO event (at, body) VALUES (?, ?)').run('2026-11-21T08:00:00.000Z', 'x'.repeat(3000));

test('brings the log into the database, and the log begins again', async () => {
  const thread = new CheckpointThread(db);
  let written = 0;
  // Writes until the thread has made its checkpoint.
  const lag = async () => {
    add();
    written++;
    await thread.checkpoint();
    return written - eventsWithoutLog(path);
  };
  await expect.poll(lag, { timeout: deadline(20_000) }).toBe(0);
  for (let n = 0; n < 40; n++) {
    add();
    await thread.checkpoint();
  }
  expect(eventsWithoutLog(path)).toBe(written + 40);
  const [state] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[];
  expect(state?.log).toBeLessThan(20);
});

test('does not hold anybody up where it cannot work', async () => {
  const thread = new CheckpointThread(new Database(':memory:'));
  for (let n = 0; n < 3; n++) await thread.checkpoint();
  add();
  expect(db.prepare('SELECT count(*) FROM event').pluck().get()).toBe(1);
});
