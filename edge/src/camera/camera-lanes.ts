import type { Direction } from '@hlid/protocol/lane';
import { LATE_AFTER_MS } from '@hlid/protocol/passage';
import type { PlateRead } from '@hlid/protocol/plate-read';
import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import { z } from 'zod';
import type { VisitStore } from '../visit/visit-store.ts';

/** One of several lanes that a camera looks at: the reads that belong to it, by the camera's own zones and directions. */
export const CameraLaneSchema = z.strictObject({
  lane: z.string().min(1),
  /** As the camera names it (`line` of Hikvision, `roiID` of Axis …); absent: any. */
  zone: z.union([z.string().trim().min(1).max(100), z.int().transform(String)]).optional(),
  /** As the camera sees the vehicle move; absent: any. */
  direction: z.enum(['approaching', 'leaving']).optional(),
});
export type CameraLane = z.infer<typeof CameraLaneSchema>;

/** What stands in the configuration of a camera, once each camera has a `lane` or `lanes`. */
interface SplitCamera {
  lane: string;
  lanes?: readonly CameraLane[] | undefined;
}

/** Every lane that a camera looks at, each once. */
export function lanesOf({ lane, lanes }: SplitCamera): string[] {
  return [...new Set(lanes?.map((split) => split.lane) ?? [lane])];
}

/** How a split is written for people: `in-1 (zone 1, approaching)`. */
export function splitWords({ lane, zone, direction }: CameraLane): string {
  const conditions = [zone === undefined ? null : `zone ${zone}`, direction].filter(Boolean);
  return conditions.length === 0 ? lane : `${lane} (${conditions.join(', ')})`;
}

type SplitRead = Pick<PlateRead, 'cameraZone' | 'direction'>;

/**
 * The lanes to which a read may belong. One, where the camera says enough: a split that names zone and direction goes
 * before one that names the zone, and that before one that names the direction. Several, where the camera does not say
 * the zone or the direction; none, where it names a zone or direction of no lane.
 */
export function possibleLanes(read: SplitRead, splits: readonly CameraLane[]): string[] {
  const fitting = splits.filter((split) => fits(split, read, 'said'));
  const [best] = fitting.toSorted((a, b) => preciseness(b) - preciseness(a));
  if (best) return [best.lane];
  return [...new Set(splits.filter((split) => fits(split, read, 'unsaid')).map(({ lane }) => lane))];
}

/** @param silence what counts where the camera says nothing: that it must have said it, or that it fits anything */
function fits({ zone, direction }: CameraLane, read: SplitRead, silence: 'said' | 'unsaid'): boolean {
  const anyZone = zone === undefined || (silence === 'unsaid' && read.cameraZone === undefined);
  const anyDirection = direction === undefined || (silence === 'unsaid' && read.direction === 'unknown');
  const sameZone = zone?.toLowerCase() === read.cameraZone?.trim().toLowerCase();
  return (anyZone || sameZone) && (anyDirection || direction === read.direction);
}

function preciseness({ zone, direction }: CameraLane): number {
  return (zone === undefined ? 0 : 2) + (direction === undefined ? 0 : 1);
}

/** Splits between which nothing decides, as pairs of their places. */
export function sameSplits(splits: readonly CameraLane[]): { at: number; first: number }[] {
  const keys = splits.map(({ zone, direction }) => JSON.stringify([zone?.toLowerCase(), direction]));
  return keys.flatMap((key, at) => (keys.indexOf(key) === at ? [] : [{ at, first: keys.indexOf(key) }]));
}

/** A lane that was chosen for a vehicle. */
interface Choice {
  laneId: string;
  plate: string | null;
  keys: ReadonlySet<string>;
  at: UtcTime;
}

/** More vehicles are never before one camera at a time. */
const MAX_CHOICES = 20;

/**
 * Finds the lane of each read, so that one vehicle moves one gate only, whatever the camera says of it.
 *
 * @returns null for what the camera sees in a zone or direction that belongs to no lane, such as the street
 */
export function createLaneChooser(parts: {
  visits: Pick<VisitStore, 'openLike'>;
  directions: ReadonlyMap<string, Direction>;
  passageWindowMs: () => number;
}): (camera: SplitCamera & { id: string }, read: PlateRead, at: UtcTime) => string | null {
  const { visits, directions } = parts;
  /** By camera, newest first. In memory: the next document may come before the first is on the disk. */
  const choices = new Map<string, readonly Choice[]>();

  /** A camera often knows the direction only later, or sees a vehicle in the next zone too. */
  function chosenBefore(cameraId: string, read: PlateRead, at: UtcTime): Choice | undefined {
    const windowMs = parts.passageWindowMs();
    return choices.get(cameraId)?.find((choice) => {
      if (keysOf(read).some((key) => choice.keys.has(key))) return true;
      const samePlate = read.plate !== null && choice.plate === read.plate && !isOld(read, at);
      return samePlate && Math.abs(millis(at) - millis(choice.at)) <= windowMs;
    });
  }

  /** Who is inside leaves, anybody else comes in; who cannot be read must get out. */
  function byTheBooks(laneIds: readonly string[], { plate }: PlateRead): string | undefined {
    const wanted = leaves(plate) ? 'exit' : 'entry';
    return laneIds.find((laneId) => directions.get(laneId) === wanted);
  }

  function leaves(plate: string | null): boolean {
    try {
      return plate === null || visits.openLike([plate]).length > 0;
    } catch {
      // The database cannot be read: nobody is trapped.
      return true;
    }
  }

  return (camera, read, at) => {
    if (!camera.lanes) return camera.lane;
    const possible = possibleLanes(read, camera.lanes);
    const [first = null] = possible;
    if (first === null) return null;
    const before = chosenBefore(camera.id, read, at);
    const byBooks = possible.length === 1 ? first : (byTheBooks(possible, read) ?? first);
    const laneId = before?.laneId ?? byBooks;
    const others = (choices.get(camera.id) ?? []).filter((other) => other !== before);
    const keys = new Set([...(before?.keys ?? []), ...keysOf(read)]);
    // What comes out of a buffer says nothing of where the same vehicle stands now.
    const plate = isOld(read, at) ? null : read.plate;
    const choice = { laneId, plate: plate ?? before?.plate ?? null, keys, at };
    choices.set(camera.id, [choice, ...others].slice(0, MAX_CHOICES));
    return laneId;
  };
}

function isOld({ late, capturedAt }: PlateRead, at: UtcTime): boolean {
  return late || (capturedAt !== null && millis(at) - millis(capturedAt) > LATE_AFTER_MS);
}

function keysOf({ eventKey, relatedKeys }: PlateRead): string[] {
  return [eventKey, ...relatedKeys];
}
