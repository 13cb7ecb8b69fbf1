import { type BenchCloud, withBenchCloud } from './bench-cloud.ts';
import { type BenchRow, count, mb, ms, perSecond } from './bench-table.ts';
import { type AgainstFloor, benchByDay, benchByPlate, benchCreate } from './cloud-lists.ts';
import { benchDownload, benchDuringDownload, benchIncome } from './cloud-reports.ts';

/** The number of visits of the large cloud. */
export const MANY = process.env['HLID_BENCH_FULL'] === '1' ? 5_000_000 : 1_000_000;
const SIZE = {
  fewVisits: 100_000,
  manyVisits: MANY,
  rounds: 1000,
  /** The rows that a spreadsheet download is held to. */
  downloadRows: 200_000,
};
const DOWNLOAD_MB = 300;

/** Lists, new visits and reports of the cloud, on few visits and on many. */
export async function benchCloud(add: (row: BenchRow) => void, size = SIZE): Promise<void> {
  const { fewVisits, manyVisits, rounds, downloadRows } = size;
  const few = await withBenchCloud(fewVisits, (cloud) => measure(cloud, rounds, add));
  const many = await withBenchCloud(manyVisits, async (cloud) => {
    await benchMemory(cloud, downloadRows, add);
    const measured = await measure(cloud, rounds, add);
    await benchDisturbance(cloud, rounds, add);
    return measured;
  });
  for (const [what, atMost] of [
    ['list 50 by plate', 3],
    ['list 50 by day', 3],
    ['income of a year', 1.5],
  ] as const) {
    add({
      work: `cloud, ${what}, ${count(fewVisits)} → ${count(manyVisits)} visits, p50`,
      ours: ms(many[what].ours.p50Ms),
      against: ms(few[what].ours.p50Ms),
      ratio: many[what].ours.p50Ms / few[what].ours.p50Ms,
      goal: { atMost },
    });
  }
}

async function measure(cloud: BenchCloud, rounds: number, add: (row: BenchRow) => void) {
  const measured = {
    'list 50 by plate': await benchByPlate(cloud, rounds),
    'list 50 by day': await benchByDay(cloud, rounds),
    'income of a year': await benchIncome(cloud, rounds / 2),
    'create a visit': await benchCreate(cloud, rounds),
  };
  for (const [what, { ours, floor }] of Object.entries<AgainstFloor>(measured)) {
    add({
      work: `cloud, ${what}, ${count(cloud.visits)} visits, 10 connections`,
      ours: perSecond(ours.perSecond),
      against: perSecond(floor.perSecond),
      ratio: ours.perSecond / floor.perSecond,
      goal: { atLeast: 0.6 },
    });
  }
  return measured;
}

/** First of all, so that the most memory ever is the download's. */
async function benchMemory(cloud: BenchCloud, visits: number, add: (row: BenchRow) => void): Promise<void> {
  const { rows, seconds, peakMemoryMb } = await benchDownload(cloud, visits);
  add({
    work: `cloud, download of ${count(rows)} visits as .xlsx (${seconds.toFixed(1)} s), resident memory`,
    ours: mb(peakMemoryMb),
    against: mb(DOWNLOAD_MB),
    ratio: peakMemoryMb / DOWNLOAD_MB,
    goal: { atMost: 1 },
  });
}

async function benchDisturbance(
  cloud: BenchCloud,
  rounds: number,
  add: (row: BenchRow) => void,
): Promise<void> {
  const { lists, creates } = await benchDuringDownload(cloud, rounds);
  for (const [what, { idle, busy }] of [
    ['list', lists],
    ['create', creates],
  ] as const) {
    add({
      work: `cloud, ${what} while a year is downloaded, p99`,
      ours: ms(busy.p99Ms),
      against: ms(idle.p99Ms),
      ratio: busy.p99Ms / idle.p99Ms,
      goal: { atMost: 2 },
    });
  }
}
