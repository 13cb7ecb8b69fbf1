import { type CarsOfLane, carsBeside, carsByLanes } from '@hlid/protocol/site-link/occupancy';
import type { Queries } from '../../platform/db/db.ts';
import { carsInside } from '../../records/visits/find-visits.ts';
import { lanesOf, type Zone, zoneFrom, zoneItem } from './zone.ts';
import { listZones, type ZoneRow } from './zone-store.ts';

/** A zone as its cars are counted. */
export interface CountedZone {
  id: string;
  name: string;
  capacity: number | null;
  /** Cars inside beside those with an open visit, as a person counted. */
  insideOffset: number;
  /** Whether cars that came in by a lane are in it; an empty lane is not known. */
  hasLane: (laneId: string) => boolean;
}

/** The zones of a site, oldest first. */
export async function countedZones(q: Queries, siteId: string): Promise<CountedZone[]> {
  const zones = (await listZones(q, siteId)).reverse();
  const named = new Set(zones.flatMap(lanesOf));
  const rest = zones.find((zone) => lanesOf(zone).length === 0);
  return zones.map((zone) => {
    const lanes = new Set(lanesOf(zone));
    const { id, name, capacity } = zoneItem(zone);
    const isRest = zone === rest;
    return {
      id,
      name,
      capacity,
      insideOffset: zone.insideOffset,
      hasLane: lanes.size > 0 ? (laneId) => lanes.has(laneId) : (laneId) => isRest && !named.has(laneId),
    };
  });
}

/** Zones as the API shows them; each site's vehicles are counted once. */
export async function zonesWithOccupancy(q: Queries, zones: readonly ZoneRow[]): Promise<Zone[]> {
  const sites = new Map<string, { inside: CarsOfLane[]; zones: ZoneRow[] }>();
  for (const siteId of new Set(zones.map((zone) => zone.siteId))) {
    sites.set(siteId, { inside: await carsInside(q, siteId), zones: await listZones(q, siteId) });
  }
  return zones.map((zone) => {
    const site = sites.get(zone.siteId);
    return zoneFrom(zone, site === undefined ? null : occupancyOf(zone, site.inside, site.zones));
  });
}

export async function zoneWithOccupancy(q: Queries, zone: ZoneRow): Promise<Zone> {
  const [shown] = await zonesWithOccupancy(q, [zone]);
  return shown ?? zoneFrom(zone, null);
}

/** Open visits in a zone; null: not known. */
export async function countedIn(q: Queries, zone: ZoneRow): Promise<number | null> {
  return occupancyOf(zone, await carsInside(q, zone.siteId), await listZones(q, zone.siteId));
}

/**
 * Counted by the lane of entry, as sites themselves do. A zone that names no lanes has what the others leave; of
 * several such the oldest, so that a new one takes nothing from it before it names its lanes.
 */
function occupancyOf(zone: ZoneRow, inside: readonly CarsOfLane[], zones: readonly ZoneRow[]): number | null {
  const lanes = lanesOf(zone);
  if (lanes.length > 0) return carsByLanes(inside, lanes);
  // Newest first.
  const oldest = zones.filter((other) => lanesOf(other).length === 0).at(-1);
  return oldest?.id === zone.id ? carsBeside(inside, zones.flatMap(lanesOf)) : null;
}
