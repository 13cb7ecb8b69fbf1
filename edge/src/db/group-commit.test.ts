import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';
import { openSiteDb, type SiteDb } from './site-db.ts';

let folder: string;
let db: SiteDb;
let commit: GroupCommit;
let commits: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-commit-'));
  db = openSiteDb(join(folder, 'site.sqlite'));
  commit = new GroupCommit(db);
  commits = 0;
  commit.onCommitted(() => commits++);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const write = (key: string) => () => {
  db.prepare('INSERT INTO meta VALUES (?, ?)').run(key, key);
  return key;
};
const keys = () => db.prepare('SELECT key FROM meta ORDER BY key').pluck().all();

it('commits once for all that arrives together, in order', async () => {
  const results = await Promise.all(['a', 'b', 'c'].map((key) => commit.run(write(key))));
  expect(results).toEqual(['a', 'b', 'c']);
  expect(commits).toBe(1);
  expect(keys()).toEqual(['a', 'b', 'c']);
});

it('takes along what can wait, and does not forget it when nothing else comes', async () => {
  const soon = commit.runSoon(write('a'));
  await commit.run(write('b'));
  expect(keys()).toEqual(['a', 'b']);
  await soon;
  expect(commits).toBe(1);
  await commit.runSoon(write('c'));
  expect(keys()).toEqual(['a', 'b', 'c']);
});

it('undoes alone the work that throws', async () => {
  const failing = () => {
    write('half')();
    throw new Error('no');
  };
  let undone = 0;
  commit.onUndone(() => undone++);
  const outcomes = await Promise.allSettled([
    commit.run(write('a')),
    commit.run(failing),
    commit.run(write('b')),
  ]);
  expect(undone).toBe(1);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(keys()).toEqual(['a', 'b']);
});

it('rejects all waiting writes when the commit itself fails, and continues', async () => {
  const locker = openSiteDb(join(folder, 'site.sqlite'));
  db.pragma('busy_timeout = 0');
  commit = new GroupCommit(db, { busyTimeoutMs: 0 });
  locker.exec('BEGIN IMMEDIATE');
  const outcomes = await Promise.allSettled([commit.run(write('a')), commit.run(write('b'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  locker.exec('COMMIT');
  locker.close();
  await commit.run(write('c'));
  expect(keys()).toEqual(['c']);
});

it('waits while another process writes, and nobody stands still meanwhile', async () => {
  const locker = openSiteDb(join(folder, 'site.sqlite'));
  db.pragma('busy_timeout = 0');
  locker.exec('BEGIN EXCLUSIVE');
  const written = commit.run(write('a'));
  let ticks = 0;
  const ticking = setInterval(() => ticks++, 5);
  await new Promise<void>((resolve) => {
    setTimeout(() => {
      locker.exec('COMMIT');
      resolve();
    }, 120);
  });
  await Promise.all([written, commit.run(write('b'))]);
  clearInterval(ticking);
  locker.close();
  expect(ticks).toBeGreaterThan(5);
  expect(keys()).toEqual(['a', 'b']);
});

it('flushes to the disk at every commit', () => {
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
});

it('answers every caller when the database refuses the rollback too', async () => {
  const damaged = (): never => {
    throw new Error('malformed');
  };
  const refusing: SiteDb = Object.create(db, {
    prepare: { value: (sql: string) => (sql === 'ROLLBACK' ? { run: damaged } : db.prepare(sql)) },
  });
  commit = new GroupCommit(refusing, { checkInPlace: damaged });
  const outcomes = await Promise.allSettled([commit.run(write('a')), commit.run(write('b'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
