import type { ZoneItem } from './site-change.ts';

/** Cars that came in by a lane and have an open visit; null: the lane is unknown. */
export interface CarsOfLane {
  laneId: string | null;
  cars: number;
}

/**
 * Cars inside, as far as known: those with an open visit, and what a person found to be more or fewer (`insideOffset`)
 * when they counted. A correction stays until the next one.
 */
export function carsInside(counted: number, insideOffset = 0): number {
  return Math.max(0, counted + insideOffset);
}

/** The offset by which `inside` cars are inside. */
export function insideOffsetFor(inside: number, counted: number): number {
  return inside - counted;
}

/** Cars with an open visit that came in by one of these lanes. */
export function carsByLanes(inside: readonly CarsOfLane[], lanes: readonly string[]): number {
  return carsOf(inside.filter(({ laneId }) => laneId !== null && lanes.includes(laneId)));
}

/** Cars with an open visit that the lanes of zones do not account for: what a zone without lanes has. */
export function carsBeside(inside: readonly CarsOfLane[], lanesOfZones: readonly string[]): number {
  return carsOf(inside) - carsByLanes(inside, lanesOfZones);
}

/** All cars with an open visit. */
export function carsOf(inside: readonly CarsOfLane[]): number {
  return sum(inside.map(({ cars }) => cars));
}

/** A zone as the rule counts it: with the entrances that lead into it. */
export interface CountedZone extends Pick<ZoneItem, 'capacity' | 'insideOffset'> {
  lanes: readonly string[];
}

/**
 * The cars that people counted beyond (or below) the computed number on the whole site: in all of its zones.
 */
export function siteOffset(zones: readonly Pick<ZoneItem, 'insideOffset'>[]): number {
  return sum(zones.map(({ insideOffset }) => insideOffset));
}

/** Whether no more cars fit: into the site, or into the zone to which the entrance leads. */
export function isFull(
  siteCapacity: number | null,
  insideOffset: number,
  zone: CountedZone | null,
  inside: readonly CarsOfLane[],
): boolean {
  if (siteCapacity !== null && carsInside(carsOf(inside), insideOffset) >= siteCapacity) return true;
  if (zone === null || zone.capacity === null) return false;
  return carsInside(carsByLanes(inside, zone.lanes), zone.insideOffset) >= zone.capacity;
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce((total: number, one = 0) => total + one, 0);
}
