import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildPrograms } from '../harness/build-programs.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { PROGRAMS_BUILT } from '../harness/programs.ts';

let network: Network | null = null;
// What is said of it goes away with the test.
beforeEach(() => void vi.stubEnv(PROGRAMS_BUILT, undefined));
afterEach(async () => {
  await network?.stop();
  vi.unstubAllEnvs();
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
