import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { backupSource as cloudSource } from '@hlid/cloud/privacy/backup/backup-source';
import { INTEGRATION_EVENT_TYPES } from '@hlid/cloud/records/webhooks/integration-event-table';
import { backupSource as edgeSource } from '@hlid/edge/backup/backup-source';
import { makeBackupKey, restoreKeysFor } from '@hlid/node/backup/backup-key';
import { openBackupStore } from '@hlid/node/backup/backup-store';
import { type BackupSource, makeBackup } from '@hlid/node/backup/make-backup';
import { chooseBackup, restoreBackup } from '@hlid/node/backup/restore-backup';
import { systemClock } from '@hlid/node/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { type S3Storage, startS3Storage } from '../sim/s3-storage.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { addCompany, drive, emptySite } from './busy-site.ts';
import { checkVisits } from './linked-books.ts';

const BUCKET = { region: 'eu-west-1', bucket: 'backups', accessKeyId: 'AKIATEST', secretAccessKey: 'secret' };
const { signal } = new AbortController();

let linked: LinkedSite;
let storage: S3Storage;
let keys: { publicKey: string; secretKey: string };
beforeEach(async () => {
  keys = await makeBackupKey();
  storage = await startS3Storage(BUCKET);
  linked = await startLinkedSite();
});
afterEach(async () => {
  await linked?.stop();
  await storage?.close();
});

const store = () => openBackupStore({ ...BUCKET, endpoint: storage.endpoint, prefix: 'hlid/' });
const configIn = (folder: string) => join(folder, 'none.yaml');
const cloud = () => {
  const dataDir = linked.cloudFolder;
  return cloudSource({ dataDir, s3: null, backup: null }, configIn(dataDir));
};
const edge = () => edgeSource(linked.siteFolder(), configIn(linked.siteFolder()));

const backUp = (source: BackupSource) =>
  makeBackup(source, { store: store(), keys: [keys.publicKey], clock: systemClock, signal });

async function restore(source: BackupSource): Promise<void> {
  const restoreKeys = await restoreKeysFor([keys.secretKey]);
  const parts = { store: store(), keys: restoreKeys, clock: systemClock, signal };
  const manifest = await chooseBackup(store(), source.kind, null, parts);
  await restoreBackup(source, parts, { manifest });
}

/** The columns that are new after a restore, and why; every other column of every table is as it was. */
const NEW_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  // It counts every row that was ever numbered.
  sqlite_sequence: ['seq'],
  // The operator logs in again.
  login_attempt: ['ends_at'],
  // Numbers of a feed belong to one history: the restored one goes beyond those that the site holds (ADR 1).
  feed_change: ['n', 'mark'],
  feed_head: ['n', 'compacted_to', 'compacted_mark'],
  job: ['last_started_at', 'last_done_at', 'held_by', 'held_until', 'last_error'],
  // The site connects again.
  site_presence: ['since', 'seq', 'feed_at'],
  // They are numbered in the order in which they become known.
  integration_event: ['n'],
};
const EVENT_TYPES: readonly string[] = INTEGRATION_EVENT_TYPES;
/** Rows that a restart makes. */
const NEW_ROWS: Readonly<Record<string, string>> = {
  // The cloud that runs, which is another process than before.
  cloud_instance: '1 = 1',
  token: '1 = 1',
  integration_event: `type IN (${['site.connected', 'site.lost'].map((type) => EVENT_TYPES.indexOf(type)).join()})`,
};

/** Every row of the cloud's tables, as texts that sort. */
function cloudRows(): Record<string, string[]> {
  return linked.cloudDb((db) => {
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .pluck()
      .all()
      .map(String);
    return Object.fromEntries(
      tables.map((table) => {
        const rows = db.prepare(`SELECT * FROM "${table}" WHERE NOT (${NEW_ROWS[table] ?? '1 = 0'})`).all();
        const shown = rows.map((row) =>
          JSON.stringify(row, (column, value) => {
            if (NEW_COLUMNS[table]?.includes(column)) return undefined;
            return value instanceof Uint8Array || value instanceof ArrayBuffer ? hexOf(value) : value;
          }),
        );
        return [table, shown.sort()];
      }),
    );
  });
}

const hexOf = (bytes: Uint8Array | ArrayBuffer) => Buffer.from(new Uint8Array(bytes)).toString('hex');

async function moveToNewCabinet(): Promise<void> {
  const folder = join(linked.siteFolder(), '..', 'new-cabinet');
  mkdirSync(folder);
  await restore(edgeSource(folder, configIn(folder)));
  await linked.moveSite(folder);
}

const epochs = () => linked.cloudDb((db) => db.prepare('SELECT epoch FROM event_cursor').pluck().all());
const decided = () =>
  linked.cloudDb((db) => Number(db.prepare('SELECT count(*) FROM passage_decision').pluck().all()[0]));

describe('a cloud whose machine is lost', () => {
  it('has after a restore every row that it had, by its site', async () => {
    const random = seededRandom(16);
    await addCompany(linked);
    await linked.settled();
    await drive(linked, random, 10);
    await linked.settled();
    const [manifest] = await Promise.all([backUp(cloud()), drive(linked, random, 10)]);
    await drive(linked, random, 10);
    await linked.settled();
    await expect(restore(cloud())).rejects.toThrow('another program is at work');
    const before = cloudRows();
    expect(manifest.rows['photo']).toBeLessThan(before['photo']?.length ?? 0);

    await linked.unlink();
    await linked.stopCloud();
    rmSync(linked.cloudFolder, { recursive: true });
    await restore(cloud());
    await linked.startCloud();
    await linked.settled();
    expect(cloudRows()).toEqual(before);
    checkVisits(linked);
  });
});

describe('a cabinet that is replaced', () => {
  it.each([0, 20])(
    'begins a new epoch on the backup, %i cars later: no event is lost or applied twice',
    async (cars) => {
      const random = seededRandom(17 + cars);
      await drive(linked, random, 10);
      await linked.settled();
      await Promise.all([backUp(edge()), drive(linked, random, 5)]);
      await drive(linked, random, 10);
      await linked.settled();
      const before = decided();

      const folder = join(linked.siteFolder(), '..', 'new-cabinet');
      mkdirSync(folder);
      await restore(edgeSource(folder, configIn(folder)));
      await linked.moveSite(folder);
      // Their events get numbers that the cloud has from the old cabinet.
      const first = linked.site().events().length;
      await drive(linked, random, cars);
      const own = linked.site().events().slice(first);
      await linked.settled();
      expect(epochs()).toHaveLength(2);
      const reported = linked.site().events();
      // Events about unfinished work that the restart found, such as a gate that was opening, come before
      // them.
      const ownFrom = reported.findIndex(({ body }) => isDeepStrictEqual(body, own[0]?.body));
      expect(
        reported
          .slice(Math.max(0, ownFrom))
          .slice(0, own.length)
          .map(({ body }) => body),
      ).toEqual(own.map(({ body }) => body));
      expect(decided()).toBe(before + reported.filter(({ body }) => body.type === 'passage.decided').length);
      checkVisits(linked);
      await emptySite(linked);
      await linked.settled();
      checkVisits(linked);
    },
  );

  it('continues its epoch where nothing happened since the backup', async () => {
    await drive(linked, seededRandom(18), 5);
    await linked.settled();
    await backUp(edge());
    await moveToNewCabinet();
    await linked.settled();
    expect(epochs()).toHaveLength(1);
    checkVisits(linked);
  });
});
