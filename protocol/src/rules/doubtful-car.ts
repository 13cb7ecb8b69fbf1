import { comparePlates, typedLength } from '../plate/plate.ts';

/** A car that waits at a closed exit for the payment of a visit that may not be its own. */
export interface DoubtfulCar {
  visitId: string;
  /** Plate of the visit. */
  visitPlate: string;
  /** All plates that were read for the car, the most likely first. */
  readPlates: readonly string[];
}

/** Shorter beginnings are compared exactly, since most short texts are one edit apart. */
const MIN_LOOSE_BEGINNING = 4;

/**
 * The waiting cars that may belong to a driver who typed the beginning of their plate; the kiosk asks the
 * driver about each. The driver's plate may differ both from the plate that was read and from that of the
 * visit. A car matches if one of its plates is similar. If nothing else is found, a car without a similar
 * plate matches too. A car whose plate was read exactly as that of its visit matches only a similar plate.
 *
 * @param typed normalised
 * @param foundIds visits with a plate that begins with the typed text
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
  if (typedLength(plate, typed) !== null) return true;
  if (comparePlates(typed, plate) !== 'different') return true;
  const beginning = plate.slice(0, typed.length);
  return typed.length >= MIN_LOOSE_BEGINNING && comparePlates(typed, beginning) !== 'different';
}
