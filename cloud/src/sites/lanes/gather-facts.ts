import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { GatheredAtEntry, SeenPlate } from '@hlid/protocol/rules/lane-facts';
import { isFull, siteOffset } from '@hlid/protocol/site-link/occupancy';
import { z } from 'zod';
import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { carsInside } from '../../records/visits/find-visits.ts';
import { zoneTable } from '../../records/zones/zone-table.ts';
import { holderOf, quotasOfHolder } from '../../stays/visits/price/quotas-of-holder.ts';
import { permitsLike } from '../../vehicles/whitelist/permits-like.ts';
import type { CloudLane } from './cloud-lane.ts';
import { openSiteVisit } from './lane-visits.ts';

/** Reads the facts of a decision at an entrance. */
export async function gatherAtEntry(
  q: Queries,
  lane: CloudLane,
  seen: SeenPlate,
  at: UtcTime,
): Promise<GatheredAtEntry> {
  const { site } = lane;
  const { plate } = seen;
  const full = await isLaneFull(q, lane);
  if (plate === null) return { seen, site, full, listed: [], quotas: [], inside: null };
  return {
    seen,
    site,
    full,
    listed: await permitsLike(q, plate, site.id, seen.country ?? null),
    quotas: await quotasOfHolder(q, await holderOf(q, site, plate, at)),
    inside: await openSiteVisit(q, lane, plate, at),
  };
}

/** The settings of a zone that decide: how many cars fit, and the lanes that lead into it. */
const CountedZoneSchema = z.object({
  capacity: z.int().min(0),
  lanes: z.array(z.string()),
});

async function isLaneFull(q: Queries, lane: CloudLane): Promise<boolean> {
  const { site, id } = lane;
  const { capacity } = site.settings;
  const zones = await q
    .select({ settings: zoneTable.settings, insideOffset: zoneTable.insideOffset })
    .from(zoneTable)
    .where(eq(zoneTable.siteId, site.id));
  // A lane leads into one zone.
  const [zone = null] = zones.flatMap(({ settings, insideOffset }) => {
    const counted = CountedZoneSchema.safeParse(settings);
    return counted.success && counted.data.lanes.includes(id) ? [{ ...counted.data, insideOffset }] : [];
  });
  if (capacity === null && zone === null) return false;
  return isFull(capacity, siteOffset(zones), zone, await carsInside(q, site.id));
}
