import type { Clock } from '@hlid/node/clock';
import { comparePlates } from '@hlid/protocol/plate';
import type { GateOutcome } from '@hlid/protocol/site-event';
import type { VehicleSigns } from './exit-watch.ts';

/** A vehicle for which a lane could not decide, or not write down what it decided. */
export interface UndecidedVehicle extends VehicleSigns {
  /** When the first sign of it came, in ms. */
  seenAtMs: number;
}

/**
 * Lanes that open without a decision on the disk: exits, since without a database nothing is known to be due, and
 * entrances for whom the rules let in.
 */
export interface FaultOpenings {
  /** Opens, unless it has done so for this vehicle. */
  open(laneId: string, vehicle: UndecidedVehicle): void;
  /** What became of the gate for a vehicle that is decided on only now; null: it was not opened for it. */
  servedBy(laneId: string, vehicle: UndecidedVehicle): Promise<GateOutcome> | null;
  stop(): void;
}

/** A lane that cannot decide opens, but not for every frame of the same car. */
const SAME_CAR_MS = 10_000;
/** A car that comes while the gate is open for another is opened to when it has closed. */
const LOOK_AGAIN_MS = 500;
/** Of one vehicle; a camera that got no answer sends its document again and again. */
const MAX_KEYS = 200;

interface Served extends UndecidedVehicle {
  atMs: number;
  outcome: Promise<GateOutcome>;
}

export function createFaultOpenings(parts: {
  open: (laneId: string, vehicle: UndecidedVehicle) => Promise<GateOutcome>;
  gateIsOpen: (laneId: string) => boolean;
  clock: Clock;
}): FaultOpenings {
  const served = new Map<string, Served>();
  const timers = new Set<NodeJS.Timeout>();
  const nowMs = (): number => parts.clock.now().getTime();

  function servedFor(laneId: string, vehicle: UndecidedVehicle): Served | null {
    const last = served.get(laneId);
    if (!last) return null;
    if (vehicle.keys.some((key) => last.keys.includes(key))) return last;
    // It was on its way through the same fault.
    if (vehicle.seenAtMs <= last.atMs && alike(vehicle, last)) return last;
    return Math.abs(nowMs() - last.atMs) < SAME_CAR_MS && alike(vehicle, last) ? last : null;
  }

  function open(laneId: string, vehicle: UndecidedVehicle): void {
    const last = servedFor(laneId, vehicle);
    if (last) {
      served.set(laneId, { ...last, keys: [...last.keys, ...vehicle.keys].slice(-MAX_KEYS) });
      return;
    }
    if (parts.gateIsOpen(laneId)) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        open(laneId, vehicle);
      }, LOOK_AGAIN_MS);
      timers.add(timer);
      return;
    }
    const outcome = parts.open(laneId, vehicle);
    served.set(laneId, { ...vehicle, atMs: nowMs(), outcome });
    void outcome.then((how) => {
      // It did not help: the next sign of it is another try.
      const inVain = how === 'refused' || how === 'unreachable';
      if (inVain && served.get(laneId)?.outcome === outcome) served.delete(laneId);
    });
  }

  return {
    open,
    servedBy: (laneId, vehicle) => servedFor(laneId, vehicle)?.outcome ?? null,
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Whether the two can be one vehicle, as far as their plates go. */
function alike(one: UndecidedVehicle, other: UndecidedVehicle): boolean {
  if (one.plates.length === 0 || other.plates.length === 0) return true;
  return one.plates.some((plate) =>
    other.plates.some((known) => comparePlates(plate, known) !== 'different'),
  );
}
