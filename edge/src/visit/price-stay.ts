import { type Period, type Price, priceVisit } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { coveredPeriods } from '@hlid/protocol/whitelist';
import type { SiteLists } from '../site-lists/site-lists.ts';

/**
 * What a visit owes if it ends at that moment, payments and its units of a quota taken off; null where the site has no
 * price.
 */
export function priceStay(visit: Visit, until: UtcTime, lists: SiteLists): Price | null {
  // The cloud tells of heavy vehicles; unknown counts as light.
  const category = visit.plate === null ? undefined : lists.vehicle(visit.plate)?.category;
  const product = lists.pricing(category ?? 'light');
  if (!product) return null;
  const { timeZone } = lists.site();
  const stay = { visitId: visit.id, from: visit.startedAt, to: until };
  return priceVisit({
    product,
    startedAt: visit.startedAt,
    until,
    timeZone,
    covered: coveredTime(visit.plate, stay, timeZone, lists),
    unitsMet: visit.unitsMet + (visit.quota?.units ?? 0),
  });
}

function coveredTime(
  plate: string | null,
  stay: Period & { visitId: string },
  timeZone: string,
  lists: SiteLists,
): Period[] {
  if (plate === null) return [];
  return lists
    .permitsLike(plate)
    .filter((permit) => permit.plate === plate)
    .flatMap((permit) => coveredPeriods(permit, stay, timeZone));
}
