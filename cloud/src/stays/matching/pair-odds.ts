import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { PlateCandidate } from '@hlid/protocol/plate/plate';
import type { SeenCar } from './seen-car.ts';
import { charactersAt, type SiteHabits } from './site-habits.ts';

/** Clocks of two cameras differ by less. */
const CLOCK_MS = 2 * MINUTE_MS;
/** Readers seldom take more characters of a plate for others. */
const MAX_DIFFERENT = 3;
/** More readings of one car add nothing. */
const MAX_READINGS = 3;
/** A make or colour that was seen twice is of the same car more often than of any two, or less often where they differ. */
const LOOKS = {
  make: { same: Math.log(0.9 / 0.12), different: Math.log(0.1 / 0.88) },
  colour: { same: Math.log(0.8 / 0.2), different: Math.log(0.2 / 0.8) },
} as const;

/**
 * The logarithm of the odds that a car at the exit is one that came in, against that it is another one that no camera saw
 * come in. -Infinity: it cannot be.
 */
export function pairOdds(entry: SeenCar, exit: SeenCar, habits: SiteHabits, now: number): number {
  const stayMs = exit.at - entry.at;
  if (stayMs < -CLOCK_MS) return Number.NEGATIVE_INFINITY;
  const plates = plateOdds(entry, exit, habits);
  if (plates === Number.NEGATIVE_INFINITY) return plates;
  const { lengths, missed, exitRate } = habits;
  const left = lengths.logDensity(stayMs) + Math.log(1 - missed.exits);
  // Otherwise it is still inside, or left without a read.
  const stayed = Math.log(lengths.longer(now - entry.at) + missed.exits);
  const stranger = Math.log(missed.entries * exitRate);
  return plates + left - stayed - stranger + looks(entry, exit);
}

/** How much likelier the reads are of one car than of two. */
function plateOdds(entry: SeenCar, exit: SeenCar, habits: SiteHabits): number {
  if (!exit.plates.some((now) => entry.plates.some((before) => !differMuch(before.plate, now.plate))))
    return Number.NEGATIVE_INFINITY;
  const { plates } = habits;
  const characters = charactersAt(habits, exit.camera);
  let sum = 0;
  for (const now of weighed(exit.plates)) {
    let ofPair = 0;
    for (const before of weighed(entry.plates)) {
      ofPair += before.weight * Math.exp(characters.logOf(before.plate, now.plate));
    }
    if (ofPair > 0) sum += now.weight * (ofPair / Math.exp(plates.logOf(now.plate)));
  }
  return Math.log(sum);
}

/** Whether so many characters differ that the two are never one car: most of a site's cars differ so. */
function differMuch(before: string, now: string): boolean {
  if (before.length !== now.length) return Math.abs(before.length - now.length) > 1;
  let different = 0;
  for (let at = 0; at < now.length; at++) if (before.charCodeAt(at) !== now.charCodeAt(at)) different += 1;
  return different > MAX_DIFFERENT;
}

function weighed(readings: readonly PlateCandidate[]): { plate: string; weight: number }[] {
  const used = readings.slice(0, MAX_READINGS).filter(({ plate }) => plate !== '');
  const all = used.reduce((sum, { score }) => sum + Math.max(score, Number.EPSILON), 0);
  return used.map(({ plate, score }) => ({ plate, weight: Math.max(score, Number.EPSILON) / all }));
}

function looks(entry: SeenCar, exit: SeenCar): number {
  let odds = 0;
  for (const what of ['make', 'colour'] as const) {
    const [before, now] = [entry[what], exit[what]];
    if (before === null || now === null) continue;
    odds += before === now ? LOOKS[what].same : LOOKS[what].different;
  }
  return odds;
}
