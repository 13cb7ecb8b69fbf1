import type { UtcTime } from '../base/utc-time.ts';
import {
  type Decision,
  decideEntry,
  decideExit,
  type EntryFacts,
  type ExitFacts,
  type VisitAtExit,
} from '../records/decision.ts';
import type { SiteSettings } from '../records/lane.ts';
import type { FoundBy, ReviewFlag, Visit } from '../records/visit.ts';
import { matchBlock, matchPermit, type Permit } from '../records/whitelist.ts';
import type { BillingMethod } from '../site-link/site-change.ts';
import type { Price } from '../tariff/price-visit.ts';
import { type QuotaStanding, quotaAtEntry, quotaOfVisit } from './quota-standing.ts';
import { priceStay, type StayFacts, settingsUnder } from './stay-price.ts';
import { allocateQuota, type Decided } from './visit-transitions.ts';

/** The plate of a passage, as input of a decision. */
export interface SeenPlate {
  plate: string | null;
  score: number;
  /** Other plates it may be. */
  candidates: readonly string[];
  /** The country that the camera reports: ISO 3166 alpha-2. */
  country?: string | null;
}

/** The site's settings and time zone. */
export interface SiteRules {
  settings: SiteSettings;
  timeZone: string;
}

interface Gathered {
  seen: Pick<SeenPlate, 'plate' | 'score' | 'country'>;
  site: SiteRules;
  /** All whitelist entries like the plate (`platesToList`), in any state. At an exit: see `plateAtExit`. */
  listed: readonly Permit[];
  /** The customer's quotas for this vehicle category, in the order of use. */
  quotas: readonly QuotaStanding[];
}

export interface GatheredAtEntry extends Gathered {
  full: boolean;
  /** The open visit of the plate. */
  inside: Visit | null;
}

/** A visit that leaves, and how its plate matches the plate that was read. */
export interface Leaving {
  visit: Visit;
  foundBy: FoundBy;
  /** The plate that was read has a separate permit, which did not admit this visit. */
  hasOwnPermit?: boolean;
}

/** `just-ended`: no visit of this plate is open, and its last one ended a moment ago (see `hasJustEnded`). */
export type FoundAtExit = Leaving | 'ambiguous' | 'just-ended' | null;

export interface GatheredAtExit extends Gathered {
  leaving: FoundAtExit;
  /** The pricing of the visit; null: no visit leaves. */
  stay: Omit<StayFacts, 'permits' | 'timeZone'> | null;
  /** How the customer of the visit is billed. */
  billing: BillingMethod | null;
}

/** Flags of a visit with an uncertain amount due: its length is uncertain, or its payment. */
const UNCERTAIN_STAY: readonly ReviewFlag[] = ['clock-set', 'payment-unknown'];

/**
 * The plate for the search of permits at an exit: a permit must be for the car that came in, whatever was
 * read.
 */
export function plateAtExit(seen: Pick<SeenPlate, 'plate'>, leaving: FoundAtExit): string | null {
  return leaving === null || typeof leaving === 'string' ? seen.plate : leaving.visit.plate;
}

/** Decides on a car at an entrance. @param rule what decides on the facts */
export function decideEntering(
  { seen, site, listed, quotas, full, inside }: GatheredAtEntry,
  at: UtcTime,
  rule: (facts: EntryFacts) => Decision = decideEntry,
): Decided {
  const { plate } = seen;
  const quota = plate === null ? null : quotaAtEntry(quotas);
  const facts: EntryFacts = {
    plate,
    settings: site.settings,
    blocked: plate === null ? null : matchBlock({ ...seen, plate }, listed, at, site.timeZone),
    permit: permitFor(seen, site, listed, null, at),
    full,
    insideVisitId: inside?.id ?? null,
    quotaUnitsFree: quota?.free ?? 0,
  };
  const decision = rule(facts);
  return {
    decision,
    leaving: null,
    inside,
    price: null,
    quota: allocateQuota(quota?.id ?? null, decision.quotaUnits ?? 0, null),
    permitId: facts.permit?.permit.id ?? null,
  };
}

/** Decides on a car at an exit, and works out what its visit owes then. @param rule what decides on the facts */
export function decideLeaving(
  gathered: GatheredAtExit,
  at: UtcTime,
  rule: (facts: ExitFacts) => Decision = decideExit,
): Decided {
  const { seen, site, listed, quotas, stay, billing } = gathered;
  const leaving = typeof gathered.leaving === 'string' ? null : gathered.leaving;
  const visit = leaving?.visit ?? null;
  const stayFacts = stay && { ...stay, permits: listed, timeZone: site.timeZone };
  const priced = visit && stayFacts && priceStay({ ...visit, quota: null }, at, stayFacts);
  const quota = visit && quotaOfVisit(visit.quota, quotas);
  const known = {
    plate: plateAtExit(seen, gathered.leaving),
    score: seen.score,
    country: seen.country ?? null,
  };
  const facts: ExitFacts = {
    at,
    score: seen.score,
    settings: settingsUnder(site.settings, priced?.product ?? null),
    visit: gathered.leaving === 'ambiguous' ? 'ambiguous' : leaving && visitAtExit(leaving),
    justEnded: gathered.leaving === 'just-ended',
    permit: permitFor(known, site, listed, visit?.id ?? null, at),
    quotaUnitsFree: quota?.free ?? 0,
    price: priced?.price ?? null,
    billing: visit && billing,
  };
  const decision = rule(facts);
  const drawn = allocateQuota(quota?.id ?? null, decision.quotaUnits ?? 0, visit?.quota ?? null);
  const price: Price | null =
    visit && stayFacts && drawn !== null && drawn.units > 0
      ? (priceStay({ ...visit, quota: drawn }, at, stayFacts)?.price ?? null)
      : facts.price;
  const permitId = facts.permit?.permit.id ?? null;
  return { decision, leaving, inside: null, price, quota: drawn, permitId };
}

function visitAtExit({ visit, foundBy, hasOwnPermit = false }: Leaving): VisitAtExit {
  const { id, startedAt, paidUntil, unitsMet, paidMinor, quota, flags } = visit;
  // Neither the length of the stay nor its payment is certain, and an uncertain amount keeps no exit closed.
  const clockSet = flags.some((flag) => UNCERTAIN_STAY.includes(flag));
  return {
    id,
    foundBy,
    startedAt,
    paidUntil,
    unitsMet,
    paidMinor,
    quotaUnits: quota?.units ?? 0,
    clockSet,
    ...(hasOwnPermit && { hasOwnPermit }),
  };
}

function permitFor(
  { plate, score, country = null }: Pick<SeenPlate, 'plate' | 'score' | 'country'>,
  { settings, timeZone }: SiteRules,
  listed: readonly Permit[],
  visitId: string | null,
  at: UtcTime,
): EntryFacts['permit'] {
  if (plate === null) return null;
  const { confusableScore } = settings;
  return matchPermit({ plate, score, country }, listed, at, { timeZone, confusableScore, visitId });
}
