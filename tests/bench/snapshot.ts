import { join } from 'node:path';
import { copyBare } from './copy-bare.ts';
import type { GateTimes } from './gate-times.ts';
import { carsDuring, memoryMb, startMillionSite, tookSnapshot } from './million-site.ts';

/** A long whitelist on its way to a site. */
export interface SnapshotBench {
  /**
   * The time from the daemon's start until the lists are swapped in, without cars; and of a bare copy of the
   * same rows.
   */
  seconds: number;
  floorSeconds: number;
  idle: GateTimes;
  during: GateTimes;
  /** The memory of the edge while the snapshot came in, MB. */
  maxMb: number;
}

export interface SnapshotSize {
  permits: number;
  /** The warm-up: the first cars run code that has never run. */
  warmCars: number;
  /** While they come, what belonged to the old lists is deleted. */
  settlingCars: number;
  idleCars: number;
}

export async function benchSnapshot({
  permits,
  warmCars,
  settlingCars,
  idleCars,
}: SnapshotSize): Promise<SnapshotBench> {
  const bench = await startMillionSite(permits);
  try {
    const busy = await bench.startWarmSite(warmCars);
    const during = await carsDuring(bench, busy, tookSnapshot(busy));
    // The same daemon, with all that it does but this.
    await carsDuring(bench, busy, settlingCars);
    const idle = await carsDuring(bench, busy, idleCars);
    await busy.stop();

    const from = performance.now();
    const edge = await bench.startSite();
    await tookSnapshot(edge);
    const seconds = (performance.now() - from) / 1000;
    const maxMb = memoryMb(edge).most;
    await edge.stop();

    const floorSeconds = await copyBare(bench.cloudPath, join(bench.cloudPath, '..', 'bare.sqlite'));
    return { seconds, floorSeconds, idle, during, maxMb };
  } finally {
    await bench.stop();
  }
}
