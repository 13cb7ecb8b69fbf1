import { foldPlate } from '@hlid/protocol/plate';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { countAttempt } from '../auth/attempt-limit.ts';
import type { Db } from '../db/db.ts';
import { priceNow } from '../visits/price-now.ts';
import { siteName } from '../visits/receipt-store.ts';
import { siteOfVisit } from '../visits/site-of-visit.ts';
import type { FoundVisit } from './kiosk.ts';
import { visitsInsideLike } from './kiosk-store.ts';

/** Of one kiosk in 15 minutes: some hundred drivers who find their car as they type. */
const SEARCHES = 600;

type Found = { ok: true; visits: FoundVisit[] } | { ok: false; retryAfterSeconds: number };

/** The visits inside whose plate begins like that, with as little of each as a driver needs to know it by. */
export async function searchVisits(db: Db, tokenId: string, plate: string, now: UtcTime): Promise<Found> {
  const limits = [{ key: `kiosk-search ${tokenId}`, limit: SEARCHES }];
  const wait = await db.write(({ q }) => countAttempt(q, limits, now));
  if (wait !== null) return { ok: false, retryAfterSeconds: wait };
  const visits = await db.read(async (q) => {
    const found: FoundVisit[] = [];
    for (const visit of await visitsInsideLike(q, foldPlate(plate))) {
      const site = await siteOfVisit(q, visit);
      const price = await priceNow(q, visit, site, now);
      found.push({
        id: visit.id,
        plate: masked(visit.plate ?? '', plate.length),
        startedOn: visit.startedAt,
        site: { id: site.id, name: await siteName(q, site.id) },
        price: price && { amount: price.amountMinor, currency: price.currency },
      });
    }
    return found;
  });
  return { ok: true, visits };
}

/** Who does not know a plate does not learn it here. */
function masked(plate: string, known: number): string {
  return [...plate].map((character, index) => (index < known ? character : '•')).join('');
}
