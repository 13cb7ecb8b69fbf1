import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { backupInThread } from '@hlid/cloud/privacy/backup/backup-thread';
import { makeBackupKey } from '@hlid/node/backup/backup-key';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import Database from 'better-sqlite3';
import { builtThread } from '../../harness/programs-built.ts';
import { SQLD_INSTALLED } from '../../harness/sqld.ts';
import { restoreInto } from '../bench-backup-rows.ts';
import { countryPlate } from '../history/country.ts';
import type { LoadResult } from '../load.ts';
import { memoryOf } from '../memory-of.ts';
import { measureReplica } from './measure-replica.ts';
import type { ScaleCloud } from './scale-cloud.ts';

/** The figures at one size, by name; in milliseconds unless the name has another unit. */
export type Figures = ReadonlyMap<string, number>;

/** Prints each figure when it is measured: a step takes long. */
export class Measured extends Map<string, number> {
  readonly #say: (line: string) => void;

  constructor(say: (line: string) => void) {
    super();
    this.#say = say;
  }

  override set(name: string, value: number): this {
    this.#say(`${name}: ${value.toFixed(2)}`);
    return super.set(name, value);
  }
}

/** A site's link waits up to a minute between its attempts. */
const STORM_WITHIN_MS = 900_000;
const BACKLOG_WITHIN_MS = 1_800_000;
const EXPORTED_ROWS = 20_000;
/** The plates of the first month are due then. */
const ERASED_AFTER_DAYS = 335;
const ERASING_MS = 60_000;
const ERASING_POLL_MS = 2000;

/** All of one size, in order: what changes the database comes last. */
export async function measureStep(
  cloud: ScaleCloud,
  figures: Measured,
  { freeBytes, progress }: { freeBytes: () => number; progress: (line: string) => void },
): Promise<void> {
  const { seconds } = cloud.filled;
  figures.set('generator, visits per second', cloud.visits / (seconds.rows + seconds.indexes));
  measureBytes(cloud, figures, progress);
  figures.set('start', cloud.startMs);
  figures.set('memory after start, MB', memoryOf(cloud.pid()).now);
  await measureReads(cloud, figures);
  progress('sites');
  await measureSites(cloud, figures, progress);
  progress('billing');
  await measureBilling(cloud, figures);
  figures.set('most memory, MB', memoryOf(cloud.pid()).most);
  progress('retention');
  await measureErasing(cloud, figures);
  const bytes = statSync(cloud.database).size;
  if (freeBytes() > bytes * 1.5) {
    progress('backup and restore');
    await measureBackup(cloud, figures);
  } else progress('no disk for a backup and its restore');
  await cloud.stop();
  // The copy for the server, the server's log of it, and the replica.
  if (SQLD_INSTALLED && freeBytes() > bytes * 4) await measureReplica(cloud, figures);
  else progress('no libSQL server (HLID_SQLD), or no disk for one');
  if (freeBytes() > bytes) {
    progress('the check, and a migration that rewrites the table of visits');
    measureFile(cloud, figures);
  } else progress('no disk to rewrite the table of visits');
}

function measureBytes(cloud: ScaleCloud, figures: Measured, progress: (line: string) => void): void {
  const kept = cloud.visits - cloud.filled.waitingVisits;
  figures.set('bytes per visit', statSync(cloud.database).size / kept);
  const db = new Database(cloud.database, { readonly: true });
  const tables = db
    .prepare(
      `SELECT coalesce(m.tbl_name, s.name) AS name, sum(s.pgsize) AS bytes FROM dbstat s LEFT JOIN sqlite_master m USING (name)
       WHERE s.aggregate = TRUE GROUP BY 1 ORDER BY 2 DESC LIMIT 8`,
    )
    .all() as { name: string; bytes: number }[];
  db.close();
  progress(tables.map(({ name, bytes }) => `${name} ${Math.round(bytes / kept)}`).join(', '));
}

async function measureReads(cloud: ScaleCloud, figures: Measured): Promise<void> {
  const { rounds, warmRounds, fewRounds } = cloud.size;
  const day = (back: number) => utcTime(Date.now() - back * DAY_MS).slice(0, 10);
  const site = (round: number) => cloud.siteIds[(round * 37) % cloud.siteIds.length];
  // Regulars: cars of companies and of permits come first.
  const plate = (round: number) => countryPlate(11_000 + ((round * 104_729) % Math.ceil(cloud.visits / 20)));
  const reads: Record<string, (round: number) => string> = {
    'list, newest 50': () => '/visits',
    'list, a day of a site': (round) => `/visits?siteId=${site(round)}&date=${day(1 + (round % 300))}`,
    'list, a plate': (round) => `/visits?plate=${plate(round)}`,
    'list, near plates': (round) => `/visits?near=${plate(round)}`,
    'list, cars inside': () => '/visits?collection=open',
    'list, unpaid': () => '/visits?collection=unpaid',
    'search by what was heard': (round) => `/search?q=${plate(round).slice(0, 4)}`,
    'income of a year, by month': () => `/reports/income?date.from=${day(365)}&date.to=${day(0)}&by=month`,
  };
  for (const [name, path] of Object.entries(reads)) {
    await cloud.load(warmRounds, path);
    const loaded = await cloud.load(rounds, path);
    figures.set(`${name}, p50`, loaded.p50Ms);
    figures.set(`${name}, p99`, loaded.p99Ms);
  }
  const month = `date.from=${day(40)}&date.to=${day(10)}`;
  for (const [name, path] of Object.entries({
    'stats of a month': `/reports/visits/stats?${month}`,
    'counts of a month': `/visits/counts?${month}`,
  })) {
    figures.set(`${name}, p50`, (await cloud.load(fewRounds, () => path, 1)).p50Ms);
  }
  const perDay = cloud.visits / 365;
  const days = Math.max(1, Math.round(EXPORTED_ROWS / perDay));
  const from = performance.now();
  const lines = await cloud.lines(
    `/reports/visits/download?format=csv&date.from=${day(39 + days)}&date.to=${day(40)}`,
  );
  figures.set('export, rows per second', lines / ((performance.now() - from) / 1000));
}

/** The newest visits of one site after the other. */
function listOfSite({ siteIds }: ScaleCloud): (round: number) => string {
  return (round) => `/visits?siteId=${siteIds[(round * 37) % siteIds.length]}`;
}

async function measureSites(
  cloud: ScaleCloud,
  figures: Measured,
  progress: (line: string) => void,
): Promise<void> {
  const list = listOfSite(cloud);
  const fleet = await cloud.startFleet();
  try {
    const began = performance.now();
    fleet.order({ order: 'connect' });
    await fleet.settled('', STORM_WITHIN_MS);
    figures.set('all sites connect, ms', performance.now() - began);
    figures.set('memory with all sites, MB', memoryOf(cloud.pid()).now);
    const idle = await cloud.pacedUntil(pause(cloud.size.idleMs), list);

    // The broker is in the cloud: both are gone, and come back together.
    await cloud.kill();
    fleet.order({ order: 'release', group: 'recent' });
    const down = performance.now();
    await cloud.program.start();
    const back = performance.now();
    figures.set('start after a kill', back - down);
    const stormed = fleet.settled('recent', STORM_WITHIN_MS).then(() => performance.now());
    setLoad(figures, 'list during the storm', await cloud.pacedUntil(stormed, list), idle);
    figures.set('all sites back after the broker, ms', (await stormed) - back);

    fleet.order({ order: 'release', group: 'away' });
    const { waiting } = await fleet.report('away');
    progress(`a month of ${cloud.size.awaySites} sites: ${waiting} events`);
    const from = performance.now();
    const received = fleet.settled('away', BACKLOG_WITHIN_MS).then(() => performance.now());
    setLoad(figures, 'list during the backlog', await cloud.pacedUntil(received, list), idle);
    figures.set('backlog, events per second', waiting / (((await received) - from) / 1000));
    checkBooks(cloud);
  } finally {
    await fleet.stop();
  }
}

function setLoad(figures: Measured, name: string, { p50Ms, p99Ms }: LoadResult, idle: LoadResult): void {
  figures.set(`${name}, p50`, p50Ms);
  figures.set(`${name}, p99`, p99Ms);
  figures.set(`${name}, p99, times idle`, p99Ms / idle.p99Ms);
}

/** Checks that each visit and event is there once. */
function checkBooks(cloud: ScaleCloud): void {
  const { events, waitingEvents } = cloud.filled;
  const books = cloud.books();
  const wanted = { visits: cloud.visits, events: events + waitingEvents, rejected: 0 };
  if (JSON.stringify(books) !== JSON.stringify(wanted)) {
    throw new Error(`the cloud has ${JSON.stringify(books)} in place of ${JSON.stringify(wanted)}`);
  }
}

/** The night's run over the charges of all companies, and new visits meanwhile. */
async function measureBilling(cloud: ScaleCloud, figures: Measured): Promise<void> {
  const from = performance.now();
  const status = await cloud.post('/billing/runs', {});
  if (status !== 303 && status !== 200) throw new Error(`the billing run was answered with ${status}`);
  figures.set('billing run of a year', performance.now() - from);
}

/**
 * Measures erasing a month of plates at once, as after a change of the settings; people read lists meanwhile.
 */
async function measureErasing(cloud: ScaleCloud, figures: Measured): Promise<void> {
  const list = listOfSite(cloud);
  const idle = await cloud.pacedUntil(pause(cloud.size.idleMs), list);
  await cloud.eraseAfter(ERASED_AFTER_DAYS);
  const from = performance.now();
  let until = from;
  let erased = 0;
  const over = (async () => {
    while (until - from < ERASING_MS) {
      await pause(ERASING_POLL_MS);
      const now = cloud.erasedVisits();
      if (now > 0 && now === erased) return;
      [erased, until] = [now, performance.now()];
    }
  })();
  setLoad(figures, 'list while plates are erased', await cloud.pacedUntil(over, list), idle);
  figures.set('visits whose plates are erased per second', erased / ((until - from) / 1000));
}

async function measureBackup(cloud: ScaleCloud, figures: Measured): Promise<void> {
  const { publicKey, secretKey } = await makeBackupKey();
  const folder = join(cloud.folder, 'backup');
  mkdirSync(folder);
  const keep = { daily: 1, weekly: 0, monthly: 0 };
  const order = {
    config: {
      dataDir: cloud.folder,
      s3: null,
      backup: { to: { folder }, key: [publicKey], keep, everyHours: 24 },
    },
    configPath: join(cloud.folder, 'cloud.yaml'),
    pictureDays: 90,
  };
  let from = performance.now();
  await backupInThread(order, new AbortController().signal, builtThread('cloud', 'backup-worker'));
  figures.set('backup', performance.now() - from);
  figures.set('bytes of a backup per visit', sizeOf(folder) / cloud.visits);
  from = performance.now();
  const restored = join(cloud.folder, 'restored');
  await restoreInto(restored, folder, secretKey);
  figures.set('restore', performance.now() - from);
  await rm(restored, { recursive: true });
  await rm(folder, { recursive: true });
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/**
 * The check that the cloud makes every day, and a migration that changes a column: a new table, its rows, its
 * indexes.
 */
function measureFile(cloud: ScaleCloud, figures: Measured): void {
  const db = new Database(cloud.database);
  const parts = db
    .prepare("SELECT type, sql FROM sqlite_master WHERE tbl_name = 'visit' AND sql IS NOT NULL")
    .all() as { type: string; sql: string }[];
  let from = performance.now();
  db.pragma('quick_check(1)');
  figures.set('check of the database file', performance.now() - from);
  const table = parts.find(({ type }) => type === 'table')?.sql ?? '';
  from = performance.now();
  db.pragma('foreign_keys = OFF');
  db.transaction(() => {
    db.exec(table.replace(/^CREATE TABLE [`"]?visit[`"]?/, 'CREATE TABLE visit_new'));
    db.exec('INSERT INTO visit_new SELECT * FROM visit');
    db.exec('DROP TABLE visit');
    db.exec('ALTER TABLE visit_new RENAME TO visit');
    for (const { type, sql } of parts) if (type === 'index') db.exec(sql);
  })();
  figures.set('rewriting the table of visits', performance.now() - from);
  db.close();
}
