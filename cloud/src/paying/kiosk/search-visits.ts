import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { typedLength } from '@hlid/protocol/plate/plate';
import { carsInQuestion } from '@hlid/protocol/rules/doubtful-car';
import { visitStanding } from '@hlid/protocol/rules/visit-due';
import type { Price } from '@hlid/protocol/tariff/price-visit';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteName } from '../../records/sites/find-sites.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { carsInDoubt } from '../../sites/lanes/doubtful-cars.ts';
import { visitsWaitingNear } from '../../sites/lanes/waiting-cars.ts';
import { findEntryPhoto } from '../../stays/photos/find-photos.ts';
import { decideNow } from '../../stays/visits/price/decide-now.ts';
import type { FoundVisit } from './kiosk.ts';
import { visitsInsideLike } from './kiosk-store.ts';

/** The most searches of one kiosk in 15 minutes: some hundred drivers who find their car as they type. */
const SEARCHES = 600;

type Found = { ok: true; visits: FoundVisit[] } | { ok: false; retryAfterSeconds: number };

/** Counts a kiosk's searches for other people's cars. @returns the seconds to wait; null: none */
export async function countSearch(db: Db, tokenId: string, now: UtcTime): Promise<number | null> {
  const limits = [{ key: `kiosk-search ${tokenId}`, limit: SEARCHES }];
  return await db.write(({ q }) => countAttempt(q, limits, now));
}

/** The visits inside with a plate that begins like that, with only what a driver needs to recognize one. */
export async function searchVisits(db: Db, tokenId: string, plate: string, now: UtcTime): Promise<Found> {
  const wait = await countSearch(db, tokenId, now);
  if (wait !== null) return { ok: false, retryAfterSeconds: wait };
  const visits = await db.read(async (q) => {
    const found: FoundVisit[] = [];
    const begins = await visitsInsideLike(q, plate);
    const near = (await visitsWaitingNear(q, plate, now)).filter(
      ({ id }) => !begins.some((one) => one.id === id),
    );
    const like = [...begins, ...near];
    const doubtful = carsInQuestion(plate, await carsInDoubt(q, now), new Set(like.map(({ id }) => id)));
    const asked = new Set(doubtful.map(({ visitId }) => visitId));
    for (const visit of [...like, ...(await visitsById(q, [...asked], like))]) {
      const site = await siteOfVisit(q, visit);
      const price = await dueNow(q, visit, site, now);
      found.push({
        id: visit.id,
        plate: masked(visit.plate ?? '', typedLength(visit.plate ?? '', plate) ?? 0),
        startedOn: visit.startedAt,
        picture: await entryPicture(q, visit.entryReadId),
        site: { id: site.id, name: await siteName(q, site.id) },
        price: price && { amount: price.amountMinor, currency: price.currency },
        ...(asked.has(visit.id) && { doubtful: true as const }),
      });
    }
    return found;
  });
  return { ok: true, visits };
}

/** The visits with these ids that are not among the others. */
async function visitsById(
  q: Queries,
  ids: readonly string[],
  others: readonly VisitRow[],
): Promise<VisitRow[]> {
  const rows: VisitRow[] = [];
  for (const id of ids) {
    const row = others.some((other) => other.id === id) ? null : await findVisitRow(q, id, ALL_ROWS);
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** The amount the exit would charge: none for a car that turned round, is paid, is billed, or has an uncertain stay. */
async function dueNow(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  now: UtcTime,
): Promise<Pick<Price, 'amountMinor' | 'currency'> | null> {
  const decided = await decideNow(q, visit, site, now);
  const { demand } = visitStanding(visit, () => decided);
  return demand?.price ?? (decided.price && { ...decided.price, amountMinor: 0 });
}

async function entryPicture(q: Queries, photoId: string | null): Promise<string | null> {
  const entry = photoId === null ? null : await findEntryPhoto(q, photoId);
  return entry?.photo.url ? `/photo/${entry.photo.id}/picture` : null;
}

/** Masks a plate for a driver who does not know all of it. */
function masked(plate: string, known: number): string {
  return [...plate].map((character, index) => (index < known ? character : '•')).join('');
}
