import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import type { Direction } from '@hlid/protocol/records/lane';
import { LATE_AFTER_MS, sharesEvent } from '@hlid/protocol/records/passage';
import { possibleLanes, type SplitCamera } from '../config/camera-lanes.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** A lane that was chosen for a vehicle. */
interface Choice {
  laneId: string;
  plate: string | null;
  keys: ReadonlySet<string>;
  at: UtcTime;
}

/** More vehicles are never before one camera at a time. */
const MAX_CHOICES = 20;

/** Finds the lane of each read, so that one vehicle moves one gate only, whatever the camera reports. */
export class LaneChooser {
  readonly #visits: Pick<VisitStore, 'openLike'>;
  readonly #directions: ReadonlyMap<string, Direction>;
  readonly #passageWindowMs: () => number;
  /**
   * The choices by camera, newest first. They are in memory: the next document may come before the first is
   * on the disk.
   */
  readonly #choices = new Map<string, readonly Choice[]>();

  constructor(options: {
    visits: Pick<VisitStore, 'openLike'>;
    directions: ReadonlyMap<string, Direction>;
    passageWindowMs: () => number;
  }) {
    this.#visits = options.visits;
    this.#directions = options.directions;
    this.#passageWindowMs = options.passageWindowMs;
  }

  /** @returns null for what the camera sees in a zone or direction that belongs to no lane, such as the street */
  choose(camera: SplitCamera & { id: string }, read: PlateRead, at: UtcTime): string | null {
    if (!camera.lanes) return camera.lane;
    const possible = possibleLanes(read, camera.lanes);
    const [first = null] = possible;
    if (first === null) return null;
    const before = this.#chosenBefore(camera.id, read, at);
    const byVisit = possible.length === 1 ? first : (this.#byVisit(possible, read) ?? first);
    const laneId = before?.laneId ?? byVisit;
    const others = (this.#choices.get(camera.id) ?? []).filter((other) => other !== before);
    const keys = new Set([...(before?.keys ?? []), ...keysOf(read)]);
    // A read from a buffer does not show where the same vehicle stands now.
    const plate = isOld(read, at) ? null : read.plate;
    const choice = { laneId, plate: plate ?? before?.plate ?? null, keys, at };
    this.#choices.set(camera.id, [choice, ...others].slice(0, MAX_CHOICES));
    return laneId;
  }

  /** A camera often knows the direction only later, or sees a vehicle in the next zone too. */
  #chosenBefore(cameraId: string, read: PlateRead, at: UtcTime): Choice | undefined {
    const windowMs = this.#passageWindowMs();
    return this.#choices.get(cameraId)?.find((choice) => {
      if (sharesEvent(seenOf(choice), read, at, { standingMs: windowMs })) return true;
      const samePlate = read.plate !== null && choice.plate === read.plate && !isOld(read, at);
      return samePlate && Math.abs(millis(at) - millis(choice.at)) <= windowMs;
    });
  }

  /** A car that is inside leaves, any other comes in; an unreadable one must get out. */
  #byVisit(laneIds: readonly string[], { plate }: PlateRead): string | undefined {
    const wanted = this.#leaves(plate) ? 'exit' : 'entry';
    return laneIds.find((laneId) => this.#directions.get(laneId) === wanted);
  }

  #leaves(plate: string | null): boolean {
    try {
      return plate === null || this.#visits.openLike([plate]).length > 0;
    } catch {
      // The database cannot be read: the car must not be trapped.
      return true;
    }
  }
}

function seenOf({ plate, keys, at }: Choice) {
  const votes = plate === null ? [] : [{ plate, score: 1, weight: 1, reads: 1 }];
  return { keys, votes, lastSeenAt: at };
}

function isOld({ late, capturedAt }: PlateRead, at: UtcTime): boolean {
  return late || (capturedAt !== null && millis(at) - millis(capturedAt) > LATE_AFTER_MS);
}

function keysOf({ eventKey, relatedKeys }: PlateRead): string[] {
  return [eventKey, ...relatedKeys];
}
