import { readFileSync } from 'node:fs';
import { PAGE_BYTES } from '@hlid/edge/db/site-db';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { benchBackup } from './bench-backup-rows.ts';
import { benchBytes, WRITTEN_BEFORE } from './bench-bytes-rows.ts';
import { withBenchCloud } from './bench-cloud.ts';
import { benchConsole } from './bench-console-rows.ts';
import { benchDirectus, worksOfCloud } from './bench-directus-rows.ts';
import { benchEdge } from './bench-edge-rows.ts';
import { benchKiosk } from './bench-kiosk-rows.ts';
import { benchReports } from './bench-report-rows.ts';
import { benchLists, benchSiteLink } from './bench-site-rows.ts';
import type { BenchRow } from './bench-table.ts';
import { benchPauses } from './cloud-pauses.ts';
import { directusIsInstalled } from './directus.ts';
import { nodeRedIsInstalled } from './node-red.ts';
import { benchScale } from './scale/bench-scale-rows.ts';
import { countsWrites, measureWrittenBytes } from './written-bytes.ts';

const SMALL_EDGE = {
  shortList: 50,
  longList: 200,
  arrivingMs: 200,
  turns: 1,
  warmUpCars: 4,
  oneByOneCars: 8,
  atOnceCars: 20,
};

const FlowSchema = z.array(z.object({ id: z.string(), wires: z.array(z.array(z.string())).default([]) }));

/** The parts of `npm run bench` that measure only our own programs, each with little to measure, and how many rows each adds. */
const PARTS: Readonly<Record<string, { rows: number; run(add: (row: BenchRow) => void): Promise<void> }>> = {
  edge: {
    rows: 15,
    run: (add) => benchEdge(add, { nodeRed: false }, SMALL_EDGE),
  },
  link: { rows: 1, run: (add) => benchSiteLink(add, 300) },
  lists: {
    rows: 4,
    run: (add) => benchLists(add, { permits: 3000, warmCars: 10, settlingCars: 5, idleCars: 10 }),
  },
  reports: { rows: 8, run: (add) => benchReports(add, { visits: 300, otherSites: 2, rounds: 2 }) },
  pauses: { rows: 1, run: (add) => benchPauses(add, { tries: 1, maxTries: 1, maxRequests: 4 }) },
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

it('a car makes the edge write at most half of what it did', async () => {
  if (!(await countsWrites())) {
    console.log(
      'This system does not count what a program writes (folder in memory?): only the page is checked.',
    );
    expect(PAGE_BYTES).toBe(1024);
    return;
  }
  const { bytesPerCar } = await measureWrittenBytes(10);
  expect(bytesPerCar / WRITTEN_BEFORE).toBeLessThan(0.5);
});

it('the part scale measures each figure of its smallest country', async () => {
  const size = {
    sites: 3,
    companyCars: 20,
    awaySites: 1,
    rounds: 4,
    warmRounds: 1,
    fewRounds: 1,
    idleMs: 200,
  };
  const rows: BenchRow[] = [];
  await benchScale((row) => rows.push(row), [300], size);
  for (const { work, ours } of rows) expect(Number(ours.replaceAll(',', '')), work).toBeGreaterThanOrEqual(0);
  const works = rows.map(({ work }) => work);
  for (const last of [
    'list during the storm, p50',
    'backlog, events per second',
    'restore',
    'check of the database file',
  ]) {
    expect(works).toContain(`country of 300 visits: ${last}`);
  }
  expect(new Set(works).size).toBe(rows.length);
});

it('the part directus measures each of its rows; without Directus, our part of it answers', async () => {
  if (directusIsInstalled()) {
    const rows: BenchRow[] = [];
    await benchDirectus((row) => rows.push(row), { isAsked: false, visits: 200, rounds: 8 });
    expect(rows).toHaveLength(3);
    for (const { work, ratio } of rows) expect(ratio, work).toBeGreaterThan(0);
    return;
  }
  console.log(
    'Directus is not installed (`npm run bench -- directus` does that): only our part of the comparison runs.',
  );
  await withBenchCloud(200, async (cloud) => {
    const statuses: Record<string, number> = {};
    for (const [what, work] of Object.entries(worksOfCloud(cloud))) statuses[what] = await work(1);
    expect(statuses).toEqual({ '50 by plate': 200, '50 of a site': 200, 'create a visit': 303 });
  });
});

it('the part node-red measures each of its rows; without Node-RED, its flow holds together', async () => {
  if (nodeRedIsInstalled()) {
    const rows: BenchRow[] = [];
    await benchEdge((row) => rows.push(row), { nodeRed: true }, SMALL_EDGE);
    expect(rows.filter(({ against }) => against.startsWith('Node-RED'))).toHaveLength(10);
    return;
  }
  console.log(
    'Node-RED is not installed (`npm run bench -- node-red` does that): the part edge runs, and the flow is read.',
  );
  const flow = FlowSchema.parse(
    JSON.parse(readFileSync(new URL('node-red/flows.json', import.meta.url), 'utf8')),
  );
  const ids = flow.map(({ id }) => id);
  const wired = flow.flatMap(({ wires }) => wires.flat());
  expect(wired.filter((id) => !ids.includes(id))).toEqual([]);
  // A car goes from the camera to the disk, and from there to the relay, its answer and the cloud.
  const reached = new Set(['camera']);
  for (const id of reached) {
    for (const next of flow.find((node) => node.id === id)?.wires.flat() ?? []) reached.add(next);
  }
  expect([...reached]).toEqual(expect.arrayContaining(['write-down', 'relay', 'answer', 'tell-cloud']));
});
