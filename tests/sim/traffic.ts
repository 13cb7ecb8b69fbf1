import { setMaxListeners } from 'node:events';
import { pause } from '@hlid/node/pause';
import { comparePlates } from '@hlid/protocol/plate/plate';
import {
  type Car,
  clearView,
  journeyOf,
  type KnownCars,
  leavingTime,
  nextCar,
  type Stays,
  viewAt,
} from './car.ts';
import type { Cashier } from './cashier.ts';
import {
  type GateWatch,
  type LanePace,
  type SimulatedLane,
  send,
  showCar,
  watchGate,
} from './lane-approach.ts';
import { createLaneQueue, type LaneQueue } from './lane-queue.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface TrafficPace extends LanePace, Stays {
  /** New cars a minute; 0: none, and those inside stay. */
  carsPerMinute: number;
  /** The time after a vehicle has passed, before its camera sends its last documents. */
  afterwardsMs: number;
  /** The time that drivers who pay at the gate wait for it to open. */
  payAtGateMs: number;
  /** Some leave the car before the gate and walk to the kiosk and back. */
  walkFromGateMs: readonly [number, number];
  /** The time after which cars without an opening come to an exit again. */
  comeBackMs: readonly [number, number];
  heartbeatMs: number;
  /** The number of cars that stay until they are paid for at the kiosk; their plates are read well. */
  payFirst: number;
  /** The time to walk from the kiosk to the car, and to drive to the exit. */
  walkMs: readonly [number, number];
}

/** A lively small car park: minutes instead of hours, and money to pay at the exits within them. */
export const LIVELY: TrafficPace = {
  carsPerMinute: 20,
  betweenDocumentsMs: 160,
  gatePatienceMs: 1500,
  driveThroughMs: 3000,
  sendTries: 20,
  sendAgainMs: 1000,
  afterwardsMs: 3000,
  payAtGateMs: 12_000,
  walkFromGateMs: [6000, 15_000],
  comeBackMs: [8000, 25_000],
  heartbeatMs: 60_000,
  permitMs: [25_000, 180_000],
  visitorMs: [70_000, 200_000],
  turnRoundMs: [6000, 18_000],
  kioskPatienceMs: [1_800_000, 3_600_000],
  payFirst: 6,
  walkMs: [4000, 9000],
};

export interface TrafficParts {
  lanes: readonly SimulatedLane[];
  known: KnownCars;
  cashier: Cashier;
  random: SeededRandom;
  pace: TrafficPace;
  clock: { now(): Date };
  /** Cars that are inside from before. */
  inside: readonly Car[];
  /** Called whenever a car has come in or gone out, with those inside. */
  onInside: (cars: readonly Car[]) => void;
}

export interface Traffic {
  start(): void;
  /** Lets a car that is none of the traffic drive up to the lane with the fewest cars, when its turn comes. */
  driveUp(direction: SimulatedLane['direction'], drive: (lane: SimulatedLane) => Promise<void>): void;
  /** Cars stop where they are; resolves when nothing is on its way any more. */
  stop(): Promise<void>;
  /** The kind of journey of a car with this plate on a lane, read well or badly; null: it is unknown. */
  journeyOf(plate: string | null, laneId: string): string | null;
}

const SENT_TWICE_SHARE = 0.06;
/** The share of drivers who pay at the kiosk before leaving, among those who owe something. */
const PAYS_INSIDE_SHARE = 0.6;
/**
 * The share of drivers who pay with the telephone when they are kept at an exit; the others pay at the kiosk.
 */
const PAYS_BY_PHONE_SHARE = 0.8;
const MAX_CARS_LEFT = 50;
/** Cars that were to leave while we were not running do so over this time. */
const CATCH_UP_MS = 60_000;

/** Lets cars come to entrances and leave through exits. It uses only what cameras and gates show. */
export function createTraffic(parts: TrafficParts): Traffic {
  const { lanes, known, cashier, random, pace, clock } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every car inside waits on it.
  setMaxListeners(0, signal);
  const inside = new Map(parts.inside.map((car) => [car.plate, car]));
  /** Plates on a lane or inside: no second car has such a plate. */
  const about = new Set(inside.keys());
  /** Cars on a lane, and those that have left a lane last. */
  const onLane = new Map<string, Pick<Car, 'plate' | 'kind'>>();
  const lastLeft = new Map<string, Pick<Car, 'plate' | 'kind'>>();
  const errands = new Set<Promise<void>>();
  const queues = lanes.map((lane) => createLaneQueue(lane, signal));

  function keepInside(car: Car): void {
    inside.set(car.plate, car);
    parts.onInside([...inside.values()]);
  }

  function gone(car: Car): void {
    lastLeft.set(car.plate, car);
    const [oldest] = lastLeft.keys();
    if (lastLeft.size > MAX_CARS_LEFT && oldest !== undefined) lastLeft.delete(oldest);
    inside.delete(car.plate);
    about.delete(car.plate);
    parts.onInside([...inside.values()]);
  }

  /** Runs beside the rest, and is waited for when we stop. */
  function errand(work: Promise<void>): void {
    errands.add(work);
    void work.finally(() => errands.delete(work));
  }

  /** One approach to a gate: shown to the camera, once more after a poor look; true when the gate has opened. */
  async function approach(
    lane: SimulatedLane,
    { plate, kind }: Pick<Car, 'plate' | 'kind'>,
    paying: (gate: GateWatch) => Promise<boolean>,
  ): Promise<boolean> {
    const gate = watchGate(lane);
    onLane.set(lane.id, { plate, kind });
    try {
      let view = kind === 'pays-first' ? clearView(plate, random) : viewAt(plate, random);
      for (;;) {
        const sighting = { ...view.sighting, at: clock.now() };
        await showCar(lane, sighting, pace, { sendTwice: random.chance(SENT_TWICE_SHARE) }, signal);
        if (await gate.opened(pace.gatePatienceMs, signal)) break;
        if (!view.poor) break;
        view = clearView(plate, random);
      }
      const open =
        (await gate.opened(0, signal)) ||
        ((await paying(gate)) && (await gate.opened(pace.payAtGateMs, signal)));
      if (open) await pause(pace.driveThroughMs, { signal });
      errand(sendAfterwards(lane));
      return open;
    } finally {
      gate.end();
    }
  }

  async function sendAfterwards(lane: SimulatedLane): Promise<void> {
    const documents = lane.camera.afterwards();
    await pause(pace.afterwardsMs, { signal });
    for (const document of documents) await send(lane, document, pace, signal);
  }

  async function enter(car: Car, lane: SimulatedLane): Promise<void> {
    const isIn = await approach(lane, car, () => Promise.resolve(false));
    if (!isIn) return gone(car);
    keepInside({ ...car, leavesAt: leavingTime(car.kind, pace, clock.now().getTime(), random) });
    errand(leaveInTime(car.plate));
  }

  async function leaveInTime(plate: string): Promise<void> {
    const car = inside.get(plate);
    if (!car) return;
    const left = Math.max(0, car.leavesAt - clock.now().getTime());
    if (car.kind === 'pays-first') {
      await cashier.paidAtKiosk(plate, left, signal);
      await pause(random.between(...pace.walkMs), { signal });
    } else await pause(left, { signal });
    const pays = car.kind === 'visitor' || known.payingPlates.includes(plate);
    if (!signal.aborted && pays && car.refused === 0 && random.chance(PAYS_INSIDE_SHARE)) {
      await cashier.payInside(plate);
      await pause(random.between(...pace.walkMs), { signal });
    }
    if (!signal.aborted) shortest('exit')?.add((lane) => leave(plate, lane));
  }

  async function leave(plate: string, lane: SimulatedLane): Promise<void> {
    const car = inside.get(plate);
    if (!car) return;
    const byPhone = random.chance(PAYS_BY_PHONE_SHARE);
    const out = await approach(lane, car, async (gate) => {
      if (known.cardPlates.includes(plate) && (await gate.opened(pace.payAtGateMs, signal))) return true;
      if (!byPhone) await pause(random.between(...pace.walkFromGateMs), { signal });
      return await cashier.pay(plate, pace.payAtGateMs, signal);
    });
    if (out) return gone(car);
    if (signal.aborted) return;
    const leavesAt = clock.now().getTime() + random.between(...pace.comeBackMs);
    keepInside({ ...car, refused: car.refused + 1, leavesAt });
    errand(leaveInTime(plate));
  }

  function shortest(direction: SimulatedLane['direction']): LaneQueue | undefined {
    const fitting = queues.filter(({ lane }) => lane.direction === direction);
    return fitting.sort((a, b) => a.length() - b.length())[random.chance(0.8) ? 0 : fitting.length - 1];
  }

  function wantsPayer(): boolean {
    return [...inside.values()].filter(({ kind }) => kind === 'pays-first').length < pace.payFirst;
  }

  async function arrivals(): Promise<void> {
    while (!signal.aborted) {
      const meanMs = 60_000 / pace.carsPerMinute;
      await pause(Math.min(5 * meanMs, -Math.log(1 - random.next()) * meanMs), { signal });
      if (signal.aborted) return;
      const car = { ...nextCar(random, known, about, wantsPayer()), leavesAt: 0, refused: 0 };
      about.add(car.plate);
      shortest('entry')?.add((lane) => enter(car, lane));
    }
  }

  async function heartbeats(lane: SimulatedLane): Promise<void> {
    while (!signal.aborted) {
      const beat = lane.camera.heartbeat(clock.now());
      if (beat === null) return;
      await send(lane, beat, { ...pace, sendTries: 1 }, signal);
      await pause(pace.heartbeatMs, { signal });
    }
  }

  return {
    journeyOf(plate, laneId) {
      const there = onLane.get(laneId);
      const car = plate === null ? undefined : (inside.get(plate) ?? lastLeft.get(plate));
      const isThere = there && (plate === null || comparePlates(plate, there.plate) !== 'different');
      const found = car ?? (isThere ? there : undefined);
      return found ? journeyOf(found, known) : null;
    },
    driveUp: (direction, drive) => shortest(direction)?.add(drive),
    start() {
      for (const lane of lanes) errand(heartbeats(lane));
      if (pace.carsPerMinute === 0) return;
      const now = clock.now().getTime();
      for (const car of inside.values()) {
        const leavesAt = car.leavesAt > now ? car.leavesAt : now + random.between(2000, CATCH_UP_MS);
        inside.set(car.plate, { ...car, leavesAt });
        errand(leaveInTime(car.plate));
      }
      errand(arrivals());
    },
    async stop() {
      stopping.abort();
      while (errands.size > 0) await Promise.all(errands);
      await Promise.all(queues.map((queue) => queue.empty()));
    },
  };
}
