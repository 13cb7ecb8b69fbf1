import { z } from 'zod';
import type { SiteSettings } from './lane.ts';
import type { PlateMatch } from './plate.ts';
import type { Price } from './price-visit.ts';
import { MINUTE_MS, millis, type UtcTime } from './utc-time.ts';
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
    /** Its visit ended a moment ago: an exit let it out, or a person ended the visit. */
    'visit-ended',
    /** It left some time ago, and only now an exit's camera has said so. */
    'late-exit',
    /** Something was due, and its gate was open already. */
    'left-unpaid',
    /** A driver who waited said at the kiosk that the visit is not his. */
    'not-mine',
    'closed-by-operator',
    'unread-vehicle',
  ])
  .meta({ id: 'DecisionReason' });
export type DecisionReason = z.infer<typeof DecisionReasonSchema>;

/** What becomes of the visit. */
export const VisitEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('start'),
    status: z.enum(['new', 'need-plate']),
    /** An open visit of the same plate, whose exit nobody saw. */
    lostExitOf: z.string().nullable(),
  }),
  z.strictObject({
    kind: z.literal('ask'),
    visitId: z.string(),
    /** The plate that was read may be another car's: the driver is asked whether the visit is his. */
    doubtful: z.literal(true).optional(),
  }),
  /** It stays as it is, and a person looks at it: a car left whose visit it may have been. */
  z.strictObject({ kind: z.literal('review'), visitId: z.string() }),
  z.strictObject({
    kind: z.literal('end'),
    visitId: z.string(),
    /** False: the car has left, the bill waits for a person. */
    settled: z.boolean(),
  }),
]);
export type VisitEffect = z.infer<typeof VisitEffectSchema>;

export const DecisionSchema = z
  .strictObject({
    open: z.boolean(),
    reason: DecisionReasonSchema,
    visit: VisitEffectSchema,
    /** How the due is met by this decision; null: it is met already, or nothing is due. */
    settlement: PaymentStatusSchema.nullable(),
    flags: z.array(ReviewFlagSchema),
    /** How many units of the stay the customer's quota meets once this is done; absent: none. */
    quotaUnits: z.int().min(1).optional(),
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof DecisionSchema>;

type FoundBy = Exclude<PlateMatch, 'different'>;

/** A permit that holds for a plate now. */
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
  /** Site or zone has no room. */
  full: boolean;
  /** The open visit of exactly this plate. */
  insideVisitId: string | null;
  /** Of the quota of the plate's customer; 0 where it has none. */
  quotaUnitsFree: number;
}

/** What a gate at an entrance does: the first rule that applies. */
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

/** The open visit to which an exit belongs. */
export interface VisitAtExit {
  id: string;
  foundBy: FoundBy;
  startedAt: UtcTime;
  paidUntil: UtcTime | null;
  /** By payments. */
  unitsMet: number;
  /** Paid in money, not for units; absent: nothing. */
  paidMinor?: number;
  /** Taken from its customer's quota so far. */
  quotaUnits: number;
  /** The clock was set during the stay: what it comes to is not certain. */
  clockSet?: boolean;
}

export interface ExitFacts {
  at: UtcTime;
  settings: SiteSettings;
  /** How sure it is that the plate was read right, 0 to 1. */
  score: number;
  visit: VisitAtExit | 'ambiguous' | null;
  /** No visit of this plate is open, and one has ended so lately that the vehicle is on its way out; absent: none. */
  justEnded?: boolean;
  permit: PermitMatch | null;
  /** What the customer's quota has beyond what the visit has taken; 0 where there is none. */
  quotaUnitsFree: number;
  /** Of the stay so far, permits and payments taken off but not the quota; null where the site has no price. */
  price: Price | null;
  /** The customer to whom the plate belongs. */
  billing: 'daily' | 'monthly' | 'whitelist' | null;
}

/** What a gate at an exit does: the first rule that applies. Only an amount really due keeps it closed. */
export function decideExit(facts: ExitFacts): Decision {
  const { settings, visit, permit, price } = facts;
  if (facts.justEnded) return opens('visit-ended');
  if (visit === null || visit === 'ambiguous') {
    const reason = visit === null ? 'no-visit' : 'ambiguous-visit';
    return settings.opensUnmatchedExit || permit ? opens(reason, { kind: 'none' }) : stays(reason);
  }
  const certain = visit.foundBy === 'equal';
  const flags: ReviewFlag[] = certain ? [] : ['uncertain-plate'];
  const leaves = { kind: 'end', visitId: visit.id, settled: true } as const;
  const due = price?.amountMinor ?? 0;

  if (permit && due === 0) {
    // What was paid before the permit came stays paid.
    const settlement = hasPaid(visit) ? null : 'whitelisted';
    return opens('whitelisted', leaves, [...flags, ...permitFlags(permit)], settlement);
  }
  const free = (price?.units ?? 0) === 0 || (due === 0 && !hasPaid(visit));
  const owesNothing = free || turnedRound(visit, facts);
  const quota = quotaShare(visit, facts);
  // A bill, or a unit, that nobody has agreed to needs a plate that is certain; the car may go, a person looks at it.
  const charged = { ...leaves, settled: certain };
  const settled = owesNothing || due === 0 || inExitGrace(visit, facts.at);
  if (!settled && visit.foundBy === 'near' && isSure(facts)) {
    // Nobody waits, or is charged, for a visit whose plate is another than the one that was surely read.
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
  // A bill on a read that is not sure goes out, and a person looks at it.
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
 * What an exit does for a car that it kept in doubt, whose driver says that the visit is not his: it opens, and a
 * person looks at the visit.
 */
export function decideNotMine(visitId: string): Decision {
  return opens('not-mine', { kind: 'review', visitId }, ['not-mine']);
}

/** The visit for which a closed exit asks although the car may be another; null: there is no such doubt. */
export function visitInDoubt({ open, visit }: Pick<Decision, 'open' | 'visit'>): string | null {
  return !open && visit.kind === 'ask' && visit.doubtful ? visit.visitId : null;
}

function isSure({ score, settings }: ExitFacts): boolean {
  return score >= settings.confusableScore;
}

/**
 * What an exit does for a vehicle that stands before it and that no camera has read well enough: it gets out, and a
 * person looks at it. A read below the camera's score may know the visit all the same, but never as certain: it ends
 * what owes nothing, charges nobody, and where something is due the driver is told so.
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
 * What becomes of the visit of a vehicle that left some time ago, of which an exit's camera says so only now. The facts
 * are those of the time at which it left. Nobody saw the gate, so nobody is charged: what is due waits for a person.
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
 * Whether a vehicle that is read at an exit is on its way out: its last visit ended no longer ago than a driver has to
 * leave after paying. It may have been let out at another exit, or paid for while it turned round.
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

/** Whether a visit began after another had ended: it may be one of the same vehicle. */
export function cameAfter(visit: { startedAt: UtcTime }, ended: { endedAt: UtcTime | null }): boolean {
  return ended.endedAt !== null && visit.startedAt > ended.endedAt;
}

/** What is said of a vehicle for which the gate is open already, whatever the rules say. */
export function asPassed(decision: Decision): Decision {
  const reason = decision.reason === 'need-payment' ? 'left-unpaid' : decision.reason;
  return { ...decision, reason, open: true };
}

/**
 * What the customer's quota does for a visit that leaves: it meets the units that payments have not, as far as it
 * goes, and takes back what it gave too much. A plate that is not certain takes no more units than it came with, and
 * neither does a visit that may leave on what it has paid.
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
