import { setImmediate } from 'node:timers/promises';
import { assignStays, type Edge, type LikelyPair, MIN_ODDS } from './assign-stays.ts';
import { pairOdds } from './pair-odds.ts';
import type { SeenCar } from './seen-car.ts';
import type { SiteHabits } from './site-habits.ts';

/**
 * The likely pairs of the cars that came in and are not known to have left, and of the reads at exits that belong to no
 * stay yet. It changes nothing and reads nothing else. Requests have their turn after each exit.
 *
 * @param now milliseconds since 1970: entries that have no pair may still be inside
 * @param isRefused a person has said that the two are not one car
 */
export async function matchSite(
  entries: readonly SeenCar[],
  exits: readonly SeenCar[],
  habits: SiteHabits,
  now: number,
  isRefused: (entryId: string, exitId: string) => boolean = () => false,
): Promise<LikelyPair[]> {
  const edges: Edge[] = [];
  for (const exit of exits) {
    for (const entry of entries) {
      if (isRefused(entry.id, exit.id)) continue;
      const odds = pairOdds(entry, exit, habits, now);
      if (odds > MIN_ODDS) edges.push({ entryId: entry.id, exitId: exit.id, odds });
    }
    await setImmediate();
  }
  return assignStays(edges);
}
