import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '../harness/wait.ts';
import { startBenchBroker } from './bench-broker.ts';
import { plateOf } from './bench-plates.ts';
import { cpuMsOf } from './cpu-of.ts';
import { type EdgePeer, type OurEdge, startFloor, startOurs, writePlates } from './edge-peers.ts';
import { type GateTimes, gateTimes, startTimedGates, type TimedGates } from './gate-times.ts';
import { type LoadResult, median, runLoad } from './load.ts';
import { memoryOf } from './memory-of.ts';
import { installNodeRed, startNodeRed } from './node-red.ts';

/** The times of a program, with all of its work durable. */
export interface PeerTimes {
  /** Cars that arrive when they like, on eight lanes. */
  arriving: GateTimes;
  /** The resident memory with the list, measured after the arriving cars, in MB. */
  residentMb: number;
  /** The result for cars that come one behind the other, on several connections. */
  oneByOne: LoadResult;
  tenAtOnce: LoadResult;
  /** Processor time of one of the ten, ms. */
  cpuMs: number;
}

/** Decisions at the edge, from the camera's document going in to the relay's request coming out. */
export interface DecisionBench {
  /** Our times with the long list. */
  ours: PeerTimes;
  floor: PeerTimes;
  /** The times of Node-RED; null: they were not requested. */
  nodeRed: PeerTimes | null;
  /** Ours with the short list. */
  shortList: PeerTimes;
  /** Ours with the long list: from its start until it is ready, and until a gate has opened. */
  readyMs: number;
  firstDecisionMs: number;
}

export const CARS_PER_SECOND = 50;
const AT_ONCE = 10;
/** How much is measured. */
export const USUAL_SIZE = {
  shortList: 1000,
  longList: 1_000_000,
  arrivingMs: 5000,
  turns: 3,
  warmUpCars: 150,
  oneByOneCars: 800,
  atOnceCars: 3000,
};
export type EdgeSize = typeof USUAL_SIZE;
const SEND_TIMEOUT_MS = 30_000;

/** Measures our edge daemon, the floor and, if asked, Node-RED, in turns. */
export async function benchDecision(plan: { nodeRed: boolean }, size: EdgeSize): Promise<DecisionBench> {
  if (plan.nodeRed) installNodeRed();
  const { shortList: shortLength, longList: longLength, turns } = size;
  const folder = await mkdtemp(join(tmpdir(), 'hlid-bench-'));
  const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  async function started<Peer extends { stop: () => unknown }>(starting: Promise<Peer>): Promise<Peer> {
    const peer = await starting;
    stops.push(peer.stop);
    return peer;
  }
  try {
    const gates = await started(startTimedGates());
    const broker = await started(startBenchBroker());
    const start = (permits: number) =>
      started(startOurs({ folder: join(folder, `ours-${permits}`), permits, gates, broker }));
    const bare = async (startBare: typeof startFloor, name: string) => {
      const dbPath = join(folder, `${name}.sqlite`);
      writePlates(dbPath, longLength);
      const { relayUrl } = gates;
      return await started(startBare({ folder: join(folder, name), dbPath, relayUrl, broker }));
    };
    const long = await start(longLength);
    const begin = await timeStart(long, gates);
    const peers = [
      driveThrough(await start(shortLength), gates, shortLength, size),
      driveThrough(long, gates, longLength, size),
      driveThrough(await bare(startFloor, 'floor'), gates, longLength, size),
      ...(plan.nodeRed ? [driveThrough(await bare(startNodeRed, 'node-red'), gates, longLength, size)] : []),
    ];
    for (const peer of peers) await peer.warmUp();
    for (let turn = 0; turn < turns; turn++) for (const peer of peers) await peer.arrive();
    for (let turn = 0; turn < turns; turn++) for (const peer of peers) await peer.queue();
    for (const peer of peers) await peer.finish();
    const [shortList, ours, floor, nodeRed = null] = peers.map((peer) => peer.times());
    if (!shortList || !ours || !floor) throw new RangeError('unreachable: all were measured');
    return { shortList, ours, floor, nodeRed, ...begin };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** How long the daemon takes to be there after its machine has been switched on. */
async function timeStart(ours: OurEdge, gates: TimedGates) {
  await ours.stop();
  const from = performance.now();
  await ours.start();
  const readyMs = performance.now() - from;
  await gates.one(ours.url(), plateOf(1));
  return { readyMs, firstDecisionMs: performance.now() - from };
}

/** Cars at the gates of one program, each of them on its list, and none of them twice as long as the list lasts. */
function driveThrough(peer: EdgePeer, gates: TimedGates, permits: number, size: EdgeSize) {
  const { arrivingMs, turns, warmUpCars, oneByOneCars, atOnceCars } = size;
  const arriving: number[] = [];
  const oneByOne: LoadResult[] = [];
  const tenAtOnce: LoadResult[] = [];
  let residentMb = 0;
  let cpuMs = 0;
  let cars = 0;
  const plate = () => plateOf((cars++ * STRIDE) % permits);
  const queue = (connections: number, howMany: number) =>
    runLoad(connections, howMany, () => gates.whole(peer.url(), plate()));
  return {
    warmUp: () => queue(1, warmUpCars),
    async arrive() {
      const { times } = await gates.run(peer.url(), CARS_PER_SECOND, pause(arrivingMs), plate);
      arriving.push(...times);
      residentMb = memoryOf(peer.pid()).now;
    },
    async queue() {
      oneByOne.push(await queue(1, oneByOneCars));
      const before = cpuMsOf(peer.pid());
      tenAtOnce.push(await queue(AT_ONCE, atOnceCars));
      cpuMs += cpuMsOf(peer.pid()) - before;
    },
    /** Waits until all messages have arrived, so that sending later does not look cheaper. */
    async finish() {
      const what = `the broker to get all messages of ${peer.name}`;
      await waitFor(() => peer.hasSent(cars), { what, withinMs: SEND_TIMEOUT_MS });
    },
    times: (): PeerTimes => ({
      arriving: gateTimes(arriving),
      residentMb,
      oneByOne: median(oneByOne),
      tenAtOnce: median(tenAtOnce),
      cpuMs: cpuMs / (turns * atOnceCars),
    }),
  };
}
/**
 * The stride has no divisor in common with the length of a list: cars that follow each other are far apart on
 * it.
 */
const STRIDE = 7919;
