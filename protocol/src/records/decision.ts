import { z } from 'zod';
import { MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import type { PlateMatch } from '../plate/plate.ts';
import type { Price } from '../tariff/price-visit.ts';
import type { SiteSettings } from './lane.ts';
import { PaymentStatusSchema, type ReviewFlag, ReviewFlagSchema } from './visit.ts';
import type { Permit } from './whitelist.ts';

/** Why a gate opened or stayed closed. Stable: logs, displays and the console build on it. */
export const DecisionReasonSchema = z
  .enum([
    'need-plate',
    'blocklisted',
    'permit',
    'permits-only',
    'full',
    'welcome',
    'no-visit',
    'ambiguous-visit',
    'whitelisted',
    'quota',
    'nothing-due',
    'paid',
    'company-invoice',
    'owner-invoice',
    'need-payment',
    'stay-uncertain',
    /** The last visit of the plate ended a moment ago, at an exit or by hand. */
    'visit-ended',
    /** The car left some time ago; the read of the exit's camera arrived late. */
    'late-exit',
    /** An amount was due, but the gate was already open. */
    'left-unpaid',
    /** The waiting driver denied at the kiosk that the visit is theirs. */
    'not-mine',
    'closed-by-operator',
    'unread-vehicle',
  ])
  .meta({ id: 'DecisionReason' });
export type DecisionReason = z.infer<typeof DecisionReasonSchema>;

/** The effect of a decision on the visit. */
export const VisitEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('start'),
    status: z.enum(['new', 'need-plate']),
    /** An open visit of the same plate; its exit was missed. */
    lostExitOf: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('ask'),
    visitId: z.string(),
    /** The plate may have been misread: the kiosk asks the driver whether this is their car. */
    doubtful: z.literal(true).optional(),
  }),
  /** The visit does not change and is flagged for review: it may be the visit of a car that left. */
  z.strictObject({ kind: z.literal('review'), visitId: z.string() }),
  z.strictObject({
    kind: z.literal('end'),
    visitId: z.string(),
    /** False: the car has left, and the bill needs a review. */
    settled: z.boolean(),
  }),
]);
export type VisitEffect = z.infer<typeof VisitEffectSchema>;

export const DecisionSchema = z
  .strictObject({
    open: z.boolean(),
    reason: DecisionReasonSchema,
    visit: VisitEffectSchema,
    /** How this decision settles the amount; null: it is already settled, or nothing is due. */
    settlement: PaymentStatusSchema.nullable(),
    flags: z.array(ReviewFlagSchema),
    /** Units of the stay that the customer's quota covers after this decision; absent: none. */
    quotaUnits: z.int().min(1).optional(),
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof DecisionSchema>;

type FoundBy = Exclude<PlateMatch, 'different'>;

/** A permit that is valid for a plate now. */
export interface PermitMatch {
  permit: Permit;
  foundBy: 'equal' | 'confusable';
}

export interface EntryFacts {
  plate: string | null;
  settings: SiteSettings;
  /** A blocklist entry for exactly this plate, or for one that looks like it. */
  blocked: 'equal' | 'lookalike' | null;
  permit: PermitMatch | null;
  /** The site or the zone is full. */
  full: boolean;
  /** The open visit of exactly this plate. */
  insideVisitId: string | null;
  /** Free units of the customer's quota; 0 if there is none. */
  quotaUnitsFree: number;
}

/** Decides at an entrance: the first rule that applies. */
export function decideEntry(facts: EntryFacts): Decision {
  const { settings } = facts;
  if (facts.plate === null) {
    return settings.opensUnreadable
      ? opens('need-plate', start('need-plate', null), ['unreadable-plate'])
      : stays('need-plate');
  }
  if (facts.blocked === 'equal') return stays('blocklisted');
  const flags: ReviewFlag[] = facts.blocked === 'lookalike' ? ['blocklist-lookalike'] : [];
  const visit = start('new', facts.insideVisitId);
  if (facts.permit) return opens('permit', visit, [...flags, ...permitFlags(facts.permit)]);
  if (settings.permitsOnly) return stays('permits-only');
  if (facts.full) return stays('full');
  const welcome = opens('welcome', visit, flags);
  return facts.quotaUnitsFree > 0 ? { ...welcome, quotaUnits: 1 } : welcome;
}

/** The open visit that matches a car at an exit. */
export interface VisitAtExit {
  id: string;
  foundBy: FoundBy;
  startedAt: UtcTime;
  paidUntil: UtcTime | null;
  /** Units covered by payments. */
  unitsMet: number;
  /** Amount paid that is not for units; absent: none. */
  paidMinor?: number;
  /** Units allocated from the customer's quota so far. */
  quotaUnits: number;
  /** The clock was set during the stay, so the price is uncertain. */
  clockSet?: boolean;
  /**
   * The plate that was read differs slightly from that of the visit and has a separate permit; absent: it has
   * none.
   */
  hasOwnPermit?: boolean;
}

export interface ExitFacts {
  at: UtcTime;
  settings: SiteSettings;
  /** Confidence that the plate was read correctly, 0 to 1. */
  score: number;
  visit: VisitAtExit | 'ambiguous' | null;
  /** A visit of this plate ended so recently that the vehicle is still on its way out; absent: none. */
  justEnded?: boolean;
  permit: PermitMatch | null;
  /** Free units of the customer's quota, not counting those of this visit; 0 if there is none. */
  quotaUnitsFree: number;
  /** Price of the stay so far, less permits and payments but not the quota; null if the site has no price. */
  price: Price | null;
  /** The customer who has custody of the plate. */
  billing: 'daily' | 'monthly' | 'whitelist' | null;
}

/** Decides at an exit: the first rule that applies. Only an amount that is really due keeps it closed. */
export function decideExit(facts: ExitFacts): Decision {
  const { settings, visit, permit, price } = facts;
  if (facts.justEnded) return opens('visit-ended');
  if (visit === null || visit === 'ambiguous') {
    const reason = visit === null ? 'no-visit' : 'ambiguous-visit';
    return settings.opensUnmatchedExit || permit ? opens(reason, { kind: 'none' }) : stays(reason);
  }
  if (visit.hasOwnPermit) {
    // A car with a permit for its plate is not another one that owes. The visit may be its own under a
    // misread plate.
    return opens('no-visit', { kind: 'review', visitId: visit.id }, ['near-exit']);
  }
  const certain = visit.foundBy === 'equal';
  const flags: ReviewFlag[] = certain ? [] : ['uncertain-plate'];
  const leaves = { kind: 'end', visitId: visit.id, settled: true } as const;
  const due = price?.amountMinor ?? 0;

  if (permit && due === 0) {
    // Payments made before the permit existed still count.
    const settlement = hasPaid(visit) ? null : 'whitelisted';
    return opens('whitelisted', leaves, [...flags, ...permitFlags(permit)], settlement);
  }
  const free = (price?.units ?? 0) === 0 || (due === 0 && !hasPaid(visit));
  const owesNothing = free || turnedRound(visit, facts);
  const quota = quotaShare(visit, facts);
  // Billing or using a quota without the driver's consent needs a certain plate; otherwise open and flag for review.
  const charged = { ...leaves, settled: certain };
  const settled = owesNothing || due === 0 || inExitGrace(visit, facts.at);
  if (!settled && visit.foundBy === 'near' && isSure(facts)) {
    // A plate that was read with certainty is never held or charged for a visit with another plate.
    const review = { kind: 'review', visitId: visit.id } as const;
    return settings.opensUnmatchedExit
      ? opens('no-visit', review, ['near-exit'])
      : stays('no-visit', review, ['near-exit']);
  }
  if (visit.clockSet && !owesNothing && due > 0 && !inExitGrace(visit, facts.at)) {
    return opens('stay-uncertain', { ...leaves, settled: false }, flags);
  }
  if (!owesNothing && quota.meetsAll) {
    return withUnits(opens('quota', quota.units < quota.unitsDue ? charged : leaves, flags), quota.units);
  }
  if (owesNothing) return opens('nothing-due', leaves, flags);
  if (due === 0 || inExitGrace(visit, facts.at)) {
    return withUnits(opens('paid', leaves, flags), quota.units);
  }
  if (facts.billing === 'whitelist') return opens('whitelisted', leaves, flags, 'whitelisted');
  // An invoice based on an uncertain read is issued and flagged for review.
  const doubts: ReviewFlag[] = isSure(facts) ? flags : ['uncertain-plate'];
  if (facts.billing !== null) {
    const invoiced = opens('company-invoice', charged, doubts, certain ? 'company-invoice' : null);
    return withUnits(invoiced, quota.units);
  }
  if (settings.invoicesOwners) {
    const invoiced = opens('owner-invoice', charged, doubts, certain ? 'owner-invoice' : null);
    return withUnits(invoiced, quota.units);
  }
  const doubt = certain && isSure(facts) ? {} : { doubtful: true as const };
  const ask: VisitEffect = { kind: 'ask', visitId: visit.id, ...doubt };
  return withUnits(stays('need-payment', ask, flags), quota.units);
}

/**
 * Decides for a car that was held on a doubtful read, after its driver has denied the visit: open, and flag
 * for review.
 */
export function decideNotMine(visitId: string): Decision {
  return opens('not-mine', { kind: 'review', visitId }, ['not-mine']);
}

/** The visit that a closed exit demands payment for although it may be another car's; null: there is none. */
export function visitInDoubt({ open, visit }: Pick<Decision, 'open' | 'visit'>): string | null {
  return !open && visit.kind === 'ask' && visit.doubtful ? visit.visitId : null;
}

function isSure({ score, settings }: ExitFacts): boolean {
  return score >= settings.confusableScore;
}

/**
 * Decides for a vehicle at an exit after a poor read: open, and flag for review. A read below the camera's
 * minimum score may still match a visit, but never with certainty: it ends a visit that owes nothing, charges
 * nothing, and requests payment if an amount is due.
 */
export function decideUnread(facts: ExitFacts): Decision {
  const { visit, settings } = facts;
  if (facts.justEnded) return opens('unread-vehicle');
  if (visit === null || visit === 'ambiguous' || visit.foundBy !== 'equal') {
    return settings.opensUnmatchedExit ? opens('unread-vehicle') : stays('unread-vehicle');
  }
  const decided = decideExit({ ...facts, score: 0, visit: { ...visit, foundBy: 'near' } });
  return decided.open ? { ...decided, reason: 'unread-vehicle' } : decided;
}

/**
 * Decides about the visit of a vehicle that left some time ago, when the exit's camera reports it late. The
 * facts are those of the time it left. The gate was not observed, so nothing is charged: an amount due needs
 * a review.
 */
export function decideLateExit(facts: ExitFacts): Decision {
  const { visit } = facts;
  if (visit === null || visit === 'ambiguous') return opens('late-exit');
  const decided = decideExit({ ...facts, score: 0, visit: { ...visit, foundBy: 'near' } });
  const settled = decided.visit.kind === 'end' && decided.visit.settled;
  const flags = decided.flags.filter((flag) => flag !== 'uncertain-plate' || visit.foundBy !== 'equal');
  const ends = { kind: 'end', visitId: visit.id, settled } as const;
  return { ...decided, open: true, reason: 'late-exit', visit: ends, flags: [...flags, 'late-exit'] };
}

/**
 * Whether a vehicle read at an exit is on its way out: its last visit ended within the time that a driver has to leave
 * after paying. It may have left by another exit, or have turned round.
 */
export function hasJustEnded(
  visit: { endedAt: UtcTime | null; paidUntil: UtcTime | null },
  settings: Pick<SiteSettings, 'exitGraceMinutes'>,
  at: UtcTime,
): boolean {
  const { endedAt, paidUntil } = visit;
  if (endedAt === null || at < endedAt) return false;
  const inGrace = millis(at) - millis(endedAt) <= settings.exitGraceMinutes * MINUTE_MS;
  return inGrace || (paidUntil !== null && at <= paidUntil);
}

/** Whether a visit began after another ended, so both may be of the same vehicle. */
export function cameAfter(visit: { startedAt: UtcTime }, ended: { endedAt: UtcTime | null }): boolean {
  return ended.endedAt !== null && visit.startedAt > ended.endedAt;
}

/** The decision for a vehicle at a gate that is already open, whatever the rules decide. */
export function asPassed(decision: Decision): Decision {
  const reason = decision.reason === 'need-payment' ? 'left-unpaid' : decision.reason;
  return { ...decision, reason, open: true };
}

/**
 * How the customer's quota covers a visit that leaves: it covers the units that payments have not, as far as it lasts,
 * and gets surplus units back. A visit with an uncertain plate, or one that may leave on its payments, is allocated
 * no more units than it already has.
 */
function quotaShare(
  visit: VisitAtExit,
  { price, quotaUnitsFree, at }: ExitFacts,
): { unitsDue: number; units: number; meetsAll: boolean } {
  const owed = price === null || price.amountMinor === 0 ? 0 : Math.max(0, price.units - visit.unitsMet);
  const free = inExitGrace(visit, at) ? 0 : quotaUnitsFree;
  const has = visit.quotaUnits + free;
  const takes = visit.foundBy === 'equal' ? has : visit.quotaUnits;
  return { unitsDue: owed, units: Math.min(owed, takes), meetsAll: owed > 0 && has >= owed };
}

function hasPaid({ unitsMet, paidMinor = 0 }: VisitAtExit): boolean {
  return unitsMet > 0 || paidMinor > 0;
}

function inExitGrace({ paidUntil }: VisitAtExit, at: UtcTime): boolean {
  return paidUntil !== null && at <= paidUntil;
}

function withUnits(decision: Decision, units: number): Decision {
  return units > 0 ? { ...decision, quotaUnits: units } : decision;
}

function turnedRound(visit: VisitAtExit, { at, settings }: ExitFacts): boolean {
  return millis(at) - millis(visit.startedAt) <= settings.entryGraceMinutes * MINUTE_MS;
}

function permitFlags(match: PermitMatch): ReviewFlag[] {
  return match.foundBy === 'confusable' ? ['uncertain-permit'] : [];
}

function start(status: 'new' | 'need-plate', lostExitOf: string | null): VisitEffect {
  return { kind: 'start', status, lostExitOf };
}

function opens(
  reason: DecisionReason,
  visit: VisitEffect = { kind: 'none' },
  flags: ReviewFlag[] = [],
  settlement: Decision['settlement'] = null,
): Decision {
  return { open: true, reason, visit, settlement, flags };
}

function stays(
  reason: DecisionReason,
  visit: VisitEffect = { kind: 'none' },
  flags: ReviewFlag[] = [],
): Decision {
  return { open: false, reason, visit, settlement: null, flags };
}
