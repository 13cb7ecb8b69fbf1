import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTestSite } from '@hlid/edge/test/site';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { MAX_BATCH_BYTES, MAX_BATCH_EVENTS } from '@hlid/protocol/site-link/envelope';
import { usedHeap } from '@hlid/protocol/test/cost';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newPlate } from '../sim/plates.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';

const DAYS = 7;
const VISITS_A_DAY = Number(process.env['HLID_VISITS_A_DAY'] ?? 400);
/** The length of a stay. Most cars leave within their grace; what the others owe is unpaid. */
const STAY_MS = 10 * MINUTE_MS;
const LONG_STAY_MS = 9 * HOUR_MS;
const LONG_STAYERS = 0.02;

/** The factor by which uploading a week of cars may take longer than writing it: minutes. */
const MAX_TIMES_WRITING = 6;
const CAUGHT_UP_WITHIN_MS = 180_000;
/** The growth of the daemon's memory while it sends a backlog that would fill many times as much. */
const MAX_EDGE_GROWTH_MB = 60;
/**
 * The bytes that stay in memory of each further day, a small part of its events. It is not zero only because
 * days pass in a second here: the timers of seconds, after which a gate is shown as closed, are all still
 * running.
 */
const MAX_HEAP_BYTES_PER_DAY = 2_000_000;
const MAX_DISK_BYTES_PER_VISIT = 8000;

let network: FaultyNetwork;
beforeEach(async () => {
  network = await startFaultyNetwork({ edgeEnv: { HLID_LOG_LEVEL: 'debug' } });
});
afterEach(() => network?.stop());

it(`${DAYS} days of ${VISITS_A_DAY} visits without the cloud are in the cloud minutes after it is back, once and in order`, async () => {
  const { folders, edge } = network;
  await edge.stop();
  const week = await driveThrough(folders.edge);
  expect(week.heapGrowthADay).toBeLessThan(MAX_HEAP_BYTES_PER_DAY);
  const file = statSync(join(folders.edge, 'site.sqlite')).size;
  expect(file / (DAYS * VISITS_A_DAY)).toBeLessThan(MAX_DISK_BYTES_PER_VISIT);

  await edge.start();
  const atStart = peakMemoryMb(edge.pid());
  const from = performance.now();
  await network.settled(CAUGHT_UP_WITHIN_MS);
  const tookMs = performance.now() - from;
  expect(tookMs).toBeLessThan(week.wroteMs * MAX_TIMES_WRITING);
  if (atStart !== null) expect((peakMemoryMb(edge.pid()) ?? 0) - atStart).toBeLessThan(MAX_EDGE_GROWTH_MB);
  checkBatches(folders.edge, edge.logged('outbox.sent'));
  await checkBooks(folders, week.reads);
});

/** The daemon's own core on the daemon's database, its clock run by hand: a car every 43 seconds. */
async function driveThrough(folder: string) {
  const start = Date.now() - (DAYS + 1) * DAY_MS;
  const site = createTestSite({ folder, start: utcTime(new Date(start)) });
  // Power cuts are not the matter here.
  site.db.pragma('synchronous = OFF');
  const random = seededRandom(2000);
  const leaving: { plate: string; at: number }[] = [];
  let time = start;
  const heap: number[] = [];
  const from = performance.now();
  const until = (at: number) => {
    site.wait(at - time);
    time = at;
  };
  for (let day = 0; day < DAYS; day++) {
    for (let car = 0; car < VISITS_A_DAY; car++) {
      const arrives = start + day * DAY_MS + (car * DAY_MS) / VISITS_A_DAY;
      while (leaving[0] && leaving[0].at <= arrives) await leave();
      until(arrives);
      const plate = newPlate(random);
      await site.read('in-1', plate);
      const stay = random.chance(LONG_STAYERS) ? LONG_STAY_MS : STAY_MS;
      leaving.push({ plate, at: arrives + stay });
      leaving.sort((a, b) => a.at - b.at);
    }
    heap.push(usedHeap());
  }
  async function leave() {
    const next = leaving.shift();
    if (!next) return;
    until(next.at);
    await site.read('out-1', next.plate);
  }
  const wroteMs = performance.now() - from;
  const reads = new Set(site.db.prepare<[], string>('SELECT event_key FROM read').pluck().all());
  site.db.close();
  const [first = 0] = heap;
  return { reads, wroteMs, heapGrowthADay: ((heap.at(-1) ?? 0) - first) / (DAYS - 1) };
}

/** Checks that batches are full as long as there is more, and that none is above the documented size. */
function checkBatches(folder: string, sent: readonly Readonly<Record<string, unknown>>[]): void {
  expect(sent.length).toBeGreaterThan(100);
  const db = new Database(join(folder, 'site.sqlite'), { readonly: true });
  const bytes = db.prepare('SELECT sum(length(body)) FROM event WHERE seq BETWEEN ? AND ?').pluck();
  const sizes = sent.map(({ from, to }) => Number(to) - Number(from) + 1);
  const heaviest = Math.max(...sent.map(({ from, to }) => Number(bytes.get(from, to))));
  db.close();
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BATCH_EVENTS);
  expect(heaviest).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  expect(mean).toBeGreaterThan(MAX_BATCH_EVENTS / 3);
}

/** The max memory of a process so far; null if the system does not report it. */
function peakMemoryMb(pid: number | null): number | null {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? null : Number(kib) / 1024;
  } catch {
    return null;
  }
}
