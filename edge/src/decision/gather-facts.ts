import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { comparePlates, findByPlate } from '@hlid/protocol/plate/plate';
import { cameAfter, hasJustEnded } from '@hlid/protocol/records/decision';
import type { Visit } from '@hlid/protocol/records/visit';
import { matchPermit, type Permit } from '@hlid/protocol/records/whitelist';
import {
  type FoundAtExit,
  type GatheredAtEntry,
  type GatheredAtExit,
  plateAtExit,
  type SeenPlate,
} from '@hlid/protocol/rules/lane-facts';
import { isFull, siteOffset } from '@hlid/protocol/site-link/occupancy';
import type { LaneConfig } from '../config/config.ts';
import type { QuotaLedger } from '../quota/quota-ledger.ts';
import { custodyAt, type SiteLists } from '../site-lists/site-lists.ts';
import type { StayPrices } from '../visit/price-stay.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** Guesses beyond these are noise. */
const MAX_CANDIDATES = 5;

interface FactParts {
  lists: SiteLists;
  visits: VisitStore;
  quotas: QuotaLedger;
  prices: StayPrices;
  lanes: readonly LaneConfig[];
}

/** Looks up, on site, what a decision needs to know. */
export class FactFinder {
  readonly #parts: FactParts;

  constructor(parts: FactParts) {
    this.#parts = parts;
  }

  entry(seen: SeenPlate, lane: Pick<LaneConfig, 'zone'>, at: UtcTime): GatheredAtEntry {
    const { lists, visits, quotas } = this.#parts;
    const { plate } = seen;
    return {
      seen,
      site: lists.site(),
      listed: this.#listedLike(plate, seen),
      full: this.#isFull(lane),
      quotas: plate === null ? [] : quotas.ofPlate(plate, at),
      inside: plate === null ? null : (visits.openByPlate(plate) ?? null),
    };
  }

  exit(seen: SeenPlate, at: UtcTime): GatheredAtExit {
    return this.#gathered(seen, this.#visitLeaving(seen, at));
  }

  /**
   * The facts of a vehicle that left at `leftAt` and is reported only now; null: its plate had no visit under
   * way.
   */
  lateExit(seen: SeenPlate, leftAt: UtcTime): GatheredAtExit | null {
    const leaving = seen.plate === null ? null : this.#visitThatLeft(seen.plate, leftAt);
    return leaving && this.#gathered(seen, leaving);
  }

  #listedLike(plate: string | null, { country = null }: SeenPlate): Permit[] {
    return plate === null ? [] : this.#parts.lists.permitsLike(plate, country);
  }

  #isFull({ zone: zoneId }: Pick<LaneConfig, 'zone'>): boolean {
    const { lists, visits, lanes } = this.#parts;
    const { capacity } = lists.site().settings;
    const zone = zoneId === undefined ? undefined : lists.zone(zoneId);
    if (capacity === null && (zone?.capacity ?? null) === null) return false;
    const zoneLanes = lanes.filter((lane) => lane.zone === zoneId).map((lane) => lane.id);
    const counted = zone === undefined ? null : { ...zone, lanes: zoneLanes };
    return isFull(capacity, siteOffset(lists.zones()), counted, visits.countOpen());
  }

  /** The visit that an exit ends; how well it was found is about the plate that was read, not about a guess at it. */
  #visitLeaving(seen: SeenPlate, at: UtcTime): FoundAtExit {
    if (seen.plate === null) return null;
    const { lists, visits } = this.#parts;
    const { plate } = seen;
    const equal = visits.openByPlate(plate);
    if (equal) return { visit: equal, foundBy: 'equal' };
    const last = visits.endedByPlate(plate);
    const ended = last && hasJustEnded(last, lists.site().settings, at) ? last : null;
    const guesses = [plate, ...seen.candidates.filter((guess) => guess !== plate)].slice(0, MAX_CANDIDATES);
    const alike = findByPlate(guesses, visits.openLike(guesses), (visit) => visit.plate, 'confusable');
    const found = alike ?? findByPlate(guesses, visits.openPlates(), (open) => open.plate);
    const likeliest = found === null || found === 'ambiguous' ? undefined : visits.get(found.item.id);
    const visit = (found === null ? undefined : this.#paidLike(guesses, at)) ?? likeliest;
    // A car that was let out a moment ago came in again, misread, only where that visit began since.
    if (ended && !(visit && cameAfter(visit, ended))) return 'just-ended';
    const permitId = this.#ownPermit(plate, at);
    if (!visit) return found === 'ambiguous' && permitId === null ? found : null;
    const match = comparePlates(plate, visit.plate ?? '');
    const foundBy = match === 'confusable' ? 'confusable' : 'near';
    return { visit, foundBy, hasOwnPermit: permitId !== null && permitId !== visit.permitId };
  }

  /** The permit for exactly this plate that holds. */
  #ownPermit(plate: string, at: UtcTime): string | null {
    const { lists } = this.#parts;
    const rules = { timeZone: lists.site().timeZone, confusableScore: 1, visitId: null };
    const match = matchPermit({ plate, score: 1 }, lists.permitsLike(plate), at, rules);
    return match?.foundBy === 'equal' ? match.permit.id : null;
  }

  /**
   * The visit that was paid just now, if exactly one of those that the car may be was: with several, it is
   * unclear which one leaves.
   */
  #paidLike(plates: readonly string[], at: UtcTime): Visit | undefined {
    const { visits } = this.#parts;
    const like = visits.openPlates().filter((open) => plates.some((plate) => mayBe(plate, open.plate)));
    const paid = like.flatMap(({ id }) => {
      const visit = visits.get(id);
      return visit?.paidUntil && at <= visit.paidUntil ? [visit] : [];
    });
    return paid.length === 1 ? paid[0] : undefined;
  }

  /** The visit that was under way then. A visit with a missed exit ended when its car came in again. */
  #visitThatLeft(plate: string, leftAt: UtcTime): FoundAtExit {
    const { visits } = this.#parts;
    const then = ({ startedAt, endedAt, flags }: Visit) =>
      startedAt <= leftAt && (endedAt === null || (flags.includes('lost-exit') && leftAt <= endedAt));
    const equal = [visits.openByPlate(plate), visits.endedByPlate(plate)].find(
      (visit) => visit && then(visit),
    );
    if (equal) return { visit: equal, foundBy: 'equal' };
    const open = visits.openLike([plate]).filter(then);
    const alike = findByPlate([plate], open, (visit) => visit.plate, 'confusable');
    return alike === null || alike === 'ambiguous' ? null : { visit: alike.item, foundBy: 'confusable' };
  }

  #gathered(seen: SeenPlate, leaving: FoundAtExit): GatheredAtExit {
    const { lists, quotas, prices } = this.#parts;
    const visit = leaving === null || typeof leaving === 'string' ? null : leaving.visit;
    // The holder of the visit's plate at the entry, also where it is read differently here. Later owners pay
    // for later visits.
    const holder = visit && visit.plate !== null ? { plate: visit.plate, at: visit.startedAt } : null;
    return {
      seen,
      leaving,
      site: lists.site(),
      listed: this.#listedLike(plateAtExit(seen, leaving), seen),
      quotas: holder === null ? [] : quotas.ofPlate(holder.plate, holder.at),
      stay: visit && prices.factsOf(visit),
      billing: holder && (custodyAt(lists.vehicle(holder.plate), holder.at)?.billing ?? null),
    };
  }
}

function mayBe(plate: string, other: string): boolean {
  return comparePlates(plate, other) !== 'different';
}
