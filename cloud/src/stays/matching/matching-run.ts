import { newId } from '@hlid/node/new-id';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { hasOpenDispute } from '../../records/disputes/find-disputes.ts';
import type { ProposalRow } from '../../records/matching/match-table.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import type { LikelyPair } from './assign-stays.ts';
import { teach } from './confusion-store.ts';
import { endAtMatch } from './end-at-match.ts';
import { auditProposal, freeCars, readAtEntry, withdrawOthers } from './judge-proposal.ts';
import { matchSite } from './match-site.ts';
import { deleteProposals, proposalOfPair, putProposal } from './match-store.ts';
import { type PairVerdict, type SettlingTerms, verdictOf } from './settle-pairs.ts';
import { type SiteFacts, seenAtEntry, seenAtExit, siteFacts } from './site-facts.ts';

/** Flags of a visit whose length or payment is uncertain: a person decides about its end. */
const UNCERTAIN: readonly ReviewFlag[] = ['clock-set', 'payment-unknown', 'disputed'];
const MAX_ROUNDS = 10;
/** Before a site has shown as many stays with equal plates, only equal plates are settled without a person. */
const MIN_WHOLE_STAYS = 100;
/** A proposal whose probability moves by less is left as it is. */
const SAME_WITHIN = 0.002;

interface MatchedSite {
  id: string;
  settings: SiteSettings;
}

/**
 * Pairs open visits with exits that found none, at the sites that set it. It ends the visits of pairs that are certain, and
 * proposes others to people. Each pair has a transaction of its own, which reads again all that decides: it can stop anywhere
 * and run twice. What comes late is in the next run.
 */
export function matchingRun(db: Db): ScheduledRun {
  const sites = () => db.read(matchedSites);
  return {
    name: 'matching',
    everyMs: 10 * MINUTE_MS,
    isDue: async () => (await sites()).length > 0,
    async work({ now, signal }) {
      for (const site of await sites()) {
        for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
          if ((await matchExits(db, site, now, signal)) === 0) break;
        }
      }
    },
  };
}

async function matchedSites(q: Tx['q']): Promise<MatchedSite[]> {
  return (await listSites(q)).flatMap(({ site: { id, settings } }) =>
    settings.matchesExits === true ? [{ id, settings }] : [],
  );
}

/** @returns how many visits it has ended: what they teach may make other pairs certain */
async function matchExits(db: Db, site: MatchedSite, now: UtcTime, signal: AbortSignal): Promise<number> {
  const facts = await db.read((q) => siteFacts(q, site.id, now));
  const actor = cloudActor('matching', now);
  const found = await pairsOf(facts, site, now);
  let settled = 0;
  for (const { pair, verdict } of found) {
    if (signal.aborted) return settled;
    if (verdict !== 'settled') continue;
    const isDone = await db.write((tx) => settle(tx, actor, proposalFrom(site, actor, pair)));
    if (isDone) settled += 1;
  }
  const wanted = proposedOf(found).map(({ pair }) => proposalFrom(site, actor, pair));
  await writeProposals(db, facts, wanted);
  return settled;
}

interface JudgedByRule {
  pair: StatedPair;
  verdict: PairVerdict;
}

/** A pair with what is stated about it. */
interface StatedPair extends LikelyPair {
  stated: number;
  second: { pair: LikelyPair; stated: number } | null;
}

async function pairsOf(facts: SiteFacts, { settings }: MatchedSite, now: UtcTime): Promise<JudgedByRule[]> {
  const { stays, exits, proposals, habits, calibrated } = facts;
  const refused = proposals.filter(({ state }) => state === 'rejected' || state === 'undone');
  const refusedKeys = new Set(refused.map(({ visitId, exitReadId }) => `${visitId} ${exitReadId}`));
  const isRefused = (visitId: string, exitReadId: string) => refusedKeys.has(`${visitId} ${exitReadId}`);
  const entries = [...stays.values()].map(seenAtEntry);
  const seen = [...exits.values()].map(seenAtExit);
  const pairs = await matchSite(entries, seen, habits, millis(now), isRefused);
  const terms = termsOf(settings);
  return pairs.map((pair) => {
    const second = rivalOf(pair, pairs);
    const verdict = verdictOf(pair, terms, calibrated);
    return {
      pair: {
        ...pair,
        stated: calibrated(pair.probability),
        second: second && { pair: second, stated: calibrated(second.probability) },
      },
      verdict: verdict === 'settled' && needsPerson(pair, facts) ? 'proposed' : verdict,
    };
  });
}

/**
 * Whether a person decides however likely the pair is: the length of the stay or its payment is uncertain, people have judged
 * pairs with one of the two, or the site has shown too little to weigh plates that differ.
 */
function needsPerson(
  { entryId, exitId }: LikelyPair,
  { stays, exits, proposals, wholeStays }: SiteFacts,
): boolean {
  const visit = stays.get(entryId)?.visit;
  if (visit === undefined || visit.flags.some((flag) => UNCERTAIN.includes(flag))) return true;
  const isJudged = proposals.some(
    (row) => row.isJudged && (row.visitId === entryId || row.exitReadId === exitId),
  );
  return isJudged || (wholeStays < MIN_WHOLE_STAYS && visit.plate !== exits.get(exitId)?.plate);
}

function termsOf({ matchProbability, matchMargin }: SiteSettings): SettlingTerms {
  return {
    probability: matchProbability ?? SITE_DEFAULTS.matchProbability,
    margin: matchMargin ?? SITE_DEFAULTS.matchMargin,
  };
}

function rivalOf({ entryId, exitId }: LikelyPair, pairs: readonly LikelyPair[]): LikelyPair | null {
  // They are in order, the likeliest first.
  const rival = pairs.find((other) => (other.entryId === entryId) !== (other.exitId === exitId));
  return rival ?? null;
}

/** The likeliest pair of each exit, of those that a person is asked about. */
function proposedOf(found: readonly JudgedByRule[]): JudgedByRule[] {
  const exits = new Set<string>();
  return found.filter(({ pair: { exitId }, verdict }) => {
    const isFirst = !exits.has(exitId);
    exits.add(exitId);
    return isFirst && verdict === 'proposed';
  });
}

function proposalFrom({ id: siteId }: MatchedSite, actor: Actor, pair: StatedPair): ProposalRow {
  const { entryId: visitId, exitId: exitReadId, second } = pair;
  return {
    id: newId(),
    siteId,
    visitId,
    exitReadId,
    state: 'open',
    probability: pair.stated,
    weight: pair.probability,
    secondVisitId: second?.pair.entryId ?? null,
    secondExitReadId: second?.pair.exitId ?? null,
    secondProbability: second?.stated ?? 0,
    isJudged: false,
    createdAt: actor.at,
    modifiedAt: actor.at,
    by: callerName(actor.caller),
    undo: null,
  };
}

/** Ends the visit of a pair that is certain. @returns false: something has changed since it was weighed */
async function settle(tx: Tx, actor: Actor, found: ProposalRow): Promise<boolean> {
  const { visitId, exitReadId } = found;
  const known = await proposalOfPair(tx.q, visitId, exitReadId);
  if (known !== null && (known.state !== 'open' || known.isJudged)) return false;
  const free = await freeCars(tx.q, found);
  if (free === null || (await hasOpenDispute(tx.q, { visitId }))) return false;
  const { visit, exit } = free;
  const undo = await endAtMatch(tx, actor, free);
  await teach(tx.q, await readAtEntry(tx.q, visit), exit, 1);
  const row: ProposalRow = {
    ...found,
    id: known?.id ?? found.id,
    createdAt: known?.createdAt ?? found.createdAt,
    state: 'settled',
    undo,
  };
  await withdrawOthers(tx, row);
  await putProposal(tx.q, row);
  await auditProposal(tx, actor, 'match-proposal.settle', known, row);
  return true;
}

/** Stores what people are asked about, and asks them no more about what is no longer likely. Most runs change nothing. */
async function writeProposals(
  db: Db,
  { proposals }: SiteFacts,
  wanted: readonly ProposalRow[],
): Promise<void> {
  const keyOf = ({ visitId, exitReadId }: ProposalRow) => `${visitId} ${exitReadId}`;
  const open = new Map(proposals.filter(({ state }) => state === 'open').map((row) => [keyOf(row), row]));
  const changed = wanted.filter((row) => isNews(row, open.get(keyOf(row))));
  const kept = new Set(wanted.map(keyOf));
  const gone = [...open.values()].filter((row) => !kept.has(keyOf(row)));
  if (changed.length === 0 && gone.length === 0) return;
  await db.write(async ({ q }) => {
    for (const row of changed) {
      const known = await proposalOfPair(q, row.visitId, row.exitReadId);
      if (known === null) await putProposal(q, row);
      else if (known.state === 'open')
        await putProposal(q, { ...row, id: known.id, createdAt: known.createdAt, isJudged: known.isJudged });
    }
    const nowOpen = [];
    for (const row of gone) {
      const known = await proposalOfPair(q, row.visitId, row.exitReadId);
      if (known?.state === 'open') nowOpen.push(known.id);
    }
    await deleteProposals(q, nowOpen);
  });
}

function isNews(row: ProposalRow, known: ProposalRow | undefined): boolean {
  if (known === undefined) return true;
  const hasOtherSecond =
    row.secondVisitId !== known.secondVisitId || row.secondExitReadId !== known.secondExitReadId;
  const moved = Math.abs(row.probability - known.probability) > SAME_WITHIN;
  return hasOtherSecond || moved || Math.abs(row.secondProbability - known.secondProbability) > SAME_WITHIN;
}
