import { describe, expect, it } from 'vitest';
import type { Network } from '../harness/network.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';
import { checkBooks } from './books.ts';
import { startFaultyNetwork } from './faulty-network.ts';
import { atRandom, startTraffic } from './steady-traffic.ts';

/** More by the environment, for a night. */
const CUTS = Number(process.env['HLID_POWER_CUTS'] ?? 4);
/** Up to so long from a start to the next cut: some come in the middle of starting, some long after. */
const MAX_RUN_MS = 450;
const SETTLED_WITHIN_MS = 60_000;

/** Each runs on a separate network, at the same time: much of it is waiting for programs that start. */
describe.concurrent('every accepted read is in the cloud once after kill -9 during traffic', () => {
  it(`the edge is killed ${CUTS} times`, () =>
    underTraffic(11, CUTS, async ({ edge }) => {
      await edge.kill();
      await edge.restart();
    }));

  it(`the cloud and its broker are killed ${CUTS} times`, () =>
    underTraffic(22, CUTS, async ({ cloud }) => {
      await cloud.kill();
      await cloud.restart();
    }));

  it('both are killed at once', () =>
    underTraffic(33, 8, async ({ cloud, edge }, random) => {
      await Promise.all([cloud.kill(), edge.kill()]);
      await atRandom(random, 0, 300);
      await Promise.all([edge.restart(), cloud.restart()]);
    }));
});

async function underTraffic(
  seed: number,
  cuts: number,
  cut: (network: Network, random: SeededRandom) => Promise<void>,
): Promise<void> {
  const random = seededRandom(seed);
  const network = await startFaultyNetwork();
  const traffic = startTraffic(network, seed);
  try {
    for (let done = 0; done < cuts; done++) {
      await atRandom(random, 0, MAX_RUN_MS);
      await cut(network, random);
    }
    await traffic.stop();
    await network.settled(SETTLED_WITHIN_MS);
    expect(traffic.accepted.size).toBeGreaterThan(cuts);
    await checkBooks(network.folders, traffic.accepted);
  } finally {
    await traffic.stop();
    await network.stop();
  }
}
