import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { openSite } from './open-site.ts';
import { replaceSiteDb } from './replace-site-db.ts';
import { PLANS } from './rescue-rows.ts';
import { openSiteDb, PAGE_BYTES as PAGE, type SiteDb } from './site-db.ts';

/** Copied with their numbers changed. */
const EVENTS = ['event', 'event_pack', 'quota_units'];
/** A new epoch has its own; the index of the permits is made of them. */
const OTHERWISE_MADE = ['meta', 'erased_event', 'permit_place', 'schema_note'];

const CARS = 120;
const PERMITS = 200;

/** A database of a busy day: cars inside and gone, permits, a price, and events that the cloud has and has not. */
let model: string;
let whole: Record<string, number>;
beforeAll(async () => {
  const site = createTestSite();
  await site.price(500);
  for (let n = 0; n < PERMITS; n++) site.permit(`PER${n}`);
  for (let n = 0; n < CARS; n++) {
    await site.read('in-1', `CAR${n}`);
    site.wait(60_000);
    if (n === CARS / 2) {
      site.acknowledge();
      await site.core.commit.run(() => undefined);
    }
  }
  site.core.stop();
  model = mkdtempSync(join(tmpdir(), 'hlid-model-'));
  site.db.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(join(site.folder, 'site.sqlite'), join(model, 'site.sqlite'));
  whole = counts(site.db);
  site.close();
});
afterAll(() => rmSync(model, { recursive: true }));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-open-'));
  path = join(folder, 'site.sqlite');
  copyFileSync(join(model, 'site.sqlite'), path);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function counts(db: SiteDb): Record<string, number> {
  const count = (sql: string) => Number(db.prepare(sql).pluck().get());
  return {
    visits: count('SELECT count(*) FROM visit WHERE ended_at IS NULL'),
    permits: count('SELECT count(*) FROM permit'),
    lists: count('SELECT count(*) FROM list_item'),
    events: count('SELECT count(*) FROM event'),
  };
}

const open = (trust: 'whole' | 'readable' = 'whole') =>
  openSite(folder, { trust, clock: { now: () => new Date() }, log: pino({ enabled: false }) });
const asideNames = () => readdirSync(folder).filter((name) => name.includes('.damaged-'));

/** The numbers of the pages that hold a table's rows. */
function leavesOf(table: string): number[] {
  const db = new Database(path, { readonly: true });
  try {
    return db
      .prepare<[string], number>(
        "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno",
      )
      .pluck()
      .all(table);
  } finally {
    db.close();
  }
}

function overwrite(at: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
}

describe('opening the database of a site', () => {
  it('leaves a whole one as it is', () => {
    const { db, unwritable } = open();
    expect(unwritable).toBeNull();
    expect(counts(db)).toEqual(whole);
    expect(asideNames()).toEqual([]);
    db.close();
  });

  it('leaves one as it is that only another version can use, and decides from memory', () => {
    const newer = new Database(path);
    newer.pragma('user_version = 999');
    newer.close();
    const { db, unwritable, lasts } = open();
    expect(unwritable).toContain('this version cannot use it');
    expect(lasts).toBe(true);
    expect(counts(db)).toMatchObject({ visits: CARS, permits: PERMITS, lists: whole['lists'], events: 0 });
    expect(asideNames()).toEqual([]);
    db.close();
    const after = new Database(path, { readonly: true });
    expect(counts(after)).toEqual(whole);
    after.close();
  });

  it('sets a file of garbage aside, and begins again', () => {
    const garbage = Buffer.alloc(50_000, 'garbage ');
    writeFileSync(path, garbage);
    const { db, unwritable } = open();
    expect(unwritable).toBeNull();
    expect(counts(db)).toEqual({ visits: 0, permits: 0, lists: 0, events: 0 });
    const [file] = asideNames().filter((name) => !name.endsWith('.txt'));
    expect(readFileSync(join(folder, file ?? ''))).toEqual(garbage);
    db.close();
  });

  it.each([
    ['an empty file', () => truncateSync(path, 0)],
    ['a header that is overwritten', () => overwrite(0, Buffer.alloc(100, 0xa5))],
    ['the second half missing', () => truncateSync(path, Math.floor(statSync(path).size / 2))],
    [
      'a table missing',
      () => {
        const db = new Database(path);
        db.exec('DROP TABLE passage');
        db.close();
      },
    ],
  ])('replaces %s', (_, damage) => {
    damage();
    // A missing table is noticed only when it is used.
    open().db.close();
    const { db, unwritable } = open('readable');
    expect(unwritable).toBeNull();
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(asideNames().length).toBeGreaterThan(0);
    db.close();
  });

  it('takes everything over from behind an overwritten header', () => {
    overwrite(0, Buffer.alloc(100, 0xa5));
    const { db } = open();
    // Only the events that the cloud has not received are rescued.
    const { events, ...others } = counts(db);
    expect(others).toEqual({ visits: whole['visits'], permits: whole['permits'], lists: whole['lists'] });
    expect(events).toBeGreaterThan(CARS);
    expect(db.prepare('SELECT min(seq), max(seq), count(*) FROM event').raw().get()).toEqual([
      1,
      events,
      events,
    ]);
    db.close();
  });

  it('takes over what lies around a page that is gone, before it and behind it', () => {
    const leaves = leavesOf('visit');
    expect(leaves.length).toBeGreaterThan(6);
    for (const leaf of [leaves[1], leaves[4]]) overwrite(((leaf ?? 0) - 1) * PAGE, Buffer.alloc(PAGE));
    const { db } = open('readable');
    const kept = counts(db)['visits'] ?? 0;
    // Two pages of visits are lost, and no more.
    expect(kept).toBeGreaterThanOrEqual(CARS - 2 * Math.ceil(CARS / (leaves.length - 1)) - 2);
    expect(kept).toBeLessThan(CARS);
    expect(counts(db)['permits']).toBe(PERMITS);
    db.close();
  });

  it('begins an epoch in which each event that the cloud lacks has a number, without gaps', () => {
    const before = new Database(path, { readonly: true });
    const meta = (db: SiteDb, key: string) =>
      db.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
    const epoch = meta(before, 'epoch');
    const acknowledged = Number(meta(before, 'acknowledged'));
    const last = Number(before.prepare('SELECT max(seq) FROM event').pluck().get());
    before.close();
    const { db } = open('readable');
    expect(meta(db, 'epoch')).not.toBe(epoch);
    expect(meta(db, 'acknowledged')).toBeUndefined();
    expect(db.prepare('SELECT count(*), max(seq) FROM event').raw().get()).toEqual([
      last - acknowledged,
      last - acknowledged,
    ]);
    // Each visit agrees with its event.
    expect(
      db
        .prepare(
          'SELECT count(*) FROM visit WHERE reported_seq > 0 AND reported_seq NOT IN (SELECT seq FROM event)',
        )
        .pluck()
        .get(),
    ).toBe(0);
    expect(Number(db.prepare('SELECT count(*) FROM visit WHERE reported_seq > 0').pluck().get())).toBe(
      CARS / 2 - 1,
    );
    db.close();
  });

  it('says of every table whether it is rescued or made again', () => {
    const db = new Database(path, { readonly: true });
    const tables = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all();
    db.close();
    const rescued = [...PLANS.map(({ table }) => table), ...EVENTS];
    expect([...rescued, ...OTHERWISE_MADE].sort()).toEqual(tables.sort());
  });

  it('saves what is in files that were deleted under it', () => {
    const live = openSiteDb(path);
    rmSync(folder, { recursive: true });
    const at = new Date('2026-11-22T10:00:00Z');
    const { rescued } = replaceSiteDb(path, { reason: 'deleted', source: live, at, rescue: true });
    live.close();
    expect(rescued.damaged).toEqual([]);
    const { db } = open();
    expect(counts(db)).toMatchObject({ visits: CARS, permits: PERMITS });
    expect(asideNames()).toEqual(['site.sqlite.damaged-20261122T100000000Z.txt']);
    db.close();
  });

  it('goes on where a power cut has broken off the replacing', () => {
    const next = `${path}.next`;
    copyFileSync(path, next);
    rmSync(path);
    const { db } = open();
    expect(counts(db)).toEqual(whole);
    db.close();
  });

  it('reads into memory what it can, where nothing can be written', () => {
    // A folder in the way of the new database, for nothing keeps a test that runs as root from writing.
    mkdirSync(`${path}.next`);
    writeFileSync(path, Buffer.concat([Buffer.alloc(100, 0xa5), readFileSync(path).subarray(100)]));
    const { db, unwritable } = open();
    expect(unwritable).not.toBeNull();
    expect(counts(db)).toMatchObject({ visits: CARS, permits: PERMITS, lists: whole['lists'], events: 0 });
    expect(asideNames()).toEqual([]);
    db.close();
  });
});
