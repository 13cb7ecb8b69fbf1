import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeBackupKey, restoreKeysFor } from '@hlid/node/backup/backup-key';
import { openBackupStore } from '@hlid/node/backup/backup-store';
import { chooseBackup, restoreBackup } from '@hlid/node/backup/restore-backup';
import { runBackup } from '@hlid/node/backup/run-backup';
import { systemClock } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { deadline } from '@hlid/protocol/test/deadline';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { eq } from '../../platform/db/sql.ts';
import { jobTable } from '../../platform/jobs/job-table.ts';
import { ScheduledRuns } from '../../platform/jobs/scheduled-runs.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { backupRuns, isBackupDue, problemOf } from './backup-runs.ts';
import { backupSource } from './backup-source.ts';
import { type BackupOrder, backupInThread } from './backup-thread.ts';

const built = process.env['HLID_PROGRAMS_BUILT'];
/** The entry is built before the tests: a thread compiles again what it runs from source. */
const ENTRY =
  built === undefined ? undefined : new URL(`../../../${built}/backup-worker.js`, import.meta.url);
const KEY = 's1/2026-11-20/photo-1.jpg';
const { signal } = new AbortController();

let api: TestApi;
let folder: string;
let secretKey: string;
let order: BackupOrder;
let logged: Record<string, unknown>[];
beforeEach(async () => {
  api = await createTestApi();
  folder = mkdtempSync(join(tmpdir(), 'hlid-backups-'));
  const keys = await makeBackupKey();
  secretKey = keys.secretKey;
  const backup = {
    to: { folder },
    key: [keys.publicKey],
    everyHours: 24,
    keep: { daily: 1, weekly: 0, monthly: 0 },
  };
  const dataDir = dirname(api.dbPath);
  order = { config: { dataDir, s3: null, backup }, configPath: join(dataDir, 'cloud.yaml'), pictureDays: 90 };
  logged = [];
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const inThread: typeof backupInThread = (given, stop) => backupInThread(given, stop, ENTRY);
/** Sooner there: a thread must load everything first. */
const here: typeof backupInThread = ({ config, configPath, pictureDays }, stop) =>
  runBackup(backupSource(config, configPath), {
    config: config.backup,
    pictureDays,
    clock: systemClock,
    signal: stop,
  });

function runs(make: typeof backupInThread) {
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const alarms = { to: ['vakt@example.is'], language: 'en' as const };
  return { log, runs: backupRuns({ db: api.db, log, order, hasDatabaseFile: true, alarms, make }) };
}

/** Everything that is due is done. */
async function runAt(now: UtcTime, make = here): Promise<void> {
  const { log, runs: all } = runs(make);
  // The alarm comes after the backup, as in the next minutes.
  for (const run of all) {
    if ((await run.isDue?.(now)) === false) continue;
    const scheduled = new ScheduledRuns({ db: api.db, clock: { now: () => new Date(now) }, log }, [run]);
    scheduled.start();
    await vi.waitFor(
      async () => {
        const [job] = await api.db.read(
          async (q) => await q.select().from(jobTable).where(eq(jobTable.name, run.name)),
        );
        expect(job).toMatchObject({ lastStartedAt: now, heldBy: null });
      },
      { timeout: deadline(20_000) },
    );
    await scheduled.stop();
  }
}

const mails = async () =>
  (await api.db.read(async (q) => await q.select().from(mailTable))).map(({ subject, text }) => ({
    subject,
    text,
  }));

it('makes a backup in a thread, with the pictures that photos name, which comes back with them', async () => {
  await api.context.pictures.put(KEY, Buffer.from('picture'), 'image/jpeg');
  await api.db.write(async ({ q }) => {
    await q.insert(photoTable).values({
      id: 'photo-1',
      siteId: 's1',
      cameraId: 'c',
      laneId: 'l',
      status: 'new' as const,
      plateRaw: 'ABX12',
      score: 1,
      direction: 'approaching' as const,
      standing: 'counts' as const,
      candidates: [],
      eventKey: 'k',
      url: KEY,
      receivedAt: '2026-11-20T08:00:00.000Z',
      createdAt: '2026-11-20T08:00:00.000Z',
    });
  });
  writeFileSync(order.configPath, 'apiKey: swordfish-swordfish\n');
  await runAt(api.now(), inThread);
  expect(logged).toMatchObject([{ event: 'backup.made', pictures: { count: 1, missing: 0 } }]);
  const other = join(folder, 'other');
  mkdirSync(other);
  const source = backupSource({ dataDir: other, s3: null, backup: null }, join(other, 'cloud.yaml'));
  const store = openBackupStore({ folder });
  const parts = { store, keys: await restoreKeysFor([secretKey]), clock: systemClock, signal };
  const manifest = await chooseBackup(store, 'cloud', null, parts);
  const restored = await restoreBackup(source, parts, { manifest });
  expect(restored.pictures).toEqual({ written: 1, missing: 0 });
  expect(readdirSync(other).sort()).toEqual(expect.arrayContaining(['cloud.db', 'cloud.yaml', 'pictures']));
});

it('raises an alarm when a backup fails, once a day, until one is made', async () => {
  rmSync(folder, { recursive: true });
  const now = api.now();
  const later = (ms: number) => utcTime(millis(now) + ms);
  await runAt(now);
  await runAt(later(MINUTE_MS));
  expect(await mails()).toMatchObject([{ text: expect.stringContaining('is its disk mounted?') }]);
  expect(logged.map(({ event }) => event)).toEqual(['run.failed', 'backup.missing']);
  await runAt(later(DAY_MS + HOUR_MS));
  expect(await mails()).toHaveLength(2);
  mkdirSync(folder);
  await runAt(later(DAY_MS + 2 * HOUR_MS));
  await runAt(later(3 * DAY_MS));
  expect(await mails()).toHaveLength(2);
});

it('is due after its interval, sooner again after a failure, and old after two', () => {
  const state = { lastStartedAt: null, lastDoneAt: null, lastError: null };
  const at = '2026-11-20T03:00:00.000Z';
  const later = (ms: number) => utcTime(millis(at) + ms);
  const done = { ...state, lastStartedAt: at, lastDoneAt: at };
  expect(isBackupDue(state, at, DAY_MS)).toBe(true);
  expect([later(23 * HOUR_MS), later(DAY_MS)].map((now) => isBackupDue(done, now, DAY_MS))).toEqual([
    false,
    true,
  ]);
  const failed = { ...state, lastStartedAt: at, lastError: 'no room' };
  expect([later(MINUTE_MS), later(HOUR_MS)].map((now) => isBackupDue(failed, now, DAY_MS))).toEqual([
    false,
    true,
  ]);
  expect([later(2 * DAY_MS), later(3 * DAY_MS)].map((now) => problemOf(done, now, DAY_MS))).toEqual([
    null,
    'the last backup is too old',
  ]);
  // It began, and its end is unknown.
  expect(problemOf({ ...state, lastStartedAt: at }, later(3 * DAY_MS), DAY_MS)).not.toBeNull();
});
