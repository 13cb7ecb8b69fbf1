import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSiteDb } from '@hlid/edge/db/site-db';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../sim/seeded-random.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { atRandom, type SteadyTraffic, startTraffic } from './steady-traffic.ts';

const COPIES = 8;

let network: FaultyNetwork;
let traffic: SteadyTraffic;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-copies-'));
  network = await startFaultyNetwork();
  traffic = startTraffic(network, 4);
});
afterEach(async () => {
  await traffic?.stop();
  await network?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The reads and events for which the site has answered by now: to cameras, and in the cloud. */
function answeredFor() {
  const cloud = new Database(join(network.folders.cloud, 'cloud.db'), { readonly: true });
  const committed = Number(
    cloud.prepare('SELECT coalesce(sum(committed), 0) FROM event_cursor').pluck().get(),
  );
  cloud.close();
  return { reads: [...traffic.accepted], committed };
}

type Answered = ReturnType<typeof answeredFor>;

/** Opened as the daemon opens it. */
function checkCopy(path: string, answered: Answered): void {
  const db = openSiteDb(path);
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    const reads = new Set(db.prepare('SELECT event_key FROM read').pluck().all());
    expect(answered.reads.filter((key) => !reads.has(key))).toEqual([]);
    const events = db.prepare('SELECT count(*) AS count, max(seq) AS last FROM event').get();
    expect(events).toMatchObject({ count: db.prepare('SELECT max(seq) FROM event').pluck().get() });
    expect(Number(db.prepare('SELECT max(seq) FROM event').pluck().get())).toBeGreaterThanOrEqual(
      answered.committed,
    );
    // A fact and its event are there both, or neither is.
    const reportedOf = (id: string) =>
      `(SELECT count(DISTINCT json_extract(body, '${id}')) FROM event WHERE json_extract(body, '${id}') IS NOT NULL)`;
    const reported = `SELECT ${reportedOf('$.visit.id')} AS visits, ${reportedOf('$.read.id')} AS reads`;
    const kept = 'SELECT (SELECT count(*) FROM visit) AS visits, (SELECT count(*) FROM read) AS reads';
    expect(db.prepare(reported).get()).toEqual(db.prepare(kept).get());
  } finally {
    db.close();
  }
}

it(`a picture of the disk at ${COPIES} random moments of traffic: opens, and all that was answered for is in it`, async () => {
  const { folders } = network;
  const random = seededRandom(44);
  for (let copy = 0; copy < COPIES; copy++) {
    await atRandom(random, 0, 250);
    const into = join(folder, `picture-${copy}.sqlite`);
    const answered = answeredFor();
    const pid = network.edge.pid();
    if (pid === null) throw new Error('the edge does not run');
    // The program stops in the middle of its work, as a snapshot of the file system would find it.
    process.kill(pid, 'SIGSTOP');
    try {
      for (const end of ['', '-wal']) {
        const from = join(folders.edge, `site.sqlite${end}`);
        if (existsSync(from)) copyFileSync(from, `${into}${end}`);
      }
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    checkCopy(into, answered);
  }
});

it("a backup made with the database's tools during traffic opens, has every accepted read, and delays no car", async () => {
  const random = seededRandom(45);
  for (let copy = 0; copy < COPIES; copy++) {
    await atRandom(random, 0, 150);
    const into = join(folder, `backup-${copy}.sqlite`);
    const answered = answeredFor();
    const beside = new Database(join(network.folders.edge, 'site.sqlite'), { readonly: true });
    if (random.chance(0.5)) beside.prepare('VACUUM INTO ?').run(into);
    else await beside.backup(into);
    beside.close();
    checkCopy(into, answered);
  }
  const taken = traffic.accepted.size;
  await traffic.stop();
  await network.settled();
  expect(taken).toBeGreaterThan(COPIES);
});
