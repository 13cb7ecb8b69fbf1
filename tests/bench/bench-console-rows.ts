import http from 'node:http';
import { buildConsole } from '../harness/build-pages.ts';
import { launchChromium } from '../screens/chromium.ts';
import { consoleFirstLoad } from '../screens/console-files.ts';
import { type BenchCloud, newVisit, startBenchCloud } from './bench-cloud.ts';
import { plateOf } from './bench-plates.ts';
import { type BenchRow, count, ms } from './bench-table.ts';
import {
  addCases,
  heapOverShift,
  openConsole,
  timeCases,
  timeFinding,
  timeInteractions,
} from './console-page.ts';
import { BENCH_YEAR, benchPlates } from './fill-cloud.ts';
import { startFloorProgram } from './floor-program.ts';
import { runLoad } from './load.ts';
import { memoryOf } from './memory-of.ts';
import { percentile } from './percentile.ts';

/** Eight hours at twenty cars a minute. */
const SHIFT = { cars: 9600, carsOfHour: 1200, carsOfStep: 5, stepMs: 15_000 };
const USUAL_SIZE = { visits: 1_000_000, rounds: 400, streams: 1000, events: 20, days: 5, shift: SHIFT };
type ConsoleSize = typeof USUAL_SIZE;
const MAX_STREAM_KB = 20;
const MAX_EVENT_MS = 1000;
const MAX_FINDING_MS = 250;
const MAX_INTERACTION_MS = 100;
const MAX_NEXT_CASE_MS = 100;

type Add = (row: BenchRow) => void;

/** The waits of a person at the console, with a million visits. */
export async function benchConsole(add: Add, size = USUAL_SIZE): Promise<void> {
  await buildConsole(console.warn);
  addLimit(
    add,
    'console, first load, gzip',
    consoleFirstLoad().gzipBytes / 1000,
    220,
    (kb) => `${Math.round(kb)} kB`,
  );
  const cloud = await startBenchCloud(size.visits);
  try {
    await benchCalls(cloud, size, add);
    await benchStreams(cloud, size, add);
    await benchPage(cloud, size, add);
  } finally {
    await cloud.stop();
  }
}

function addLimit(
  add: Add,
  work: string,
  value: number,
  limit: number,
  show: (value: number) => string,
): void {
  add({ work, ours: show(value), against: show(limit), ratio: value / limit, goal: { atMost: 1 } });
}

/** Lists and searches over HTTP, one after the other. */
async function benchCalls(cloud: BenchCloud, { visits, rounds }: ConsoleSize, add: Add): Promise<void> {
  const plate = (round: number) => plateOf((round * 7919) % benchPlates(visits));
  const day = (round: number) =>
    new Date(Date.parse(BENCH_YEAR.from) + ((round * 31) % BENCH_YEAR.days) * 86_400_000).toISOString();
  const calls: [what: string, limitMs: number, path: (round: number) => string][] = [
    ['list', 20, () => `/visits?siteId=${cloud.siteId}`],
    ['list of a day', 20, (round) => `/visits?date=${day(round).slice(0, 10)}`],
    ['list of near plates', 20, (round) => `/visits?near=${plate(round)}`],
    ['list of who was inside', 20, (round) => `/visits?siteId=${cloud.siteId}&insideAt=${day(round)}`],
    ['search', 30, (round) => `/search?q=${plate(round)}`],
    ['search by a beginning', 30, (round) => `/search?q=${plate(round).slice(0, 3)}`],
  ];
  for (const [what, limitMs, path] of calls) {
    const { p95Ms } = await runLoad(1, rounds, async (_connection, round) => {
      const status = await cloud.ask('GET', path(round));
      if (status !== 200) throw new Error(`${path(round)} answered with ${status}`);
    });
    addLimit(add, `console, ${what}, ${count(visits)} visits, p95`, p95Ms, limitMs, ms);
  }
}

/** Open streams: how much each costs, and when the last one has an event. */
async function benchStreams(
  cloud: BenchCloud,
  { streams: howMany, events }: ConsoleSize,
  add: Add,
): Promise<void> {
  const floorKb = await bareStreamKb(howMany);
  const before = cloud.memoryMb();
  const streams = await openStreams(new URL('/events', cloud.url), cloud.token, howMany);
  const kb = kbEach(cloud.memoryMb() - before, howMany);
  const shown = (value: number) => `${value.toFixed(1)} kB`;
  const work = `console, an open stream of ${count(howMany)} (bare node:http: ${shown(floorKb)})`;
  addLimit(add, work, kb, MAX_STREAM_KB, shown);
  const times: number[] = [];
  for (let round = 0; round < events; round++) {
    const from = performance.now();
    const all = Promise.all(streams.map((stream) => stream.next()));
    await cloud.ask('POST', '/visits', newVisit(`STREAM${round}`));
    await all;
    times.push(performance.now() - from);
  }
  addLimit(
    add,
    `console, an event on ${count(howMany)} streams, slowest`,
    Math.max(...times),
    MAX_EVENT_MS,
    ms,
  );
  for (const stream of streams) stream.close();
}

interface OpenStream {
  /** Resolves with the next change. */
  next(): Promise<void>;
  close(): void;
}

/** The memory of a stream alone. */
async function bareStreamKb(howMany: number): Promise<number> {
  const floor = await startFloorProgram('floor-streams.ts', []);
  try {
    const before = memoryOf(floor.pid).now;
    const streams = await openStreams(new URL(floor.url), 'none', howMany);
    const kb = kbEach(memoryOf(floor.pid).now - before, howMany);
    for (const stream of streams) stream.close();
    return kb;
  } finally {
    await floor.stop();
  }
}

function kbEach(mb: number, streams: number): number {
  return (mb * 1000) / streams;
}

function openStreams(url: URL, token: string, howMany: number): Promise<OpenStream[]> {
  return Promise.all(Array.from({ length: howMany }, () => openStream(url, token)));
}

function openStream(url: URL, token: string): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = http.get(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`The stream was refused with ${response.statusCode}`));
        return;
      }
      let wanted: (() => void) | null = null;
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('event: ready')) {
          resolve({
            next: () =>
              new Promise((done) => {
                wanted = done;
              }),
            close: () => request.destroy(),
          });
        }
        if (text.includes('event: change')) wanted?.();
      });
      response.on('error', () => undefined);
    });
    request.on('error', reject);
  });
}

/** The console in a browser: what a person waits for, and what a shift leaves in memory. */
async function benchPage(cloud: BenchCloud, size: ConsoleSize, add: Add): Promise<void> {
  const { visits, events, days, shift: cars } = size;
  const browser = await launchChromium();
  const addTimes = (work: string, times: number[], limit: number) =>
    addLimit(add, `console, ${work}, p95`, percentile(times, 0.95), limit, ms);
  try {
    const page = await openConsole(browser, cloud, 'all/visits?status=open');
    await page.locator('main tbody tr').first().waitFor();
    const times: number[] = [];
    for (let round = 0; round < events; round++) {
      const from = performance.now();
      await cloud.ask('POST', '/visits', newVisit(`GLASS${round}`));
      await page.getByRole('button', { name: `${round + 1} new` }).waitFor();
      times.push(performance.now() - from);
    }
    addTimes('event to pixel', times, MAX_EVENT_MS);
    const plates = Array.from({ length: events }, (_, at) => plateOf((at * 7919) % benchPlates(visits)));
    addTimes('key to results at a quarter of the speed', await timeFinding(page, plates), MAX_FINDING_MS);
    addTimes('press to next paint', await timeInteractions(page, days), MAX_INTERACTION_MS);
    await page.context().close();

    await addCases(browser, cloud, events + 1);
    const review = await openConsole(browser, cloud, 'all/review');
    addTimes('answer to next picture', await timeCases(review, events), MAX_NEXT_CASE_MS);
    await review.context().close();

    const shift = await openConsole(browser, cloud, 'all/visits?status=open', (context) =>
      context.clock.install(),
    );
    const { first, last } = await heapOverShift(shift, cloud, cars);
    addLimit(
      add,
      `console, heap in the eighth hour of ${count(cars.cars)} cars, against the first and 20 %`,
      last,
      first * 1.2,
      (mb) => `${mb.toFixed(1)} MB`,
    );
  } finally {
    await browser.close();
  }
}
