import { type BenchCloud, withBenchCloud } from './bench-cloud.ts';
import { MANY } from './bench-cloud-rows.ts';
import { type BenchRow, count, ms } from './bench-table.ts';
import { BENCH_YEAR } from './fill-cloud.ts';
import { percentile } from './percentile.ts';

const SIZE = { visits: MANY, otherSites: 49, rounds: 40 };
const MAX_MS = 300;
const YEAR = `date.from=${BENCH_YEAR.from}&date.to=${BENCH_YEAR.to}`;
const MONTH = 'date.from=2026-10-01&date.to=2026-10-31';

/** The reports of managers: a year of visits at one site, and its totals at the others too. */
export async function benchReports(add: (row: BenchRow) => void, size = SIZE): Promise<void> {
  await withBenchCloud(size.visits, (cloud) => measure(cloud, add, size), size.otherSites);
}

async function measure(
  cloud: BenchCloud,
  add: (row: BenchRow) => void,
  { visits, otherSites, rounds }: typeof SIZE,
): Promise<void> {
  const site = `siteId=${cloud.siteId}`;
  const reports = {
    'overview of a year by month': `/reports/overview?${YEAR}&by=month`,
    'overview of a year by day': `/reports/overview?${YEAR}`,
    'overview of a month': `/reports/overview?${MONTH}`,
    'overview of a year, one site': `/reports/overview?${YEAR}&by=month&${site}`,
    'cars inside at a moment, one site': `/reports/occupancy?${site}&at=2026-11-20T11:07:00.000Z`,
    'cars inside by hour of a month, one site': `/reports/occupancy/hours?${site}&${MONTH}`,
    'cameras of a month': `/reports/cameras?${MONTH}`,
    'permits of a year': `/reports/permits?${YEAR}`,
  };
  for (const [what, path] of Object.entries(reports)) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      const status = await cloud.ask('GET', path);
      times.push(performance.now() - began);
      if (status !== 200) throw new Error(`${path}: ${status}`);
    }
    const p95 = percentile(times, 0.95);
    add({
      work: `cloud, ${what}, ${count(visits)} visits, ${otherSites + 1} sites, p95`,
      ours: ms(p95),
      against: ms(MAX_MS),
      ratio: p95 / MAX_MS,
      goal: { atMost: 1 },
    });
  }
}
