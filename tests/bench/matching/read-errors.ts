import type { PlateCandidate } from '@hlid/protocol/plate/plate';
import type { Draws } from './draws.ts';
import type { TrueCar } from './generated-year.ts';

export type Quality = 'good' | 'fair' | 'poor';

/**
 * Three qualities of cameras. About 3 plates in 100 were misread in the United Kingdom (BNMA 2017, which cites the
 * Commissioner); by day and night, and for parking, no figures are published: `fair` is near that by day, and twice as many
 * are misread by night.
 */
export const QUALITIES: Readonly<
  Record<Quality, { missed: number; misread: number; lost: number; namesLooks: boolean }>
> = {
  good: { missed: 0.005, misread: 0.002, lost: 0.0005, namesLooks: true },
  fair: { missed: 0.02, misread: 0.006, lost: 0.001, namesLooks: true },
  poor: { missed: 0.05, misread: 0.02, lost: 0.004, namesLooks: false },
};

/** Characters that these cameras mix up. The solver starts with other classes, and has to learn these. */
const MIXED_UP = ['0OD', '1IL', '2Z', '5S', '6G', '8B', 'MN', 'EF', 'VY', '47', 'HN', 'KX', 'UV', 'PR'];
const ALL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const TO_ONE_ALIKE = 0.8;
const AT_NIGHT = 2;
/** How often the true plate is the second reading where the first is wrong. */
const TRUE_SECOND = 0.4;
const NAMES_MAKE = 0.6;
const NAMES_COLOUR = 0.8;
const MAKES = ['Toyota', 'Kia', 'Hyundai', 'Tesla', 'Dacia', 'Suzuki'];
const COLOURS = ['white', 'grey', 'black', 'silver', 'blue', 'red'];

/** A car as a camera reports it. */
export function readCar(
  car: TrueCar,
  { quality, isNight, namesLooks }: { quality: Quality; isNight: boolean; namesLooks: boolean },
  draws: Draws,
): { plates: PlateCandidate[]; make: string | null; colour: string | null } {
  const { misread, lost } = QUALITIES[quality];
  const factor = isNight ? AT_NIGHT : 1;
  const read = misreadPlate(car.plate, { misread: misread * factor, lost: lost * factor }, draws);
  return {
    plates: readingsOf(read, car.plate, draws),
    make: namesLooks ? named(car.make, MAKES, { named: NAMES_MAKE, right: 0.9 }, draws) : null,
    colour: namesLooks
      ? named(car.colour, COLOURS, { named: NAMES_COLOUR, right: isNight ? 0.5 : 0.85 }, draws)
      : null,
  };
}

function misreadPlate(
  plate: string,
  { misread, lost }: { misread: number; lost: number },
  draws: Draws,
): string {
  let read = '';
  for (const character of plate) {
    if (draws.isOneIn(lost)) continue;
    read += draws.isOneIn(misread) ? otherFor(character, draws) : character;
  }
  return read;
}

function otherFor(character: string, draws: Draws): string {
  const alike = MIXED_UP.filter((group) => group.includes(character))
    .join('')
    .replaceAll(character, '');
  if (alike !== '' && draws.isOneIn(TO_ONE_ALIKE)) return draws.of([...alike]);
  return draws.of([...ALL]);
}

/** Cameras are less sure of what they have misread, as a rule. */
function readingsOf(read: string, truth: string, draws: Draws): PlateCandidate[] {
  const score = Math.min(0.99, Math.max(0.4, (read === truth ? 0.93 : 0.8) + 0.06 * draws.bell()));
  if (read === truth || !draws.isOneIn(TRUE_SECOND)) return [{ plate: read, score }];
  return [
    { plate: read, score },
    { plate: truth, score: (1 - score) * 0.8 },
  ];
}

function named(
  truth: string,
  others: readonly string[],
  { named, right }: { named: number; right: number },
  draws: Draws,
): string | null {
  if (!draws.isOneIn(named)) return null;
  return draws.isOneIn(right) ? truth : draws.of(others);
}
