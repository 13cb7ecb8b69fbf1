import type { EntryFacts, ExitFacts, VisitAtExit } from '@hlid/protocol/decision';
import type { SiteSettings } from '@hlid/protocol/lane';
import { comparePlates, findByPlate } from '@hlid/protocol/plate';
import type { Price } from '@hlid/protocol/price-visit';
import type { BillingMethod } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { matchBlock, matchPermit, type Permit } from '@hlid/protocol/whitelist';
import type { LaneConfig } from '../config.ts';
import type { QuotaBook } from '../quota/quota-book.ts';
import { custodyAt, type SiteLists } from '../site-lists/site-lists.ts';
import type { StayPrices } from '../visit/price-stay.ts';
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
  entry(seen: SeenPlate, laneId: string, at: UtcTime): Found<EntryFacts>;
  exit(seen: SeenPlate, at: UtcTime): Found<ExitFacts> & { leaving: Leaving | null };
  /** What a visit that leaves owes, where a quota meets so many units of it. */
  priceWith(visit: Visit, quota: Visit['quota'], at: UtcTime): Price | null;
}

interface Found<Facts> {
  facts: Facts;
  /** The quota that the visit may draw on. */
  quotaId: string | null;
}

export function createFactFinder(parts: {
  lists: SiteLists;
  visits: VisitStore;
  quotas: QuotaBook;
  prices: StayPrices;
  lanes: readonly LaneConfig[];
}): FactFinder {
  const { lists, visits, quotas, prices, lanes } = parts;

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

  function billingOf(plate: string | null, at: UtcTime): BillingMethod | null {
    return plate === null ? null : (custodyAt(lists.vehicle(plate), at)?.billing ?? null);
  }

  /** The rules of the site, with what the tariff of the visit has otherwise. */
  function settingsFor(visit: Visit | undefined, at: UtcTime): SiteSettings {
    const { settings } = lists.site();
    const minutes = visit && prices.product(visit, at)?.config.tariff?.entryGraceMinutes;
    return minutes === undefined ? settings : { ...settings, entryGraceMinutes: minutes };
  }

  function priceWith(visit: Visit, quota: Visit['quota'], at: UtcTime): Price | null {
    return prices.price({ ...visit, quota }, at);
  }

  return {
    priceWith,

    entry(seen, laneId, at) {
      const { settings, timeZone } = lists.site();
      const { plate } = seen;
      const listed = listedLike(plate);
      const quota = plate === null ? null : quotas.atEntry(plate, at);
      const facts: EntryFacts = {
        plate,
        settings,
        blocked: plate === null ? null : matchBlock(plate, listed, at, timeZone),
        permit: permitFor(seen, listed, null, at),
        full: isFull(laneId),
        insideVisitId: plate === null ? null : (visits.openByPlate(plate)?.id ?? null),
        quotaUnitsFree: quota?.free ?? 0,
      };
      return { facts, quotaId: quota?.id ?? null };
    },

    exit(seen, at) {
      const leaving = visitLeaving(seen);
      const found = leaving === null || leaving === 'ambiguous' ? null : leaving;
      // Custody and quota are those of the visit's own plate, however it was read here.
      const quota = found && quotas.ofVisit(found.visit, at);
      const known = found ? { ...seen, plate: found.visit.plate } : seen;
      const facts: ExitFacts = {
        at,
        settings: settingsFor(found?.visit, at),
        visit: leaving === 'ambiguous' ? leaving : found && atExit(found),
        permit: permitFor(known, listedLike(known.plate), found?.visit.id ?? null, at),
        quotaUnitsFree: quota?.free ?? 0,
        price: found && priceWith(found.visit, null, at),
        billing: found && billingOf(found.visit.plate, at),
      };
      return { facts, leaving: found, quotaId: quota?.id ?? null };
    },
  };
}

function atExit({ visit, foundBy }: Leaving): VisitAtExit {
  const { id, startedAt, paidUntil, unitsMet, paidMinor, quota } = visit;
  // Whether it has been paid is as uncertain as how long it stayed: nobody is kept in for that.
  const clockSet = visit.flags.includes('clock-set') || visit.flags.includes('payment-unknown');
  const quotaUnits = quota?.units ?? 0;
  return { id, foundBy, startedAt, paidUntil, unitsMet, paidMinor, quotaUnits, clockSet };
}
