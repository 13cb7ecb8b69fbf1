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
  z.strictObject({ kind: z.literal('ask'), visitId: z.string() }),
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
  return opens('welcome', visit, flags);
}

/** The open visit to which an exit belongs. */
export interface VisitAtExit {
  id: string;
  foundBy: FoundBy;
  startedAt: UtcTime;
  paidUntil: UtcTime | null;
  unitsMet: number;
}

export interface ExitFacts {
  at: UtcTime;
  settings: SiteSettings;
  visit: VisitAtExit | 'ambiguous' | null;
  permit: PermitMatch | null;
  /** Of the customer's quota; null where there is none. */
  quotaUnitsFree: number | null;
  /** Of the stay so far, permits and settlements taken off; null where the site has no price. */
  price: Price | null;
  /** The customer to whom the plate belongs. */
  billing: 'daily' | 'monthly' | 'whitelist' | null;
}

/** What a gate at an exit does: the first rule that applies. Only an amount really due keeps it closed. */
export function decideExit(facts: ExitFacts): Decision {
  const { settings, visit, permit, price } = facts;
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
    const settlement = visit.unitsMet > 0 ? null : 'whitelisted';
    return opens('whitelisted', leaves, [...flags, ...permitFlags(permit)], settlement);
  }
  const unitsDue = price === null ? 0 : Math.max(0, price.units - visit.unitsMet);
  if (facts.quotaUnitsFree !== null && facts.quotaUnitsFree > 0 && facts.quotaUnitsFree >= unitsDue) {
    return opens('quota', leaves, flags);
  }
  const free = (price?.units ?? 0) === 0 || (due === 0 && visit.unitsMet === 0);
  if (free || turnedRound(visit, facts)) return opens('nothing-due', leaves, flags);
  if (due === 0 || (visit.paidUntil !== null && facts.at <= visit.paidUntil))
    return opens('paid', leaves, flags);
  if (facts.billing === 'whitelist') return opens('whitelisted', leaves, flags, 'whitelisted');
  // A bill that nobody has agreed to needs a plate that is certain; the car may go, a person looks at the bill.
  const invoiced = { ...leaves, settled: certain };
  if (facts.billing !== null) {
    return opens('company-invoice', invoiced, flags, certain ? 'company-invoice' : null);
  }
  if (settings.invoicesOwners)
    return opens('owner-invoice', invoiced, flags, certain ? 'owner-invoice' : null);
  return stays('need-payment', { kind: 'ask', visitId: visit.id }, flags);
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
  visit: VisitEffect,
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
