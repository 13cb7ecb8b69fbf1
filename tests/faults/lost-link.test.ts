import { afterEach, beforeEach, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { type SteadyTraffic, startTraffic } from './steady-traffic.ts';

const SETTLED_WITHIN_MS = 60_000;
const CARS_BETWEEN = 5;

let network: FaultyNetwork;
let traffic: SteadyTraffic;
beforeEach(async () => {
  network = await startFaultyNetwork();
  traffic = startTraffic(network, 5);
});
afterEach(async () => {
  await traffic?.stop();
  await network?.stop();
});

it('no event is lost or repeated when the broker restarts without its memory, again and again', async () => {
  for (let restart = 0; restart < 4; restart++) {
    await traffic.goesOn(CARS_BETWEEN);
    await network.cloud.stop();
    await network.cloud.restart();
  }
  await traffic.stop();
  await network.settled(SETTLED_WITHIN_MS);
  await checkBooks(network.folders, traffic.accepted);
});

it('no event is lost or repeated when the line is cut at random, in the middle of messages', async () => {
  const random = seededRandom(55);
  for (let cut = 1; cut <= 6; cut++) {
    network.line.cut(random.between(0, 6000));
    await waitFor(() => network.line.cuts() === cut, { what: 'the cut', withinMs: 20_000 });
  }
  network.line.heal();
  await traffic.stop();
  await network.settled(SETTLED_WITHIN_MS);
  await checkBooks(network.folders, traffic.accepted);
});
