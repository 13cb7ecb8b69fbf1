import {
  type GatheredAtEntry,
  type GatheredAtExit,
  plateAtExit,
  type SeenPlate,
} from '@hlid/protocol/lane-facts';
import { quotaWithPlate } from '@hlid/protocol/quota-standing';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { matchPermit } from '@hlid/protocol/whitelist';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { billingMethodOf } from '../customers/customer-billing.ts';
import type { Queries } from '../db/db.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { categoryOfPlate } from '../vehicles/category-of-plate.ts';
import { customerOfPlate } from '../vehicles/customer-of-plate.ts';
import { siteVisit } from '../visits/change/add-visit.ts';
import type { VisitRow } from '../visits/list/visit-view.ts';
import { type QuotaHolder, quotasOfHolder } from '../visits/price/quotas-of-holder.ts';
import { stayFacts } from '../visits/price/stay-facts.ts';
import { carsInside } from '../visits/record/cars-inside.ts';
import { type FoundOpenVisit, openVisitOf } from '../visits/record/open-visits.ts';
import { permitsLike } from '../whitelist/permits-like.ts';
import { zoneTable } from '../zones/zone-table.ts';
import type { CloudLane } from './cloud-lane.ts';

/** What a decision at an entrance needs to know. */
export async function gatherAtEntry(
  q: Queries,
  lane: CloudLane,
  seen: SeenPlate,
  at: UtcTime,
): Promise<GatheredAtEntry> {
  const { site } = lane;
  const { plate } = seen;
  const full = await isFull(q, lane);
  if (plate === null) return { seen, site, full, listed: [], quotas: [], insideVisitId: null };
  return {
    ...{ seen, site, full, listed: await permitsLike(q, plate, site.id) },
    quotas: await quotasOfHolder(q, await holderOf(q, site, plate, at)),
    insideVisitId: (await openVisitOf(q, site.id, plate, at))?.id ?? null,
  };
}

/** What a decision at an exit needs to know, once it is known which visit leaves. */
export async function gatherAtExit(
  q: Queries,
  site: ChosenSite,
  seen: Pick<SeenPlate, 'plate' | 'score'>,
  found: FoundOpenVisit | 'ambiguous' | 'just-ended' | null,
): Promise<GatheredAtExit> {
  const row = found === null || typeof found === 'string' ? null : found.visit;
  const leaving =
    found === null || typeof found === 'string' ? found : { ...found, visit: siteVisit(found.visit) };
  const plate = plateAtExit(seen, leaving);
  const holder = row && { customerId: row.customerId, category: row.vehicleCategory, siteId: site.id };
  return {
    ...{ seen, site, leaving },
    listed: plate === null ? [] : await permitsLike(q, plate, site.id),
    quotas: holder === null ? [] : await quotasOfHolder(q, holder),
    stay: row && (await stayFacts(q, row)),
    billing: row && (await billingMethodOf(q, row.customerId)),
  };
}

/** What a visit draws on once it is known by another plate. */
export async function quotaByPlate(
  q: Queries,
  site: ChosenSite,
  visit: Pick<VisitRow, 'id' | 'plate' | 'quota' | 'startedAt' | 'endedAt'>,
  plate: string,
  at: UtcTime,
): Promise<Visit['quota']> {
  if (plate === visit.plate) return visit.quota;
  const quotas = await quotasOfHolder(q, await holderOf(q, site, plate, visit.startedAt));
  const rules = { timeZone: site.timeZone, confusableScore: 1, visitId: visit.id };
  const permit = matchPermit({ plate, score: 1 }, await permitsLike(q, plate, site.id), at, rules);
  return quotaWithPlate(visit, quotas, permit?.foundBy === 'equal');
}

async function holderOf(q: Queries, site: ChosenSite, plate: string, at: UtcTime): Promise<QuotaHolder> {
  return {
    customerId: await customerOfPlate(q, plate, at),
    category: await categoryOfPlate(q, plate),
    siteId: site.id,
  };
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
