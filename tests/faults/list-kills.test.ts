import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MetaStore } from '@hlid/edge/db/meta-store';
import { openSiteDb } from '@hlid/edge/db/site-db';
import { PermitStore } from '@hlid/edge/site-lists/permit-store';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startMillionSite, tookSnapshot } from '../bench/million-site.ts';
import { besideArguments, PROJECT_ROOT } from '../harness/programs.ts';
import { waitFor, withDeadline } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { createGeneratedFeed } from './generated-feed.ts';
import { atRandom } from './steady-traffic.ts';

const KILLS = 6;
const SNAPSHOT_PERMITS = 150_000;
const CLOUD_KILLS = 2;

let folder: string;
let writer: ChildProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-lists-'));
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

async function startWriter(): Promise<void> {
  const program = besideArguments('edge', 'tests/faults/list-writer.ts');
  writer = spawn(process.execPath, [...program, folder], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!writer.stdout) throw new Error('unreachable: a pipe');
  const messages = once(createInterface({ input: writer.stdout }), 'line');
  await withDeadline(messages, { what: 'the lists to be written', withinMs: 30_000 });
}

async function kill(): Promise<void> {
  if (!writer) return;
  const gone = once(writer, 'exit');
  writer.kill('SIGKILL');
  writer = null;
  await gone;
}

/** The content of the database: its own cursor, and the rows that are really there. */
function opened() {
  const db = openSiteDb(join(folder, 'site.sqlite'));
  try {
    const meta = new MetaStore(db);
    const store = new PermitStore(db);
    const bodies = db.prepare<[], string>('SELECT body FROM permit ORDER BY id').pluck().all();
    const permits = bodies.map((body) => JSON.parse(body));
    return {
      n: Number(meta.get('feed-n')),
      hash: meta.get('feed-hash'),
      permits,
      unfound: permits.filter((permit) => !store.listedLike(permit.plate).some(({ id }) => id === permit.id)),
      places: db.prepare('SELECT count(*) FROM permit_place').pluck().get(),
      leftOver: db.prepare("SELECT count(*) FROM sqlite_master WHERE name LIKE 'permit%_next'").pluck().get(),
      integrity: db.pragma('integrity_check', { simple: true }),
    };
  } finally {
    db.close();
  }
}

it(`kill -9 of the edge, ${KILLS} times among changes and snapshots: the lists are whole, the old or the new`, async () => {
  const random = seededRandom(44);
  const generated = createGeneratedFeed();
  let halfBuilt = 0;
  let advances = 0;
  let last = 0;
  for (let killed = 0; killed < KILLS; killed++) {
    await startWriter();
    await atRandom(random, 0, 500);
    await kill();
    const lists = opened();
    const { hash, permits } = generated.listAt(lists.n);
    expect(lists.hash).toBe(hash);
    expect(new Map(lists.permits.map((permit) => [permit.id, permit]))).toEqual(permits);
    expect(lists.unfound).toEqual([]);
    expect(lists.places).toBe(permits.size);
    expect(lists.integrity).toBe('ok');
    // A kill can come before the first change is stored.
    expect(lists.n).toBeGreaterThanOrEqual(last);
    if (lists.n > last) advances++;
    last = lists.n;
    if (Number(lists.leftOver) > 0) halfBuilt++;
  }
  // Otherwise the writer was never in the middle of a snapshot, and the test has shown nothing.
  expect(halfBuilt).toBeGreaterThan(0);
  expect(advances).toBeGreaterThan(1);
});

it('kill -9 of the cloud in the middle of a snapshot, again and again: the site goes on where it was cut off', async () => {
  const million = await startMillionSite(SNAPSHOT_PERMITS);
  try {
    const edge = await million.startSite();
    const db = new Database(join(million.siteFolder(), 'site.sqlite'), { readonly: true });
    const come = () => Number(db.prepare('SELECT max(row) FROM permit_next').pluck().get());
    for (let killed = 1; killed <= CLOUD_KILLS; killed++) {
      // Soon, while much of it is still in the cloud and not on the way.
      const enough = killed === 1 ? 1000 : come() + 1000;
      await waitFor(() => come() > enough, { what: `${enough} permits to have come`, withinMs: 30_000 });
      await million.cloud.kill();
      await million.cloud.start();
      await waitFor(() => edge.logged('feed.snapshot-resumed').length >= killed, {
        what: 'the site to go on',
        withinMs: 30_000,
        detail: () => edge.tail(),
      });
    }
    await tookSnapshot(edge);
    expect(db.prepare('SELECT count(*) FROM permit').pluck().get()).toBe(SNAPSHOT_PERMITS);
    db.close();
    // The next permit comes as a change: both have the same lists.
    await million.operator.addPermit('NEWCAR');
    await waitFor(async () => (await million.inStep()).lag === 0, { what: 'the change', withinMs: 30_000 });
    expect(edge.logged('feed.replaced')).toHaveLength(1);
  } finally {
    await million.stop();
  }
});
