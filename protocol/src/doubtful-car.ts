import { comparePlates, foldPlate } from './plate.ts';

/** A car that waits at a closed exit, which asks for a visit that may not be its own. */
export interface DoubtfulCar {
  visitId: string;
  /** Of the visit. */
  visitPlate: string;
  /** Every plate that was read of the car, the likeliest first. */
  readPlates: readonly string[];
}

/** From so many characters on a beginning is compared loosely: of fewer, most plates are one edit apart. */
const MIN_LOOSE_BEGINNING = 4;

/**
 * The waiting cars of which a driver, who typed this much of his own plate, is asked whether the visit is his. What he
 * types is neither what the camera read nor what the visit has: any car may be his that was read, or came in, with a
 * plate like it; where nothing else is found, also one that is like it in nothing. One that was read as the very plate
 * of its visit is nobody's question who types something else altogether.
 *
 * @param typed normalised
 * @param foundIds visits whose plate begins like that
 */
export function carsInQuestion<Car extends DoubtfulCar>(
  typed: string,
  cars: readonly Car[],
  foundIds: ReadonlySet<string>,
): Car[] {
  return cars.filter((car) => {
    if (typed === car.visitPlate) return false;
    if (foundIds.has(car.visitId)) return true;
    if ([car.visitPlate, ...car.readPlates].some((plate) => isLike(typed, plate))) return true;
    return foundIds.size === 0 && car.readPlates[0] !== car.visitPlate;
  });
}

function isLike(typed: string, plate: string): boolean {
  if (foldPlate(plate).startsWith(foldPlate(typed))) return true;
  if (comparePlates(typed, plate) !== 'different') return true;
  const beginning = plate.slice(0, typed.length);
  return typed.length >= MIN_LOOSE_BEGINNING && comparePlates(typed, beginning) !== 'different';
}
