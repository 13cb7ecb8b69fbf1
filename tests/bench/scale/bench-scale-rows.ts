import { statfsSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { type BenchRow, count } from '../bench-table.ts';
import { type Figures, Measured, measureStep } from './measure-step.ts';
import { COUNTRY, ScaleCloud, type ScaleSize, ScaleWorld } from './scale-cloud.ts';

/** The sizes that fit ten minutes. */
export const USUAL_STEPS = [100_000, 300_000];
/** The bytes of a visit before a step of this run was filled. */
const BYTES_PER_VISIT = 5_000;
/**
 * The disk space per byte of database, which includes the write-ahead log. A backup, its restore and a rewriting
 * are left out if there is no room for them.
 */
const COPIES = 1.3;
const GB = 1e9;

/** A country at growing sizes. @throws where the disk has no room for the next size */
export async function benchScale(
  add: (row: BenchRow) => void,
  steps: readonly number[] = USUAL_STEPS,
  size: ScaleSize = COUNTRY,
): Promise<void> {
  const progress = (line: string) =>
    console.log(`  ${new Date().toISOString().slice(11, 19)} ${line} (load ${loadavg()[0]?.toFixed(1)})`);
  const measured: { visits: number; figures: Figures }[] = [];
  let bytesPerVisit = BYTES_PER_VISIT;
  checkDisk(Math.max(...steps), bytesPerVisit);
  const world = await ScaleWorld.make(size, progress);
  try {
    for (const visits of steps.toSorted((a, b) => a - b)) {
      checkDisk(visits, bytesPerVisit);
      progress(`${count(visits)} visits`);
      const cloud = await ScaleCloud.start(world, visits, progress);
      const figures = new Measured(progress);
      try {
        await measureStep(cloud, figures, { freeBytes, progress });
        bytesPerVisit = figures.get('bytes per visit') ?? bytesPerVisit;
      } finally {
        // Figures that were measured before a failure count too.
        addRows(add, measured.at(0) ?? null, { visits, figures });
        measured.push({ visits, figures });
        await cloud.stop();
        cloud.remove();
      }
    }
  } finally {
    await world.remove();
  }
}

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize;
};

function checkDisk(visits: number, bytesPerVisit: number): void {
  const needed = visits * bytesPerVisit * COPIES;
  const free = freeBytes();
  console.log(
    `  ${count(visits)} visits need ${(needed / GB).toFixed(0)} GB in ${tmpdir()}; ${(free / GB).toFixed(0)} GB are free`,
  );
  if (needed > free) throw new Error(`there is no room for ${count(visits)} visits`);
}

/** Each figure against the smallest size: how it grows is what counts. */
function addRows(
  add: (row: BenchRow) => void,
  first: { visits: number; figures: Figures } | null,
  { visits, figures }: { visits: number; figures: Figures },
): void {
  for (const [name, value] of figures) {
    const before = first?.figures.get(name);
    add({
      work: `country of ${count(visits)} visits: ${name}`,
      ours: shown(value),
      against: before === undefined ? '–' : `${shown(before)} with ${count(first?.visits ?? 0)}`,
      ratio: before === undefined ? null : value / before,
      goal: null,
    });
  }
}

const shown = (value: number) => (value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en'));
