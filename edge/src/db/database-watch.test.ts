import { mkdtempSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline } from '@hlid/protocol/test/deadline';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseWatch, type DatabaseWatchTiming } from './database-watch.ts';
import { GroupCommit } from './group-commit.ts';
import { openSiteDb, PAGE_BYTES as PAGE, type SiteDb } from './site-db.ts';

const NEVER_MS = 1_000_000;

let folder: string;
let path: string;
let db: SiteDb;
let watch: DatabaseWatch;
let broken: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-watch-'));
  path = join(folder, 'site.sqlite');
  db = openSiteDb(path);
  for (let n = 0; n < 400; n++) add();
  broken = [];
});
afterEach(async () => {
  await watch.stop();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

function add(): void {
  db.prepare('INSERT INTO event (at, body) VALUES (?, ?)').run('2026-11-21T08:00:00.000Z', 'x'.repeat(1500));
}

function start(timing: Partial<DatabaseWatchTiming>): DatabaseWatch {
  watch = new DatabaseWatch(
    { db, log: pino({ enabled: false }) },
    {
      dataDir: folder,
      unwritable: null,
      onBroken: (reason) => broken.push(reason),
      onWritable: () => undefined,
      timing: { firstCheckMs: NEVER_MS, checkEveryMs: NEVER_MS, inPlaceEveryMs: NEVER_MS, ...timing },
    },
  );
  watch.start();
  return watch;
}

describe('while the daemon runs', () => {
  it('finds a damaged page that nobody has asked for, and not one in a whole file', async () => {
    db.pragma('wal_checkpoint(TRUNCATE)');
    await start({}).check();
    expect(broken).toEqual([]);
    const file = openSync(path, 'r+');
    const last = Math.floor(statSync(path).size / PAGE) - 3;
    writeSync(file, Buffer.alloc(PAGE), 0, PAGE, last * PAGE);
    await watch.check();
    expect(broken).toHaveLength(1);
  });

  it.each([
    ['its schema', 1],
    ['all but its first page', 2],
  ])('says in words that %s is damaged', async (_, firstDamaged) => {
    db.pragma('wal_checkpoint(TRUNCATE)');
    const pages = statSync(path).size / PAGE;
    const file = openSync(path, 'r+');
    // The head of a database, 100 bytes, stays as it is.
    for (let page = firstDamaged; page <= pages; page++) {
      const from = page === 1 ? 100 : 0;
      writeSync(file, Buffer.alloc(PAGE - from, 7), 0, PAGE - from, (page - 1) * PAGE + from);
    }
    await start({}).check();
    expect(broken).toEqual([expect.stringMatching(/^quick_check: .*(malformed|Page)/)]);
  });

  it('checks by itself', async () => {
    db.pragma('wal_checkpoint(TRUNCATE)');
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(PAGE), 0, PAGE, statSync(path).size - PAGE);
    start({ firstCheckMs: 0 });
    await expect.poll(() => broken, { timeout: deadline(20_000) }).toHaveLength(1);
  });

  it.each([
    ['its folder is deleted', () => rmSync(folder, { recursive: true })],
    ['its folder is moved away', () => renameSync(folder, `${folder}-moved`)],
    ['its write-ahead log is deleted', () => rmSync(`${path}-wal`)],
  ])('nothing counts as written once %s', async (_, remove) => {
    start({});
    const commit = new GroupCommit(db, {
      checkInPlace: () => watch.checkInPlace(),
      onFailed: (error) => watch.failed(error),
    });
    await commit.run(add);
    remove();
    await expect(commit.run(add)).rejects.toMatchObject({ code: 'database-gone' });
    expect(() => commit.runNow(add)).toThrow('deleted or replaced');
    expect(broken).toHaveLength(1);
    rmSync(`${folder}-moved`, { recursive: true, force: true });
  });

  it('notices that the folder is gone where nobody writes', async () => {
    start({ inPlaceEveryMs: 5 });
    rmSync(folder, { recursive: true });
    await expect.poll(() => broken, { timeout: deadline(20_000) }).toHaveLength(1);
  });
});
