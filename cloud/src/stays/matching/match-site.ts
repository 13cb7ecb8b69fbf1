import { assignStays, type Edge, type LikelyPair, MIN_ODDS } from './assign-stays.ts';
import { pairOdds } from './pair-odds.ts';
import type { SeenCar } from './seen-car.ts';
import type { SiteHabits } from './site-habits.ts';

/**
 * The likely pairs of the cars that came in and are not known to have left, and of the reads at exits that belong to no
 * stay yet. It changes nothing and reads nothing else.
 *
 * @param now milliseconds since 1970: entries that have no pair may still be inside
 */
export function matchSite(
  entries: readonly SeenCar[],
  exits: readonly SeenCar[],
  habits: SiteHabits,
  now: number,
): LikelyPair[] {
  return assignStays(exits.flatMap((exit) => edgesOf(exit, entries, habits, now, () => false)));
}

/**
 * The possible pairs of one read at an exit.
 *
 * @param isRefused a person has said that the two are not one car
 */
export function edgesOf(
  exit: SeenCar,
  entries: readonly SeenCar[],
  habits: SiteHabits,
  now: number,
  isRefused: (entryId: string, exitId: string) => boolean,
): Edge[] {
  const edges: Edge[] = [];
  for (const entry of entries) {
    if (isRefused(entry.id, exit.id)) continue;
    const odds = pairOdds(entry, exit, habits, now);
    if (odds > MIN_ODDS) edges.push({ entryId: entry.id, exitId: exit.id, odds });
  }
  return edges;
}
