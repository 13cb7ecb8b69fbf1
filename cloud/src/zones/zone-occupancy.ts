import type { Queries } from '../db/db.ts';
import { type CarsOfLane, carsInside } from '../visits/cars-inside.ts';
import { lanesOf, type Zone, zoneFrom } from './zone.ts';
import { countZones, type ZoneRow } from './zone-store.ts';

/** Zones as the API shows them; each site's vehicles are counted once. */
export async function zonesWithOccupancy(q: Queries, zones: readonly ZoneRow[]): Promise<Zone[]> {
  const sites = new Map<string, { inside: CarsOfLane[]; zones: number }>();
  for (const siteId of new Set(zones.map((zone) => zone.siteId))) {
    sites.set(siteId, { inside: await carsInside(q, siteId), zones: await countZones(q, siteId) });
  }
  return zones.map((zone) => {
    const site = sites.get(zone.siteId);
    return zoneFrom(zone, site === undefined ? null : occupancyOf(zone, site.inside, site.zones === 1));
  });
}

export async function zoneWithOccupancy(q: Queries, zone: ZoneRow): Promise<Zone> {
  const inside = await carsInside(q, zone.siteId);
  return zoneFrom(zone, occupancyOf(zone, inside, (await countZones(q, zone.siteId)) === 1));
}

/** Counted by the lane of entry, as sites themselves do; see the field's description. */
function occupancyOf(zone: ZoneRow, inside: readonly CarsOfLane[], onlyZone: boolean): number | null {
  const lanes = lanesOf(zone);
  if (lanes.length === 0 && !onlyZone) return null;
  return inside
    .filter(({ laneId }) => lanes.length === 0 || (laneId !== null && lanes.includes(laneId)))
    .reduce((sum, { cars }) => sum + cars, 0);
}
