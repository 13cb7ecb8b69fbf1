import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LaneHandle } from '../harness/lane-handle.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';
import { checkBooks } from './books.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { startTraffic } from './steady-traffic.ts';

const DISK_MB = 24;

const trial = mountSmallDisk(1);
trial?.stop();
if (!trial) console.warn('Skipped: a small disk cannot be mounted here (it takes root).');

let disk: SmallDisk | null;
let network: FaultyNetwork;
beforeEach(async () => {
  disk = trial && mountSmallDisk(DISK_MB);
  if (disk) network = await startFaultyNetwork({ edgeEnv: { HLID_DATA_DIR: disk.folder } });
});
afterEach(async () => {
  await network?.stop();
  disk?.stop();
});

/** The answer to its camera for one car. */
async function comes(lane: LaneHandle, plate: string, score = 0.94): Promise<number[]> {
  const statuses: number[] = [];
  for (const document of lane.camera.see({ plate, score, at: new Date() })) {
    statuses.push((await post(lane.pushUrl(), document)).status);
  }
  return statuses;
}

async function health() {
  const response = await fetch(new URL('/health', network.edge.localUrl()));
  return { status: response.status, body: (await response.json()) as { status: string } };
}

describe.skipIf(!trial)('a disk without room', () => {
  it('lets cars in and out, reports the fault, accepts nothing that it cannot store, and goes on when there is room', async () => {
    const entrance = network.lane('in-1');
    const other = network.lane('in-2');
    const exit = network.lane('out-1');
    expect(await comes(entrance, 'INSIDE1')).toContain(200);
    await entrance.opensAfter(0);

    disk?.fill();
    // The database still has some free room, which meaningless reads use up.
    await waitFor(async () => !(await comes(entrance, 'MURKY1', 0.3)).includes(200), {
      what: 'the disk to be full',
    });
    const before = exit.openings();
    // The read is not stored, so the answer is not 200: a camera that keeps a queue sends it again.
    expect(await comes(exit, 'INSIDE1')).not.toContain(200);
    await exit.opensAfter(before);
    expect(await comes(other, 'OUTSIDE1')).not.toContain(200);
    await other.opensAfter(0);
    const alarm = await waitFor(
      async () => {
        const messages = await health();
        return messages.status === 503 && messages;
      },
      { what: 'the alarm' },
    );
    expect(alarm.body).toMatchObject({ status: 'failing' });
    // It came once, whatever the camera has sent of it.
    expect(other.openings()).toBe(1);

    disk?.free();
    await waitFor(async () => (await health()).status === 200, {
      what: 'the alarm to end',
      withinMs: 20_000,
    });
    await entrance.passes('AFTER1');
    await network.settled(20_000);
    const inside = await network.operator.visits({ status: 'open' });
    expect(inside.map(({ plate }) => plate).toSorted()).toEqual(['AFTER1', 'INSIDE1']);
  });

  it('has every accepted read once after it was filled during traffic, again and again', async () => {
    const traffic = startTraffic(network, 8);
    // Whether a car is at an exit or an entrance when the last room is gone is chance.
    const lanes = ['in-1', 'in-2', 'out-1', 'out-2'].map((id) => network.lane(id));
    const openings = () => lanes.reduce((sum, lane) => sum + lane.openings(), 0);
    // First the log cannot grow; then it can for a while, and the database behind it cannot.
    for (const leave of [0, 40_000, 8192]) {
      const taken = traffic.accepted.size;
      await waitFor(() => traffic.accepted.size > taken + 5, { what: 'traffic', withinMs: 20_000 });
      const opened = openings();
      disk?.fill(leave);
      await waitFor(async () => (await health()).status === 503, { what: 'the alarm', withinMs: 20_000 });
      await waitFor(() => openings() > opened, { what: 'a gate to open all the same' });
      disk?.free();
    }
    await traffic.stop();
    await network.settled(30_000);
    await checkBooks({ edge: disk?.folder ?? '', cloud: network.folders.cloud }, traffic.accepted);
  });
});
