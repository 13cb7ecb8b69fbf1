import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { seededRandom } from '../sim/seeded-random.ts';
import { type Network, startNetwork } from '../stage/network.ts';
import { checkBooks } from './books.ts';
import { pause, type SteadyTraffic, startTraffic } from './steady-traffic.ts';

const CUTS = 25;
const SETTLED_WITHIN_MS = 60_000;

let network: Network | undefined;
let traffic: SteadyTraffic | undefined;
let folder: string;
afterEach(async () => {
  await traffic?.stop();
  await network?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(seed: number) {
  folder = mkdtempSync(join(tmpdir(), 'hlid-faults-'));
  const folders = { cloud: join(folder, 'cloud'), edge: join(folder, 'edge') };
  network = await startNetwork({
    cloudEnv: { HLID_DATA_DIR: folders.cloud },
    edgeEnv: { HLID_DATA_DIR: folders.edge },
  });
  traffic = startTraffic(network, seed);
  return { network, traffic, folders };
}

it(`kill -9 of the edge, ${CUTS} times under traffic: every accepted read is in the cloud once`, async () => {
  const { network, traffic, folders } = await begin(1);
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
  const { network, traffic, folders } = await begin(2);
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
  const { network, traffic, folders } = await begin(3);
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
