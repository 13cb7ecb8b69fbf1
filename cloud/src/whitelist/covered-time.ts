import type { Period } from '@hlid/protocol/price-visit';
import { coveredPeriods } from '@hlid/protocol/whitelist';
import type { Queries } from '../db/db.ts';
import { permitOf } from './whitelist-entry.ts';
import { entriesAtSite } from './whitelist-store.ts';

/** The time of a stay that whitelist entries of exactly its plate cover. */
export async function coveredTime(
  q: Queries,
  stay: Period & { visitId: string; plate: string | null; siteId: string },
  timeZone: string,
): Promise<Period[]> {
  if (stay.plate === null) return [];
  const entries = await entriesAtSite(q, stay.plate, stay.siteId);
  return entries.flatMap((entry) => {
    const permit = permitOf(entry);
    return permit === null ? [] : coveredPeriods(permit, stay, timeZone);
  });
}
