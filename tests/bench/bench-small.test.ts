import { expect, it, vi } from 'vitest';
import { benchBackup } from './bench-backup-rows.ts';
import { benchBytes } from './bench-bytes-rows.ts';
import { benchConsole } from './bench-console-rows.ts';
import { benchEdge } from './bench-edge-rows.ts';
import { benchKiosk } from './bench-kiosk-rows.ts';
import { benchLists, benchSiteLink } from './bench-site-rows.ts';
import type { BenchRow } from './bench-table.ts';
import { benchPauses } from './cloud-pauses.ts';
import { benchScale } from './scale/bench-scale-rows.ts';
import { countsWrites } from './written-bytes.ts';

vi.setConfig({ testTimeout: 180_000 });

/** The parts of `npm run bench` that measure only our own programs, each with little to measure, and how many rows each adds. */
const PARTS: Readonly<Record<string, { rows: number; run(add: (row: BenchRow) => void): Promise<void> }>> = {
  edge: {
    rows: 15,
    run: (add) =>
      benchEdge(
        add,
        { nodeRed: false },
        {
          shortList: 50,
          longList: 200,
          arrivingMs: 200,
          turns: 1,
          warmUpCars: 4,
          oneByOneCars: 8,
          atOnceCars: 20,
        },
      ),
  },
  link: { rows: 1, run: (add) => benchSiteLink(add, 300) },
  lists: { rows: 4, run: (add) => benchLists(add, { permits: 3000, idleMs: 200 }) },
  pauses: { rows: 1, run: (add) => benchPauses(add, { tries: 1, maxTries: 1, maxRequests: 12 }) },
  backup: { rows: 4, run: (add) => benchBackup(add, { visits: [200], rounds: 10 }) },
  console: {
    rows: 14,
    run: (add) =>
      benchConsole(add, {
        visits: 300,
        rounds: 4,
        streams: 10,
        events: 2,
        days: 1,
        shift: { cars: 40, carsOfHour: 20, carsOfStep: 5, stepMs: 15_000 },
      }),
  },
  bytes: {
    rows: (await countsWrites()) ? 3 : 2,
    run: (add) => benchBytes(add, { first: 20, counted: 40, cars: 2 }),
  },
  kiosk: { rows: 6, run: (add) => benchKiosk(add, { starts: 1, keys: 6, payments: 1 }) },
};

it.each(Object.keys(PARTS))(
  'the part %s of the bench measures each of its rows, in a small size too',
  async (name) => {
    const rows: BenchRow[] = [];
    await PARTS[name]?.run((row) => rows.push(row));
    expect(rows).toHaveLength(PARTS[name]?.rows ?? 0);
    for (const { work, ratio } of rows) expect(ratio, work).toBeGreaterThan(0);
  },
);
