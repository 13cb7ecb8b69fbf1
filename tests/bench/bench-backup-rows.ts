import { statSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupSource } from '@hlid/cloud/privacy/backup/backup-source';
import { type BackupOrder, backupInThread } from '@hlid/cloud/privacy/backup/backup-thread';
import { makeBackupKey, restoreKeysFor } from '@hlid/node/backup/backup-key';
import { openBackupStore } from '@hlid/node/backup/backup-store';
import { chooseBackup, restoreBackup } from '@hlid/node/backup/restore-backup';
import { systemClock } from '@hlid/node/clock';
import { builtThread } from '../harness/programs-built.ts';
import { type BenchCloud, startBenchCloud } from './bench-cloud.ts';
import { type BenchRow, count, ms } from './bench-table.ts';
import { createVisit, load } from './cloud-lists.ts';
import type { LoadResult } from './load.ts';

const USUAL_SIZE = { visits: [100_000, 1_000_000], rounds: 500 };
const PIECE_BYTES = 1024 * 1024;
const never = new AbortController().signal;

/** A backup, its restore, and new visits meanwhile, on few visits and on many. */
export async function benchBackup(add: (row: BenchRow) => void, size = USUAL_SIZE): Promise<void> {
  for (const visits of size.visits) {
    const cloud = await startBenchCloud(visits);
    const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-backup-'));
    try {
      await measure(cloud, { folder, rounds: size.rounds }, add);
    } finally {
      await cloud.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function measure(
  cloud: BenchCloud,
  { folder, rounds }: { folder: string; rounds: number },
  add: (row: BenchRow) => void,
): Promise<void> {
  const { publicKey, secretKey } = await makeBackupKey();
  const keep = { daily: 2, weekly: 0, monthly: 0 };
  const order: BackupOrder = {
    config: {
      dataDir: cloud.folder,
      s3: null,
      backup: { to: { folder }, key: [publicKey], keep, everyHours: 24 },
    },
    configPath: join(cloud.folder, 'cloud.yaml'),
    pictureDays: 90,
  };
  const database = join(cloud.folder, 'cloud.db');
  const megabytes = Math.round(statSync(database).size / 1e6);
  const what = `cloud, ${count(cloud.visits)} visits (${megabytes} MB)`;
  const copyMs = await timed(() => plainCopy(database, join(folder, 'copy')));
  await rm(join(folder, 'copy'));

  await load(rounds / 2, () => createVisit(cloud));
  const idle = await load(rounds, () => createVisit(cloud));
  const backupMs = await timed(() => backupInThread(order, never, builtThread('cloud', 'backup-worker')));
  add(againstCopy(`${what}, backup, compressed and encrypted`, backupMs, copyMs));
  const busy = await duringBackups(cloud, order, rounds);
  for (const [figure, of] of [
    ['p50', ({ p50Ms }: LoadResult) => p50Ms],
    ['p99', ({ p99Ms }: LoadResult) => p99Ms],
  ] as const) {
    add({
      work: `${what}, create a visit during a backup, 10 connections, ${figure}`,
      ours: ms(of(busy)),
      against: ms(of(idle)),
      ratio: of(busy) / of(idle),
      goal: { atMost: 2 },
    });
  }
  const restoreMs = await timed(() => restoreInto(join(folder, 'restored'), folder, secretKey));
  add(againstCopy(`${what}, restore, everything checked`, restoreMs, copyMs));
}

function againstCopy(work: string, tookMs: number, copyMs: number): BenchRow {
  return { work, ours: ms(tookMs), against: ms(copyMs), ratio: tookMs / copyMs, goal: null };
}

async function duringBackups(cloud: BenchCloud, order: BackupOrder, rounds: number): Promise<LoadResult> {
  let enough = false;
  const backups = (async () => {
    while (!enough) await backupInThread(order, never, builtThread('cloud', 'backup-worker'));
  })();
  const busy = await load(rounds, () => createVisit(cloud));
  enough = true;
  await backups;
  return busy;
}

/** The newest backup of a folder as a data folder, everything checked. */
export async function restoreInto(dataDir: string, folder: string, secretKey: string): Promise<void> {
  const source = backupSource({ dataDir, s3: null, backup: null }, join(dataDir, 'cloud.yaml'));
  const store = openBackupStore({ folder });
  const parts = { store, keys: await restoreKeysFor([secretKey]), clock: systemClock, signal: never };
  const manifest = await chooseBackup(store, 'cloud', null, parts);
  await restoreBackup(source, parts, { manifest });
}

/** Read, written and flushed: what any copy costs at least. */
async function plainCopy(from: string, to: string): Promise<void> {
  const source = await open(from, 'r');
  const target = await open(to, 'w');
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await source.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) break;
      await target.write(piece, 0, bytesRead);
    }
    await target.sync();
  } finally {
    await source.close();
    await target.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
