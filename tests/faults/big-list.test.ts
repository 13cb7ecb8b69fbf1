import { join } from 'node:path';
import { openSiteDb } from '@hlid/edge/db/site-db';
import { PermitStore } from '@hlid/edge/site-lists/permit-store';
import { expect, it } from 'vitest';
import { benchPermit, plateOf } from '../bench/bench-plates.ts';
import { carsDuring, memoryMb, startMillionSite, tookSnapshot } from '../bench/million-site.ts';
import { waitFor } from '../harness/wait.ts';

/** A million take ten times as long: `HLID_LIST_ENTRIES=1000000`, and `npm run bench -- lists`. */
const PERMITS = Number(process.env['HLID_LIST_ENTRIES'] ?? 100_000);
const IDLE_CARS = 150;
/**
 * The benchmark holds us to less; here the machine is busy with other tests. Gates that stood still would take seconds.
 */
const GATES_SLOWER = 4;
const SLACK_MS = 250;
const MAX_MB = 300;
const RESIDENT_MB = 250;

it(`${PERMITS} permits come to a site whose gates go on; then changes, one by one; then a start with all of them`, async () => {
  const million = await startMillionSite(PERMITS);
  try {
    const alone = await million.startAlone();
    await carsDuring(million, alone, IDLE_CARS / 2);
    const idle = await carsDuring(million, alone, IDLE_CARS);
    await alone.stop();

    const edge = await million.startSite();
    const during = await carsDuring(million, edge, tookSnapshot(edge));
    expect(during.cars).toBeGreaterThan(25);
    expect(during.p50Ms).toBeLessThan(GATES_SLOWER * idle.p50Ms + SLACK_MS);
    expect(memoryMb(edge).most).toBeLessThan(MAX_MB);

    const { id } = await million.operator.addPermit('NEWCAR');
    await waitFor(() => edge.logged('feed.applied').length > 0, { what: 'the change' });
    await waitFor(async () => (await million.inStep()).lag === 0, { what: 'the cloud to know of it' });

    await edge.stop();
    await edge.start();
    await million.gates.one(edge.cameraUrl(), plateOf(PERMITS - 1));
    expect(memoryMb(edge).now).toBeLessThan(RESIDENT_MB);
    await edge.stop();

    const db = openSiteDb(join(million.siteFolder(), 'site.sqlite'));
    try {
      expect(db.prepare('SELECT count(*) FROM permit').pluck().get()).toBe(PERMITS + 1);
      const permits = new PermitStore(db);
      expect(permits.get(id)?.plate).toBe('NEWCAR');
      for (const number of [0, 4711, PERMITS - 1]) {
        expect(permits.listedLike(plateOf(number))).toContainEqual(benchPermit(number));
      }
    } finally {
      db.close();
    }
    expect(edge.logged('feed.retry')).toEqual([]);
  } finally {
    await million.stop();
  }
});
