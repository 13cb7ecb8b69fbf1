import type { EntryFacts, ExitFacts } from '@hlid/protocol/decision';
import type { Price } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { drawnFrom } from '@hlid/protocol/visit-course';
import { matchBlock, matchPermit } from '@hlid/protocol/whitelist';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { billingMethodOf } from '../billing/customer-billing.ts';
import { customerOfPlate } from '../custody/customer-of-plate.ts';
import type { Queries } from '../db/db.ts';
import { categoryOfPlate } from '../vehicles/category-of-plate.ts';
import { carsInside } from '../visits/cars-inside.ts';
import { priceNow } from '../visits/price-now.ts';
import { settingsFor } from '../visits/tariff-settings.ts';
import { permitsLike } from '../whitelist/permits-like.ts';
import { zoneTable } from '../zones/zone-table.ts';
import type { CloudLane } from './cloud-lane.ts';
import { type LaneQuota, type QuotaHolder, quotaAtEntry, quotaOfVisit } from './lane-quota.ts';
import { type FoundOpenVisit, findOpenVisit, openVisitOf, type SeenPlate } from './open-visits.ts';

/** The plate of a passage as the decision sees it. */
export interface SeenPassage extends SeenPlate {
  score: number;
}

/** What a decision at an entrance needs to know, and the quota of which it may take a unit. */
export async function entryFacts(
  q: Queries,
  lane: CloudLane,
  seen: SeenPassage,
  at: UtcTime,
): Promise<{ facts: EntryFacts; quota: LaneQuota | null }> {
  const { site } = lane;
  const { plate } = seen;
  const full = await isFull(q, lane);
  const nothing = { plate, settings: site.settings, blocked: null, permit: null, full };
  if (plate === null) return { facts: { ...nothing, insideVisitId: null, quotaUnitsFree: 0 }, quota: null };
  const listed = await permitsLike(q, plate, site.id);
  const quota = await quotaAtEntry(q, await holderOf(q, lane, plate, at));
  const facts = {
    ...nothing,
    blocked: matchBlock(plate, listed, at, site.timeZone),
    permit: matchPermit({ plate, score: seen.score }, listed, at, permitRules(lane, null)),
    insideVisitId: (await openVisitOf(q, site.id, plate, at))?.id ?? null,
    quotaUnitsFree: quota?.unitsFree ?? 0,
  };
  return { facts, quota };
}

/** What a decision at an exit needs to know, and what it was made from. */
export interface ExitFound {
  facts: ExitFacts;
  leaving: FoundOpenVisit | null;
  quota: LaneQuota | null;
}

export async function exitFacts(
  q: Queries,
  lane: CloudLane,
  seen: SeenPassage,
  at: UtcTime,
): Promise<ExitFound> {
  const { site } = lane;
  const found = await findOpenVisit(q, site.id, seen, at);
  const leaving = found === 'ambiguous' ? null : found;
  const visit = leaving?.visit ?? null;
  // Whatever was read, the permit has to be for the car that came in.
  const plate = visit?.plate ?? seen.plate;
  const listed = plate === null ? [] : await permitsLike(q, plate, site.id);
  const rules = permitRules(lane, visit?.id ?? null);
  const whose = {
    customerId: visit?.customerId ?? null,
    category: visit?.vehicleCategory ?? null,
    siteId: site.id,
  };
  const quota = await quotaOfVisit(q, whose, visit?.quota ?? null);
  const price = visit && (await priceThen(q, lane, visit, at, 0));
  const facts: ExitFacts = {
    at,
    settings: await settingsFor(q, site, price),
    visit: found === 'ambiguous' ? found : leaving && atExit(leaving, quota),
    permit: plate === null ? null : matchPermit({ plate, score: seen.score }, listed, at, rules),
    quotaUnitsFree: quota?.unitsFree ?? 0,
    price,
    billing: await billingMethodOf(q, whose.customerId),
  };
  return { facts, leaving, quota };
}

/** What a visit owes if it ends at that moment, with so many units met by its customer's quota. */
export async function priceThen(
  q: Queries,
  { site }: CloudLane,
  visit: FoundOpenVisit['visit'],
  at: UtcTime,
  quotaUnits: number,
): Promise<Price | null> {
  const met = { ...visit, endedAt: at, quota: null, unitsMet: visit.unitsMet + quotaUnits };
  return await priceNow(q, met, site, at);
}

/** What an open visit draws on once it is known by another plate. */
export async function quotaWithPlate(
  q: Queries,
  lane: CloudLane,
  visit: FoundOpenVisit['visit'],
  plate: string,
  at: UtcTime,
): Promise<Visit['quota']> {
  const holder = await holderOf(q, lane, plate, visit.startedAt);
  const quota = await quotaOfVisit(q, holder, visit.quota);
  if (quota === null || quota.unitsTaken > 0)
    return drawnFrom(quota?.id ?? null, quota?.unitsTaken ?? 0, visit.quota);
  const listed = await permitsLike(q, plate, lane.site.id);
  const permit = matchPermit({ plate, score: 1 }, listed, at, permitRules(lane, visit.id));
  return drawnFrom(quota.id, permit?.foundBy === 'equal' ? 0 : 1, visit.quota);
}

async function holderOf(q: Queries, { site }: CloudLane, plate: string, at: UtcTime): Promise<QuotaHolder> {
  return {
    customerId: await customerOfPlate(q, plate, at),
    category: await categoryOfPlate(q, plate),
    siteId: site.id,
  };
}

function permitRules({ site }: CloudLane, visitId: string | null) {
  return { timeZone: site.timeZone, confusableScore: site.settings.confusableScore, visitId };
}

function atExit(
  { visit, foundBy }: FoundOpenVisit,
  quota: LaneQuota | null,
): Exclude<ExitFacts['visit'], 'ambiguous' | null> {
  const { id, startedAt, paidUntil, unitsMet, paidMinor } = visit;
  return { id, foundBy, startedAt, paidUntil, unitsMet, paidMinor, quotaUnits: quota?.unitsTaken ?? 0 };
}

/** What decides of a zone's settings: how many cars fit, and the lanes that lead into it. */
const CountedZoneSchema = z.object({
  capacity: z.int().min(0),
  lanes: z.array(z.string()),
});

async function isFull(q: Queries, lane: CloudLane): Promise<boolean> {
  const { site, id } = lane;
  const { capacity } = site.settings;
  const zones = await q
    .select({ settings: zoneTable.settings })
    .from(zoneTable)
    .where(eq(zoneTable.siteId, site.id));
  const counted = zones.flatMap(({ settings }) => {
    const zone = CountedZoneSchema.safeParse(settings);
    return zone.success && zone.data.lanes.includes(id) ? [zone.data] : [];
  });
  if (capacity === null && counted.length === 0) return false;
  const inside = await carsInside(q, site.id);
  const cars = (some: typeof inside) => some.reduce((sum, { cars: n }) => sum + n, 0);
  if (capacity !== null && cars(inside) >= capacity) return true;
  return counted.some(
    (zone) =>
      cars(inside.filter(({ laneId }) => laneId !== null && zone.lanes.includes(laneId))) >= zone.capacity,
  );
}
