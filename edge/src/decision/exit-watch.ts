import type { Clock } from '@hlid/node/clock';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { UnreadVehicle } from './let-out.ts';

/** Vehicles that stand at an exit with nothing decided for them: nobody is trapped. */
export interface ExitWatch {
  /** There is a vehicle; the first sign of it counts, the best read is kept. Exits only, others are left alone. */
  seen(laneId: string, signs: VehicleSigns, vehicle?: UnreadVehicle): void;
  /** It has been decided on, or has gone, or was none. */
  ended(laneId: string): void;
  waits(laneId: string): boolean;
  /** The clock was set by so much: who stands there has stood as long as before. */
  shift(byMs: number): void;
  stop(): void;
}

/** What is known of a vehicle that nobody has decided on. */
export interface VehicleSigns {
  plates: readonly string[];
  /** What the camera calls its events. */
  keys: readonly string[];
}

export interface StandingVehicle extends VehicleSigns {
  since: UtcTime;
  /** Something other than reads that seem late speaks for it. */
  certain: boolean;
  /** The best read of it, which was not good enough. */
  vehicle: UnreadVehicle | null;
}

/** More tell nothing new of one vehicle. */
const MAX_SIGNS = 100;

export function createExitWatch(parts: {
  exits: ReadonlySet<string>;
  patienceMs: () => number;
  /** Nothing has decided for this vehicle; it is in the listener's hands now. */
  onPatienceOver: (laneId: string, standing: StandingVehicle) => void;
  onChanged: (laneId: string) => void;
  clock: Clock;
}): ExitWatch {
  const standing = new Map<string, StandingVehicle & { timer: NodeJS.Timeout }>();

  function end(laneId: string): void {
    const ended = standing.get(laneId);
    if (!ended) return;
    clearTimeout(ended.timer);
    standing.delete(laneId);
    parts.onChanged(laneId);
  }

  function over(laneId: string): void {
    const ended = standing.get(laneId);
    standing.delete(laneId);
    if (ended) parts.onPatienceOver(laneId, ended);
  }

  return {
    seen(laneId, { plates, keys }, vehicle) {
      if (!parts.exits.has(laneId)) return;
      const known = standing.get(laneId);
      const best = known?.vehicle && (!vehicle || isBetter(known.vehicle, vehicle));
      standing.set(laneId, {
        since: known?.since ?? utcTime(parts.clock.now()),
        plates: [...(known?.plates ?? []), ...plates].slice(-MAX_SIGNS),
        keys: [...(known?.keys ?? []), ...keys].slice(-MAX_SIGNS),
        certain: known?.certain === true || vehicle?.lateFrom === undefined,
        vehicle: best ? known.vehicle : (vehicle ?? null),
        timer: known?.timer ?? setTimeout(() => over(laneId), parts.patienceMs()),
      });
      if (!known) parts.onChanged(laneId);
    },
    ended: end,
    waits: (laneId) => standing.has(laneId),
    shift(byMs) {
      for (const vehicle of standing.values()) vehicle.since = utcTime(millis(vehicle.since) + byMs);
    },
    stop() {
      for (const { timer } of standing.values()) clearTimeout(timer);
      standing.clear();
    },
  };
}

function isBetter(known: UnreadVehicle, other: UnreadVehicle): boolean {
  const [late, otherLate] = [known.lateFrom !== undefined, other.lateFrom !== undefined];
  return late === otherLate ? known.read.score >= other.read.score : otherLate;
}
