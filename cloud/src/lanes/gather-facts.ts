import type { GatheredAtEntry, SeenPlate } from '@hlid/protocol/lane-facts';
import { isFull, siteOffset } from '@hlid/protocol/occupancy';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Queries } from '../db/db.ts';
import { holderOf, quotasOfHolder } from '../visits/price/quotas-of-holder.ts';
import { carsInside } from '../visits/record/find-visits.ts';
import { openVisitOf } from '../visits/record/open-visits.ts';
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
  const full = await isLaneFull(q, lane);
  if (plate === null) return { seen, site, full, listed: [], quotas: [], insideVisitId: null };
  return {
    seen,
    site,
    full,
    listed: await permitsLike(q, plate, site.id, seen.country ?? null),
    quotas: await quotasOfHolder(q, await holderOf(q, site, plate, at)),
    insideVisitId: (await openVisitOf(q, site.id, plate, at))?.id ?? null,
  };
}

/** What decides of a zone's settings: how many cars fit, and the lanes that lead into it. */
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
