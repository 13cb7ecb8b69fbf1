import { type Decision, decideEntry, decideExit } from '@hlid/protocol/decision';
import { type Price, waivePrice } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { Queries, Tx } from '../db/db.ts';
import type { CloudLane } from './cloud-lane.ts';
import { entryFacts, exitFacts, priceThen, type SeenPassage } from './gather-facts.ts';
import type { LanePassage } from './lane-passage.ts';
import { drawnFrom } from './lane-quota.ts';
import { askToPay, beginVisit, leave } from './lane-visits.ts';
import type { FoundOpenVisit } from './open-visits.ts';

/** A decision with what it was made from. */
export interface Decided {
  decision: Decision;
  /** The visit that leaves, and how it was found. */
  leaving: FoundOpenVisit | null;
  /** What it owes, after what its customer's quota meets. */
  price: Price | null;
  permitId: string | null;
  /** What the quota meets of the visit from now on. */
  quota: Visit['quota'];
}

export async function decideAtLane(
  q: Queries,
  lane: CloudLane,
  seen: SeenPassage,
  at: UtcTime,
): Promise<Decided> {
  if (lane.direction === 'entry') {
    const { facts, quota } = await entryFacts(q, lane, seen, at);
    const decision = decideEntry(facts);
    const permitId = facts.permit?.permit.id ?? null;
    return {
      decision,
      leaving: null,
      price: null,
      permitId,
      quota: drawnFrom(quota, decision.quotaUnits ?? 0, null),
    };
  }
  const { facts, leaving, quota } = await exitFacts(q, lane, seen, at);
  const decision = decideExit(facts);
  const { quotaUnits = 0 } = decision;
  const price =
    quotaUnits === 0 || leaving === null
      ? facts.price
      : await priceThen(q, lane, leaving.visit, at, quotaUnits);
  return {
    decision,
    leaving,
    price,
    permitId: facts.permit?.permit.id ?? null,
    quota: drawnFrom(quota, quotaUnits, leaving?.visit.quota ?? null),
  };
}

/**
 * Does to the visit what was decided for a passage, and returns the visit's id. A car that owes and has `passed`
 * already has left: its visit ends unsettled and waits for a person.
 */
export async function carryOut(
  tx: Tx,
  lane: CloudLane,
  passage: LanePassage,
  decided: Decided,
  at: UtcTime,
  passed: boolean,
): Promise<string | null> {
  const { decision, leaving, price, permitId, quota } = decided;
  const { readId, plate } = passage;
  const { flags, settlement, visit: effect } = decision;
  const deed = { at, by: `lane:${lane.id}`, why: decision.reason };
  if (effect.kind === 'none') return null;
  if (effect.kind === 'start') {
    return await beginVisit(tx, lane, { plate, status: effect.status, readId, flags, permitId, quota }, deed);
  }
  if (leaving === null) return null;
  const { visit, foundBy } = leaving;
  const departure = { readId, foundBy, settlement, flags, permitId, quota };
  if (effect.kind === 'ask') {
    if (passed) return await leave(tx, lane, visit, { ...departure, settled: false, price }, deed);
    return await askToPay(tx, lane, visit, { price, flags, quota }, deed);
  }
  // Whoever leaves settled owes nothing more, but for what an invoice will say.
  const billed = !effect.settled || settlement === 'company-invoice' || settlement === 'owner-invoice';
  const due = price && !billed ? waivePrice(price) : price;
  return await leave(tx, lane, visit, { ...departure, settled: effect.settled, price: due }, deed);
}
