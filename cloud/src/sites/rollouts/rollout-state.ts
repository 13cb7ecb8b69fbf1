import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { EdgeUpgradeReport, UpgradeOutcome } from '@hlid/protocol/site-link/edge-upgrade';
import type { RolloutOutcome, RolloutState } from '../../records/rollouts/rollout-words.ts';

/** The rule of rollouts. Pure. */

/** Why a site is skipped. */
export type SkipReason = 'accepts-no-orders' | 'no-package';

/** The facts of a rollout that the rule needs. */
export interface RolloutFacts {
  state: RolloutState;
  version: string;
  soakHours: number;
  maxAtOnce: number;
  ring: number | null;
  ringOverAt: UtcTime | null;
  excusedRing: number | null;
}

/** The facts of a site that the rule needs. */
export interface RolloutSiteFacts {
  siteId: string;
  ring: number;
  outcome: RolloutOutcome;
  handedAt: UtcTime | null;
  isExcused: boolean;
  connected: boolean;
  /** The time since which it is connected, or not; null: it was never connected. */
  connectedSince: UtcTime | null;
}

/** The next step. */
export type RolloutStep =
  /** Sites of this ring, and of no other one, get orders. */
  | { step: 'begin-ring'; ring: number }
  | { step: 'ring-over' }
  | { step: 'pause'; why: { reason: 'site-failed'; siteId: string; outcome: 'went-back' | 'stuck' } }
  | { step: 'pause'; why: { reason: 'ring-failed'; ring: number } }
  | { step: 'done' };

/** A site counts as connected for this time while it installs: it restarts, and has ten minutes to work. */
export const INSTALL_AWAY_MS = 30 * MINUTE_MS;

const UNDER_WAY: ReadonlySet<RolloutOutcome> = new Set(['ordered', 'downloading', 'working', 'installing']);
const GOOD: ReadonlySet<RolloutOutcome> = new Set(['done', 'up-to-date']);

/** Whether a rollout still has something to do. */
export function isOver(state: RolloutState): boolean {
  return state === 'done' || state === 'ended';
}

/** Whether a site has an order and has not ended. */
export function isUnderWay(outcome: RolloutOutcome): boolean {
  return UNDER_WAY.has(outcome);
}

/** Whether nothing more will happen at a site by itself. */
export function hasEnded(outcome: RolloutOutcome): boolean {
  return outcome !== 'waiting' && !isUnderWay(outcome);
}

/** Whether a site tried the version in vain: that pauses the rollout. */
export function hasFailed(outcome: RolloutOutcome): outcome is 'went-back' | 'stuck' {
  return outcome === 'went-back' || outcome === 'stuck';
}

/** Whether a person may give a site another order. */
export function canRetry(outcome: RolloutOutcome): boolean {
  return hasFailed(outcome) || outcome === 'refused' || outcome === 'skipped';
}

/** Whether ending the rollout takes an order back: nothing has changed at the site. */
export function canWithdraw(outcome: RolloutOutcome): boolean {
  return outcome === 'waiting' || (isUnderWay(outcome) && outcome !== 'installing');
}

/** The rings of these sites, ascending. */
export function ringsOf(sites: readonly Pick<RolloutSiteFacts, 'ring'>[]): number[] {
  return [...new Set(sites.map(({ ring }) => ring))].sort((a, b) => a - b);
}

/** The next step of a rollout; null: nothing until something else happens. To be asked again after each step. */
export function nextStep(
  rollout: RolloutFacts,
  sites: readonly RolloutSiteFacts[],
  now: UtcTime,
): RolloutStep | null {
  if (rollout.state !== 'running') return null;
  const failure = newFailure(sites);
  if (failure !== null) return { step: 'pause', why: failure };
  const { ring, ringOverAt, soakHours } = rollout;
  const next = ringsOf(sites).find((one) => one > (ring ?? 0));
  if (ring === null) return next === undefined ? { step: 'done' } : { step: 'begin-ring', ring: next };
  const allEnded = sites.every(({ outcome }) => hasEnded(outcome));
  if (isRingBusy(sites, ring, now)) return null;
  if (ringFailed(rollout, sites, now)) return { step: 'pause', why: { reason: 'ring-failed', ring } };
  if (!isRingGood(rollout, sites)) return null;
  if (next === undefined && allEnded) return { step: 'done' };
  if (ringOverAt === null) return { step: 'ring-over' };
  if (next === undefined) return null;
  const soakedAt = millis(ringOverAt) + soakHours * HOUR_MS;
  return millis(now) < soakedAt ? null : { step: 'begin-ring', ring: next };
}

/**
 * Whether the ring that is under way ended without a single site that runs the version: its connected sites have all
 * ended, and one at least has.
 */
export function ringFailed(
  rollout: Pick<RolloutFacts, 'ring' | 'excusedRing'>,
  sites: readonly RolloutSiteFacts[],
  now: UtcTime,
): boolean {
  const { ring } = rollout;
  if (ring === null || isRingGood(rollout, sites) || isRingBusy(sites, ring, now)) return false;
  return sites.some((site) => site.ring === ring && hasEnded(site.outcome));
}

/**
 * Whether a site that asks may have its order: no more than `maxAtOnce` others have theirs. A site that installs goes on
 * in any case.
 */
export function mayHaveOrder(
  rollout: Pick<RolloutFacts, 'state' | 'maxAtOnce'>,
  sites: readonly RolloutSiteFacts[],
  siteId: string,
  now: UtcTime,
): boolean {
  const site = sites.find((one) => one.siteId === siteId);
  if (site === undefined || !isUnderWay(site.outcome)) return false;
  if (site.outcome === 'installing') return true;
  if (rollout.state !== 'running') return false;
  const others = sites.filter((one) => one.siteId !== siteId && isUpgrading(one, now));
  return others.length < rollout.maxAtOnce;
}

/** Whether a site has its order and works at it. One that has gone away does not keep the others waiting. */
export function isUpgrading(site: RolloutSiteFacts, now: UtcTime): boolean {
  if (!isUnderWay(site.outcome) || !isThere(site, now)) return false;
  return site.handedAt !== null || site.outcome === 'installing';
}

/** A site of an earlier ring that connects late is waited for as well. */
function isRingBusy(sites: readonly RolloutSiteFacts[], ring: number, now: UtcTime): boolean {
  return sites.some((site) => site.ring <= ring && isUnderWay(site.outcome) && isThere(site, now));
}

function isRingGood(
  { ring, excusedRing }: Pick<RolloutFacts, 'ring' | 'excusedRing'>,
  sites: readonly RolloutSiteFacts[],
): boolean {
  return excusedRing === ring || sites.some((site) => site.ring === ring && GOOD.has(site.outcome));
}

function isThere({ connected, connectedSince, outcome, handedAt }: RolloutSiteFacts, now: UtcTime): boolean {
  if (connected) return true;
  if (connectedSince === null || (handedAt === null && outcome !== 'installing')) return false;
  return millis(now) - millis(connectedSince) < INSTALL_AWAY_MS;
}

function newFailure(
  sites: readonly RolloutSiteFacts[],
): { reason: 'site-failed'; siteId: string; outcome: 'went-back' | 'stuck' } | null {
  for (const { siteId, outcome, isExcused } of sites) {
    if (hasFailed(outcome) && !isExcused) {
      return { reason: 'site-failed', siteId, outcome };
    }
  }
  return null;
}

/** The part of a site's row that its reports change. */
export interface ReportedSite {
  outcome: RolloutOutcome;
  orderId: string;
  handedAt: UtcTime | null;
  fromVersion: string | null;
  reason: string | null;
  reportedAt: UtcTime | null;
}

const RANKS: Readonly<Record<UpgradeOutcome, number>> = {
  downloading: 1,
  working: 2,
  installing: 3,
  refused: 4,
  done: 4,
  'went-back': 4,
  stuck: 4,
};
const ENDED_RANK = 4;

/**
 * A site's row after a report. Reports may come late, twice, and in another order: the newest by the site's clock counts,
 * but one that is further counts in any case, since clocks are set. An end stays an end.
 *
 * @param version of the rollout
 */
export function afterReport<Site extends ReportedSite>(
  site: Site,
  version: string,
  { upgrade, version: running }: EdgeUpgradeReport,
): Site {
  if (upgrade?.orderId === site.orderId) {
    const known = afterOutcome(site, upgrade);
    const isInstalling = upgrade.outcome === 'installing';
    return isInstalling || running !== version ? known : upgraded(known, running);
  }
  return running === version ? upgraded(site, running) : site;
}

function afterOutcome<Site extends ReportedSite>(
  site: Site,
  { outcome, reason, at }: NonNullable<EdgeUpgradeReport['upgrade']>,
): Site {
  const before = rankOf(site.outcome);
  const after = RANKS[outcome];
  // A site that had begun when its order was withdrawn reports what came of it.
  if (site.outcome === 'withdrawn' && after < RANKS.installing) return site;
  const isNewer = site.reportedAt === null || millis(at) > millis(site.reportedAt);
  if (before === ENDED_RANK ? after < ENDED_RANK || !isNewer : after <= before && !isNewer) return site;
  return { ...site, outcome, reason, reportedAt: at };
}

/** Withdrawn and skipped orders have no rank: anything that a site does with one is news. */
function rankOf(outcome: RolloutOutcome): number {
  switch (outcome) {
    case 'up-to-date':
      return ENDED_RANK;
    case 'waiting':
    case 'ordered':
    case 'skipped':
    case 'withdrawn':
      return 0;
    default:
      return RANKS[outcome];
  }
}

/** A site that runs the version while its order is under way is upgraded, even where its report of that was lost. */
function upgraded<Site extends ReportedSite>(site: Site, running: string): Site {
  if (!isUnderWay(site.outcome)) return site;
  const hadIt = site.outcome === 'ordered' && site.fromVersion === null;
  if (hadIt) return { ...site, outcome: 'up-to-date', fromVersion: running, reason: null };
  return { ...site, outcome: 'done', reason: null };
}

/** Why a site that asks gets no order at all; null: it may have one. */
export function skipReason(
  { acceptsOrders, architecture }: EdgeUpgradeReport,
  architectures: ReadonlySet<string>,
): SkipReason | null {
  if (!acceptsOrders) return 'accepts-no-orders';
  return architecture === null || !architectures.has(architecture) ? 'no-package' : null;
}
