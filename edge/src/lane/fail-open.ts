import type { Clock } from '@hlid/node/clock';
import { comparePlates } from '@hlid/protocol/plate/plate';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import type { VehicleSigns } from './exit-timeout.ts';

/** A vehicle for which a lane could not decide, or not store its decision. */
export interface UndecidedVehicle extends VehicleSigns {
  /** When the first sign of it came, in ms. */
  seenAtMs: number;
}

/** A lane that cannot decide opens, but not for every frame of the same car. */
const SAME_CAR_MS = 10_000;
/** The pause between attempts for a car that comes while the gate is open for another. */
const RETRY_MS = 500;
/**
 * The number of keys kept of one vehicle: a camera that gets no answer sends its document again and again.
 */
const MAX_KEYS = 200;

interface Served extends UndecidedVehicle {
  atMs: number;
  outcome: Promise<GateOutcome>;
}

/**
 * Opens the gate without a decision on the disk. An exit opens for every car, since without a database
 * nothing is known to be due; an entrance opens for a car that the rules would admit.
 */
export class FailOpen {
  readonly #clock: Clock;
  readonly #openGate: (vehicle: UndecidedVehicle) => Promise<GateOutcome>;
  readonly #gateIsOpen: () => boolean;
  readonly #timers = new Set<NodeJS.Timeout>();
  #served: Served | null = null;

  constructor(options: {
    clock: Clock;
    open: (vehicle: UndecidedVehicle) => Promise<GateOutcome>;
    gateIsOpen: () => boolean;
  }) {
    this.#clock = options.clock;
    this.#openGate = options.open;
    this.#gateIsOpen = options.gateIsOpen;
  }

  /** Opens, unless it has done so for this vehicle. */
  open(vehicle: UndecidedVehicle): void {
    const last = this.#servedFor(vehicle);
    if (last) {
      this.#served = { ...last, keys: [...last.keys, ...vehicle.keys].slice(-MAX_KEYS) };
      return;
    }
    if (this.#gateIsOpen()) {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.open(vehicle);
      }, RETRY_MS);
      this.#timers.add(timer);
      return;
    }
    const outcome = this.#openGate(vehicle);
    this.#served = { ...vehicle, atMs: this.#clock.now().getTime(), outcome };
    void outcome.then((how) => {
      // The gate did not open: the next sign of the vehicle is another try.
      const failed = how === 'refused' || how === 'unreachable';
      if (failed && this.#served?.outcome === outcome) this.#served = null;
    });
  }

  /** The outcome at the gate for a vehicle that is decided on only now; null: it was not opened for it. */
  servedBy(vehicle: UndecidedVehicle): Promise<GateOutcome> | null {
    return this.#servedFor(vehicle)?.outcome ?? null;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #servedFor(vehicle: UndecidedVehicle): Served | null {
    const last = this.#served;
    if (!last) return null;
    if (vehicle.keys.some((key) => last.keys.includes(key))) return last;
    // It was on its way through the same fault.
    if (vehicle.seenAtMs <= last.atMs && alike(vehicle, last)) return last;
    const sinceMs = Math.abs(this.#clock.now().getTime() - last.atMs);
    return sinceMs < SAME_CAR_MS && alike(vehicle, last) ? last : null;
  }
}

/** Whether the two can be one vehicle, as far as their plates go. */
function alike(one: UndecidedVehicle, other: UndecidedVehicle): boolean {
  if (one.plates.length === 0 || other.plates.length === 0) return true;
  return one.plates.some((plate) =>
    other.plates.some((known) => comparePlates(plate, known) !== 'different'),
  );
}
