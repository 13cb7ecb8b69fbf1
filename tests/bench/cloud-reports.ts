import type { BenchCloud } from './bench-cloud.ts';
import { plateOf } from './bench-plates.ts';
import { createVisit, inTurns, load } from './cloud-lists.ts';
import { BENCH_YEAR, benchPlates } from './fill-cloud.ts';
import type { LoadResult } from './load.ts';

const YEAR = `date.from=${BENCH_YEAR.from}&date.to=${BENCH_YEAR.to}`;

/** The income of a year, month by month. */
export async function benchIncome(cloud: BenchCloud, rounds: number) {
  const { from, to } = BENCH_YEAR;
  const ours = () => cloud.ask('GET', `/reports/income?${YEAR}&by=month`);
  const floor = () => cloud.askFloor('GET', `/income?from=${from}&to=${to}`);
  return await inTurns(rounds, ours, floor);
}

/** A download of about this many visits: its duration, and the cloud's memory by then. */
export async function benchDownload(cloud: BenchCloud, visits: number) {
  const days = Math.max(1, Math.min(BENCH_YEAR.days, Math.round((visits / cloud.visits) * BENCH_YEAR.days)));
  const last = new Date(Date.parse(BENCH_YEAR.from) + (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const began = performance.now();
  let bytes = 0;
  const peakMemoryMb = await cloud.peakMemoryMb(async () => {
    const path = `/reports/visits/download?date.from=${BENCH_YEAR.from}&date.to=${last}`;
    bytes = await cloud.drain(path, AbortSignal.timeout(600_000));
  });
  const seconds = (performance.now() - began) / 1000;
  return { rows: Math.round((cloud.visits * days) / BENCH_YEAR.days), bytes, seconds, peakMemoryMb };
}

export interface Disturbed {
  idle: LoadResult;
  busy: LoadResult;
}

/** Lists and new visits while nothing else goes on, and while a year's download runs. */
export async function benchDuringDownload(
  cloud: BenchCloud,
  rounds: number,
): Promise<{ lists: Disturbed; creates: Disturbed }> {
  const plates = benchPlates(cloud.visits);
  const list = (round: number) => cloud.ask('GET', `/visits?plate=${plateOf((round * 104_729) % plates)}`);
  const create = () => createVisit(cloud);
  const idle = { lists: await load(rounds, list), creates: await load(rounds, create) };
  const enough = new AbortController();
  const downloading = (async () => {
    while (!enough.signal.aborted) {
      await cloud.drain(`/reports/visits/download?${YEAR}`, enough.signal);
    }
  })().catch((error) => {
    if (!enough.signal.aborted) throw error;
  });
  const busy = { lists: await load(rounds, list), creates: await load(rounds, create) };
  enough.abort();
  await downloading;
  return {
    lists: { idle: idle.lists, busy: busy.lists },
    creates: { idle: idle.creates, busy: busy.creates },
  };
}
