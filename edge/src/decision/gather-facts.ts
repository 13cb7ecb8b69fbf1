import type { EntryFacts, ExitFacts, VisitAtExit } from '@hlid/protocol/decision';
import { comparePlates, findByPlate } from '@hlid/protocol/plate';
import type { Price } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { matchBlock, matchPermit, type Permit } from '@hlid/protocol/whitelist';
import type { LaneConfig } from '../config.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import { priceStay } from '../visit/price-stay.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** Guesses beyond these are noise. */
const MOST_CANDIDATES = 5;

/** The plate of a passage as the decision sees it. */
export interface SeenPlate {
  plate: string | null;
  score: number;
  candidates: readonly string[];
}

interface Leaving {
  visit: Visit;
  foundBy: 'equal' | 'confusable' | 'near';
}

/** Looks up, on site, what a decision needs to know. */
export interface FactFinder {
  entry(seen: SeenPlate, laneId: string, at: UtcTime): EntryFacts;
  exit(seen: SeenPlate, at: UtcTime): { exit: ExitFacts; leaving: Leaving | null; price: Price | null };
}

export function createFactFinder(parts: {
  lists: SiteLists;
  visits: VisitStore;
  lanes: readonly LaneConfig[];
}): FactFinder {
  const { lists, visits, lanes } = parts;

  function permitFor(
    { plate, score }: SeenPlate,
    listed: readonly Permit[],
    visitId: string | null,
    at: UtcTime,
  ): EntryFacts['permit'] {
    if (plate === null) return null;
    const { timeZone, settings } = lists.site();
    const { confusableScore } = settings;
    return matchPermit({ plate, score }, listed, at, { timeZone, confusableScore, visitId });
  }

  function listedLike(plate: string | null): Permit[] {
    return plate === null ? [] : lists.permitsLike(plate);
  }

  function isFull(laneId: string): boolean {
    const { capacity } = lists.site().settings;
    const zoneId = lanes.find((lane) => lane.id === laneId)?.zone;
    const zone = zoneId === undefined ? undefined : lists.zone(zoneId);
    const zoneCapacity = zone?.capacity ?? null;
    if (capacity === null && zoneCapacity === null) return false;
    const inside = visits.countOpen();
    const cars = (counted: typeof inside) => counted.reduce((sum, { cars }) => sum + cars, 0);
    if (capacity !== null && cars(inside) >= capacity) return true;
    const zoneLanes = lanes.filter((lane) => lane.zone === zoneId).map((lane) => lane.id);
    const inZone = inside.filter(
      ({ entryLaneId }) => entryLaneId !== null && zoneLanes.includes(entryLaneId),
    );
    return zoneCapacity !== null && cars(inZone) >= zoneCapacity;
  }

  /** The visit that an exit ends; how well it was found is said of the plate that was read, not of a guess at it. */
  function visitLeaving(seen: SeenPlate): Leaving | 'ambiguous' | null {
    if (seen.plate === null) return null;
    const { plate } = seen;
    const equal = visits.openByPlate(plate);
    if (equal) return { visit: equal, foundBy: 'equal' };
    const guesses = [plate, ...seen.candidates.filter((guess) => guess !== plate)].slice(0, MOST_CANDIDATES);
    const alike = findByPlate(guesses, visits.openLike(guesses), (visit) => visit.plate, 'confusable');
    const found = alike ?? findByPlate(guesses, visits.openPlates(), (open) => open.plate);
    if (found === null || found === 'ambiguous') return found;
    const visit = visits.get(found.item.id);
    if (!visit) return null;
    const match = comparePlates(plate, visit.plate ?? '');
    return { visit, foundBy: match === 'confusable' ? 'confusable' : 'near' };
  }

  return {
    entry(seen, laneId, at) {
      const { settings, timeZone } = lists.site();
      const { plate } = seen;
      const listed = listedLike(plate);
      return {
        plate,
        settings,
        blocked: plate === null ? null : matchBlock(plate, listed, at, timeZone),
        permit: permitFor(seen, listed, null, at),
        full: isFull(laneId),
        insideVisitId: plate === null ? null : (visits.openByPlate(plate)?.id ?? null),
      };
    },

    exit(seen, at) {
      const { settings } = lists.site();
      const leaving = visitLeaving(seen);
      const found = leaving === null || leaving === 'ambiguous' ? null : leaving;
      const price = found ? priceStay(found.visit, at, lists) : null;
      const known = found ? { ...seen, plate: found.visit.plate } : seen;
      const exit: ExitFacts = {
        at,
        settings,
        visit: leaving === 'ambiguous' ? leaving : found && atExit(found),
        permit: permitFor(known, listedLike(known.plate), found?.visit.id ?? null, at),
        // Quotas and customers come down the change feed once the cloud has them.
        quotaUnitsFree: null,
        price,
        billing: null,
      };
      return { exit, leaving: found, price };
    },
  };
}

function atExit({ visit, foundBy }: Leaving): VisitAtExit {
  const { id, startedAt, paidUntil, unitsMet } = visit;
  return { id, foundBy, startedAt, paidUntil, unitsMet };
}
