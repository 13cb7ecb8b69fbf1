import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import type { LaneHandle } from '../harness/lane-handle.ts';
import type { Network } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { bodyBytes, type CameraPost, post } from '../sim/camera.ts';
import { newPlate } from '../sim/plates.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';

/** Cars in and out without end, each document sent until it is taken, as cameras do that keep a queue. */
export interface SteadyTraffic {
  /** Event keys of the reads that were taken so far. */
  readonly accepted: ReadonlySet<string>;
  /** Waits for this number of further reads, whichever program is away meanwhile. */
  goesOn(reads: number): Promise<void>;
  /** Ends it once everything on its way has arrived. */
  stop(): Promise<void>;
}

const RETRY_MS = 40;
const CAR_EVERY_MS = 60;
/** Cars follow each other faster than any barrier moves: a look that is later than this is of another car. */
export const QUICK_CARS = { passageWindowMs: 100 };
/** The share of cars that stay inside for a while; the rest come and leave at once. */
const PARKED_SHARE = 0.2;

/** How drivers of a lane pay, between the entrance and the exit. */
export type Pay = (plate: string, random: SeededRandom) => Promise<void>;

/** @param pays at the first lanes and at the second ones; absent: no car pays */
export function startTraffic(
  network: Network,
  seed: number,
  pays: readonly [Pay, Pay] | null = null,
): SteadyTraffic {
  const accepted = new Set<string>();
  let over = false;

  async function deliver(lane: LaneHandle, document: CameraPost): Promise<void> {
    for (;;) {
      // A camera keeps what was not answered with 200, whatever the reason.
      const answer = await post(lane.pushUrl(), document).catch(() => null);
      if (answer?.status === 200) break;
      await pause(RETRY_MS);
    }
    for (const key of keysOf(lane, document)) accepted.add(key);
  }

  async function passes(lane: LaneHandle, plate: string): Promise<void> {
    for (const document of lane.camera.see({ plate, score: 0.94, at: new Date() }))
      await deliver(lane, document);
  }

  async function drive(number: 1 | 2, laneSeed: number): Promise<void> {
    const [entrance, exit] = [network.lane(`in-${number}`), network.lane(`out-${number}`)];
    const pay = pays?.[number - 1];
    const random = seededRandom(laneSeed);
    while (!over) {
      const plate = newPlate(random);
      await passes(entrance, plate);
      await pause(CAR_EVERY_MS);
      if (!random.chance(PARKED_SHARE)) {
        await pay?.(plate, random);
        await passes(exit, plate);
      }
      await pause(CAR_EVERY_MS);
    }
  }

  const driving = [drive(1, seed), drive(2, seed + 1)];
  return {
    accepted,
    async goesOn(reads) {
      const enough = accepted.size + reads;
      await waitFor(() => accepted.size >= enough, { what: `${reads} more reads of cars` });
    },
    async stop() {
      over = true;
      await Promise.all(driving);
    },
  };
}

function keysOf(lane: LaneHandle, document: CameraPost): string[] {
  const body = bodyBytes(document);
  const parsed = CAMERA_FORMATS[lane.plan.format].parse(body, { headers: document.headers });
  if (!parsed.ok) throw new Error(parsed.refusal.message);
  return parsed.document.reads.map((read) => read.eventKey);
}

/** Waits for a moment that nothing decides: what happens then meets the programs in another state each time. */
export function atRandom(random: SeededRandom, minMs: number, maxMs: number): Promise<void> {
  return pause(random.between(minMs, maxMs));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
