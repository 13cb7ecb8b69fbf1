import type { PlateBox } from './plate-read.ts';

/** Two boxes are at one place if their middles are within this part of the plate's size. */
const SAME_PLACE = 0.5;
/** A car that comes to the gate moves at least by its plate's size, and its plate becomes no smaller. */
const MOVED = 1;
const NO_SMALLER = 0.9;
/** The growth of the plate of a car that comes straight on: more than cameras measure wrongly. */
const LARGER = 1.3;
/** The distance in widths of the larger plate: other parts of one car are nearer to its plate. */
const FAR_APART = 2;

/**
 * The place of a plate in the picture, compared with before; `elsewhere`: not at the same place, and not
 * known to come nearer.
 */
export type Place = 'same' | 'nearer' | 'elsewhere' | 'unknown';

export function placeOf(before: PlateBox | null | undefined, now: PlateBox | null | undefined): Place {
  if (!before || !now) return 'unknown';
  const moved = Math.max(
    Math.abs(before.x + before.width / 2 - now.x - now.width / 2) / before.width,
    Math.abs(before.y + before.height / 2 - now.y - now.height / 2) / before.height,
  );
  const growth = now.height / before.height;
  if (growth >= LARGER && now.width >= LARGER * before.width) return 'nearer';
  if (moved > MOVED && growth >= NO_SMALLER) return 'nearer';
  return moved > SAME_PLACE ? 'elsewhere' : 'same';
}

/** Whether two plates in one picture are of two vehicles. */
export function areFarApart(one: PlateBox, other: PlateBox): boolean {
  const across = one.x + one.width / 2 - other.x - other.width / 2;
  const along = one.y + one.height / 2 - other.y - other.height / 2;
  return Math.hypot(across, along) > FAR_APART * Math.max(one.width, other.width);
}
