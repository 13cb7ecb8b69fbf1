import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../db/db.ts';
import { openDb } from '../db/libsql-db.ts';
import { jobTable } from './job-table.ts';
import { type ScheduledRun, ScheduledRuns } from './scheduled-runs.ts';

let folder: string;
let dbs: Db[];
let running: ScheduledRuns[];
let now: UtcTime;
const clock = { now: () => new Date(now) };
const log = pino({ level: 'silent' });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-jobs-'));
  now = '2026-11-21T12:00:00.000Z';
  dbs = [];
  running = [];
});

afterEach(async () => {
  for (const runs of running) await runs.stop();
  for (const db of dbs) await db.close();
  rmSync(folder, { recursive: true });
});

/** A database as one process has it. */
async function open(): Promise<Db> {
  const db = await openDb(join(folder, 'cloud.db'));
  dbs.push(db);
  return db;
}

function start(db: Db, ...runs: ScheduledRun[]): ScheduledRuns {
  const started = new ScheduledRuns({ db, clock, log }, runs);
  running.push(started);
  started.start();
  return started;
}

/** Work that reports its start, and ends on request or when all is stopped. */
function gatedWork() {
  const signs = new EventEmitter();
  let begun = 0;
  let now = 0;
  let most = 0;
  let waitedFor = 0;
  return {
    begun: () => begun,
    maxAtOnce: () => most,
    async work({ signal }: { signal: AbortSignal }) {
      begun++;
      now++;
      most = Math.max(most, now);
      signs.emit('begun');
      await once(signs, 'end', { signal }).catch(() => undefined);
      now--;
    },
    /** Resolves when it has begun once more than the last time that was waited for. */
    async hasBegun() {
      waitedFor++;
      while (begun < waitedFor) await once(signs, 'begun', { signal: AbortSignal.timeout(5000) });
    },
    end: () => signs.emit('end'),
  };
}

const job = async (db: Db) => await db.read(async (q) => await q.select().from(jobTable).get());

/** Reads until it is so. */
async function until<Value>(read: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('a run is done at the start and again and again; its row says when', async () => {
  const db = await open();
  const gate = gatedWork();
  start(db, { name: 'sweep', everyMs: 5, work: gate.work });
  await gate.hasBegun();
  expect(await job(db)).toMatchObject({
    lastStartedAt: now,
    lastDoneAt: null,
    heldUntil: expect.any(String),
  });
  gate.end();
  await gate.hasBegun();
  expect(await job(db)).toMatchObject({ lastDoneAt: now, lastError: null });
  gate.end();
});

it('of two processes on one database one is at it, and the other has its turn later', async () => {
  const [one, other] = [await open(), await open()];
  const gate = gatedWork();
  const run = { name: 'sweep', everyMs: 5, work: gate.work };
  const first = start(one, run);
  await gate.hasBegun();
  start(other, run);
  // The other has looked several times by the time that its own row of another run is done.
  const busy = gatedWork();
  start(other, { name: 'busy', everyMs: 1, work: busy.work });
  for (let n = 0; n < 20; n++) {
    await busy.hasBegun();
    busy.end();
  }
  expect(gate.begun()).toBe(1);
  await first.stop();
  await gate.hasBegun();
  expect(gate.maxAtOnce()).toBe(1);
  gate.end();
});

it('what a crashed process was at is done by another once its lease has run out, not before', async () => {
  const db = await open();
  const left = { name: 'sweep', heldBy: 'a process that is gone', lastStartedAt: now };
  const heldUntil = utcTime(millis(now) + HOUR_MS);
  await db.write(async ({ q }) => {
    await q.insert(jobTable).values({ ...left, heldUntil });
  });
  const [gate, busy] = [gatedWork(), gatedWork()];
  start(db, { name: 'sweep', everyMs: 1, leaseMs: HOUR_MS, work: gate.work });
  start(db, { name: 'busy', everyMs: 1, work: busy.work });
  for (let n = 0; n < 20; n++) {
    await busy.hasBegun();
    busy.end();
  }
  expect(gate.begun()).toBe(0);
  now = utcTime(millis(heldUntil) + 1);
  await gate.hasBegun();
  gate.end();
});

it('what a process was at whose clock was a day ahead is not left for a day', async () => {
  const [wrong, right] = [await open(), await open()];
  const [broken, next] = [gatedWork(), gatedWork()];
  const ahead = { now: () => new Date(millis(now) + DAY_MS) };
  const first = new ScheduledRuns({ db: wrong, clock: ahead, log }, [
    { name: 'sweep', everyMs: HOUR_MS, work: broken.work },
  ]);
  running.push(first);
  first.start();
  await broken.hasBegun();
  start(right, { name: 'sweep', everyMs: 5, work: next.work });
  await next.hasBegun();
  expect(await job(right)).toMatchObject({ lastStartedAt: now });
  next.end();
});

it('a run that outlives its lease leaves the row to the cloud that took it over', async () => {
  const [one, other] = [await open(), await open()];
  const [slow, next] = [gatedWork(), gatedWork()];
  const first = start(one, { name: 'sweep', everyMs: HOUR_MS, leaseMs: 1000, work: slow.work });
  await slow.hasBegun();
  now = utcTime(millis(now) + 2000);
  start(other, { name: 'sweep', everyMs: 5, leaseMs: HOUR_MS, work: next.work });
  await next.hasBegun();
  const taken = await job(other);
  await first.stop();
  expect(await job(other)).toEqual(taken);
  next.end();
});

it('an announcement wakes it at once, and one that comes while it works makes it work once more', async () => {
  const db = await open();
  const gate = gatedWork();
  start(db, { name: 'mail', everyMs: HOUR_MS, wakesOn: 'mail-waiting', work: gate.work });
  await gate.hasBegun();
  for (const _ of [1, 2, 3]) await db.write(async (tx) => tx.announce('mail-waiting'));
  await db.write(async (tx) => tx.announce('something else'));
  gate.end();
  await gate.hasBegun();
  gate.end();
  await until(
    () => job(db),
    (row) => row?.heldBy === null,
  );
  expect(gate.begun()).toBe(2);
  await db.write(async (tx) => tx.announce('mail-waiting'));
  await gate.hasBegun();
  gate.end();
});

it('a run with nothing to do is not taken, until there is something', async () => {
  const db = await open();
  const gate = gatedWork();
  let asked = 0;
  const isDue = async () => ++asked > 2;
  start(db, { name: 'mail', everyMs: HOUR_MS, wakesOn: 'mail-waiting', isDue, work: gate.work });
  for (const times of [1, 2]) {
    await until(
      async () => asked,
      (n) => n === times,
    );
    expect(await job(db)).toBeUndefined();
    await db.write(async (tx) => tx.announce('mail-waiting'));
  }
  await gate.hasBegun();
  expect([asked, gate.begun()]).toEqual([3, 1]);
  gate.end();
});

it('a run that fails says why, and is tried again', async () => {
  const db = await open();
  let attempts = 0;
  const gate = gatedWork();
  async function work(run: { signal: AbortSignal }) {
    attempts++;
    if (attempts === 1) throw new Error('no such luck');
    await gate.work(run);
  }
  start(db, { name: 'sweep', everyMs: 5, work });
  await gate.hasBegun();
  expect(await job(db)).toMatchObject({ lastDoneAt: null, lastError: 'no such luck' });
  gate.end();
  await until(
    () => job(db),
    (row) => row?.lastDoneAt === now && row.lastError === null,
  );
});

it('stopping signals the work, waits for it and starts nothing more', async () => {
  const db = await open();
  let begun = 0;
  const work = async ({ signal }: { signal: AbortSignal }) => {
    begun++;
    await once(signal, 'abort');
  };
  const runs = start(db, { name: 'mail', everyMs: 1, wakesOn: 'mail-waiting', work });
  await until(
    async () => begun,
    (times) => times === 1,
  );
  await runs.stop();
  expect(await job(db)).toMatchObject({ heldBy: null });
  await db.write(async (tx) => tx.announce('mail-waiting'));
  expect(begun).toBe(1);
});
