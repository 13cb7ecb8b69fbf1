import { siteDbPath } from '@hlid/edge/db/site-db';
import type { BenchRow } from './bench-table.ts';
import { grownBy, storedBytes } from './stored-bytes.ts';
import { Traffic } from './traffic.ts';
import { countsWrites, measureWrittenBytes } from './written-bytes.ts';

/**
 * The first visits also fill pages that every database has, and are not counted. Cars for two checkpoints of the edge's
 * database: their bytes are counted too.
 */
const USUAL_SIZE = { first: 400, counted: 1200, cars: 130 };
const MAX_BYTES = 4000;
/** The bytes written on 2026-11-28, with pages of 4096 bytes. */
export const WRITTEN_BEFORE = 287_600;

/** Bytes on disk that a visit leaves in each database, before retention deletes anything. Pictures' files are not counted. */
export async function benchBytes(add: (row: BenchRow) => void, size = USUAL_SIZE): Promise<void> {
  const traffic = await Traffic.start();
  try {
    const { api, site } = traffic.pair;
    const sizes = () => ({ cloud: storedBytes(api.file), edge: storedBytes(siteDbPath(site.folder)) });
    await traffic.drive(size.first);
    const before = sizes();
    await traffic.drive(size.counted);
    const after = sizes();
    for (const program of ['cloud', 'edge'] as const) {
      const grown = grownBy(before[program], after[program], size.counted);
      console.log(`  ${program}, bytes and rows for each visit:`);
      console.table(
        grown.map(({ name, bytes, rows }) => ({
          name,
          bytes: Math.round(bytes),
          rows: rows === 0 ? '' : rows.toFixed(2),
        })),
      );
      const bytes = grown.reduce((sum, table) => sum + table.bytes, 0);
      add({
        work: `${program}, bytes on disk for each visit`,
        ours: `${Math.round(bytes)} B`,
        against: `${MAX_BYTES} B`,
        ratio: bytes / MAX_BYTES,
        goal: { atMost: 1 },
      });
    }
  } finally {
    await traffic.stop();
  }
  if (!(await countsWrites())) {
    console.log('  edge, bytes written: not measured, this system does not count them (folder in memory?)');
    return;
  }
  const { bytesPerCar } = await measureWrittenBytes(size.cars);
  add({
    work: 'edge, bytes written to the disk for a car, in and out',
    ours: `${Math.round(bytesPerCar)} B`,
    against: `${WRITTEN_BEFORE} B on 2026-11-28`,
    ratio: bytesPerCar / WRITTEN_BEFORE,
    goal: { atMost: 0.5 },
  });
}
