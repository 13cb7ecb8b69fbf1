import { afterEach, expect, it } from 'vitest';
import { buildPrograms } from '../stage/build-programs.ts';
import { type Network, startNetwork } from '../stage/network.ts';
import { PROGRAMS_BUILT } from '../stage/programs.ts';

const before = process.env[PROGRAMS_BUILT];
let network: Network | null = null;
afterEach(async () => {
  await network?.stop();
  process.env[PROGRAMS_BUILT] = before;
});

it('cloud and edge, compiled as they are deployed, let a car in and out', async () => {
  buildPrograms();
  expect(process.env[PROGRAMS_BUILT]).toBe('dist');
  network = await startNetwork();
  for (const laneId of ['in-1', 'out-1']) {
    const lane = network.lane(laneId);
    const openings = lane.openings();
    await lane.passes('BUILT1');
    await lane.opensAfter(openings);
  }
  await network.settled();
});
