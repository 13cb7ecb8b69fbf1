import { startOfLocalDay } from '../base/site-time.ts';
import type { UtcTime } from '../base/utc-time.ts';
import type { PlannedVersion, Product } from './product.ts';

/**
 * A product as it is at a moment at a site: with the newest of its planned versions whose day has begun there. A
 * planned version needs no step that puts it into force: each program with the list can compute it, also after a cut line and
 * at a restart (ADR 38).
 *
 * @param timeZone IANA zone of the site
 */
export function productAt({ planned, ...present }: Product, at: UtcTime, timeZone: string): Product {
  const newest = planned?.findLast((version) => holdsAt(version, at, timeZone));
  if (newest === undefined) return present;
  const { from: _, ...version } = newest;
  return { ...present, ...version };
}

/** Whether the day of a planned version has begun at a site. */
export function holdsAt({ from }: Pick<PlannedVersion, 'from'>, at: UtcTime, timeZone: string): boolean {
  return startOfLocalDay(from, timeZone) <= at;
}
