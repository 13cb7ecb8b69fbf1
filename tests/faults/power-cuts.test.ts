import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../sim/seeded-random.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { pause, type SteadyTraffic, startTraffic } from './steady-traffic.ts';

const CUTS = 25;
const SETTLED_WITHIN_MS = 60_000;

let faulty: FaultyNetwork;
let traffic: SteadyTraffic;
beforeEach(async () => {
  faulty = await startFaultyNetwork();
  traffic = startTraffic(faulty.network, 1);
});
afterEach(async () => {
  await traffic?.stop();
  await faulty?.stop();
});

it(`kill -9 of the edge, ${CUTS} times under traffic: every accepted read is in the cloud once`, async () => {
  const { network, folders } = faulty;
  const random = seededRandom(11);
  for (let cut = 0; cut < CUTS; cut++) {
    await pause(random.between(0, 600));
    await network.edge.kill();
    await network.edge.restart();
  }
  await traffic.stop();
  await network.settled(SETTLED_WITHIN_MS);
  expect(traffic.accepted.size).toBeGreaterThan(CUTS);
  checkBooks(folders, traffic.accepted);
});

it(`kill -9 of the cloud and its broker, ${CUTS} times under traffic: the same`, async () => {
  const { network, folders } = faulty;
  const random = seededRandom(22);
  for (let cut = 0; cut < CUTS; cut++) {
    await pause(random.between(0, 600));
    await network.cloud.kill();
    await network.cloud.restart();
  }
  await traffic.stop();
  await network.settled(SETTLED_WITHIN_MS);
  expect(traffic.accepted.size).toBeGreaterThan(CUTS);
  checkBooks(folders, traffic.accepted);
});

it('both at once, at random', async () => {
  const { network, folders } = faulty;
  const random = seededRandom(33);
  for (let cut = 0; cut < 8; cut++) {
    await pause(random.between(0, 400));
    await Promise.all([network.cloud.kill(), network.edge.kill()]);
    await pause(random.between(0, 300));
    await Promise.all([network.edge.restart(), network.cloud.restart()]);
  }
  await traffic.stop();
  await network.settled(SETTLED_WITHIN_MS);
  checkBooks(folders, traffic.accepted);
});
