import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { z } from 'zod';

/** One of several lanes that a camera looks at: the reads that belong to it, by the camera's own zones and directions. */
export const CameraLaneSchema = z.strictObject({
  lane: z.string().min(1),
  /** The camera's own name of the zone (`line` of Hikvision, `roiID` of Axis …); absent: any. */
  zone: z.union([z.string().trim().min(1).max(100), z.int().transform(String)]).optional(),
  /** The direction in which the camera sees the vehicle move; absent: any. */
  direction: z.enum(['approaching', 'leaving']).optional(),
});
export type CameraLane = z.infer<typeof CameraLaneSchema>;

/** The lane of a camera in the configuration, once each camera has a `lane` or `lanes`. */
export interface SplitCamera {
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
 * The lanes to which a read may belong. One, where the camera reports enough: a split that names zone and
 * direction goes before one that names the zone, and that before one that names the direction. Several, where
 * the camera does not report the zone or the direction; none, where it names a zone or direction of no lane.
 */
export function possibleLanes(read: SplitRead, splits: readonly CameraLane[]): string[] {
  const fitting = splits.filter((split) => fits(split, read, 'no-match'));
  const [best] = fitting.toSorted((a, b) => preciseness(b) - preciseness(a));
  if (best) return [best.lane];
  return [...new Set(splits.filter((split) => fits(split, read, 'any')).map(({ lane }) => lane))];
}

/** @param missing how a value counts that the camera does not report: as no match, or as any */
function fits({ zone, direction }: CameraLane, read: SplitRead, missing: 'no-match' | 'any'): boolean {
  const anyZone = zone === undefined || (missing === 'any' && read.cameraZone === undefined);
  const anyDirection = direction === undefined || (missing === 'any' && read.direction === 'unknown');
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
