import { newId } from '@hlid/node/new-id';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import type { LaneDisplay } from '../display/lane-display.ts';
import type { LaneContext } from './lane-site.ts';

/** A vehicle that is there, with the best read of it, which was not good enough. */
export interface UnreadVehicle {
  read: PlateRead;
  readId: string;
  /** The camera of a late read, which may have a wrong clock instead; absent: the read came in time. */
  lateFrom?: string;
}

/** The signs of a vehicle about which no decision was made. */
export interface VehicleSigns {
  plates: readonly string[];
  /** The camera's keys of its events. */
  keys: readonly string[];
}

export const NO_SIGNS: VehicleSigns = { plates: [], keys: [] };

/** The signs of a vehicle in its reads. */
export function signsOf(reads: readonly PlateRead[]): VehicleSigns {
  return {
    plates: reads.flatMap(({ plate }) => plate ?? []),
    keys: reads.flatMap(({ eventKey, relatedKeys }) => [eventKey, ...relatedKeys]),
  };
}

export interface StandingVehicle extends VehicleSigns {
  since: UtcTime;
  /** Something other than reads that seem late indicates it. */
  certain: boolean;
  /** The best read of it, which was not good enough. */
  vehicle: UnreadVehicle | null;
}

/** The number after which further signs of one vehicle are ignored. */
const MAX_SIGNS = 100;

/** The part of the timeout kept for the disk. A decision that is not stored by then is not waited for. */
export const COMMIT_TIMEOUT_MS = 250;

/**
 * The time that a vehicle may stand at an exit without a decision: no car must be trapped. From an entrance a car can turn
 * away, and no time runs there.
 */
export class ExitTimeout {
  readonly #context: Pick<LaneContext, 'lane' | 'clock' | 'settings'>;
  readonly #display: LaneDisplay;
  #onTimeout: (vehicle: StandingVehicle) => void = () => undefined;
  #standing: StandingVehicle | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<LaneContext, 'lane' | 'clock' | 'settings'>, display: LaneDisplay) {
    this.#context = context;
    this.#display = display;
  }

  /** @param onTimeout nothing has decided for this vehicle */
  listen(onTimeout: (vehicle: StandingVehicle) => void): void {
    this.#onTimeout = onTimeout;
  }

  /** Reports a vehicle; the time runs from the first sign of it, the best read is kept. */
  seen({ plates, keys }: VehicleSigns, vehicle: UnreadVehicle | null = null): void {
    const { lane, clock, settings } = this.#context;
    if (lane.direction === 'entry') return;
    const known = this.#standing;
    const best = known?.vehicle && (!vehicle || isBetter(known.vehicle, vehicle));
    this.#standing = {
      since: known?.since ?? utcTime(clock.now()),
      plates: [...(known?.plates ?? []), ...plates].slice(-MAX_SIGNS),
      keys: [...(known?.keys ?? []), ...keys].slice(-MAX_SIGNS),
      certain: known?.certain === true || vehicle?.lateFrom === undefined,
      vehicle: best ? known.vehicle : vehicle,
    };
    if (known) return;
    const timeoutMs = (settings().exitPatienceMs ?? SITE_DEFAULTS.exitPatienceMs) - COMMIT_TIMEOUT_MS;
    this.#timer = setTimeout(() => this.#end(), timeoutMs);
    this.#display.waiting(true);
  }

  /** It has been decided on, or has gone, or was none. */
  ended(): void {
    if (!this.#standing) return;
    this.stop();
    this.#display.waiting(false);
  }

  /** Whether a vehicle stands there without a decision. */
  waits(): boolean {
    return this.#standing !== null;
  }

  /** Shifts the times by a change of the clock: the vehicle has stood as long as before. */
  shift(byMs: number): void {
    if (!this.#standing) return;
    const since = utcTime(millis(this.#standing.since) + byMs);
    this.#standing = { ...this.#standing, since };
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#standing = null;
  }

  #end(): void {
    const standing = this.#standing;
    this.#standing = null;
    if (standing) this.#onTimeout(standing);
  }
}

function isBetter(known: UnreadVehicle, other: UnreadVehicle): boolean {
  const [late, otherLate] = [known.lateFrom !== undefined, other.lateFrom !== undefined];
  return late === otherLate ? known.read.score >= other.read.score : otherLate;
}

/** The read of a vehicle that only the loop has noticed. */
export function noRead(): PlateRead {
  return {
    plate: null,
    plateRaw: '',
    score: 0,
    country: null,
    direction: 'unknown',
    capturedAt: null,
    eventKey: `unread-${newId()}`,
    relatedKeys: [],
    candidates: [],
    late: false,
    parked: false,
  };
}
