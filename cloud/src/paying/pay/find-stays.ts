import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate, isLookalike, knownPlate, normalisePlate } from '@hlid/protocol/plate/plate';
import { carsInQuestion } from '@hlid/protocol/rules/doubtful-car';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gt, isNull, ne, or } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { type VisitRow, visitTable as v } from '../../records/visits/visit-table.ts';
import { carsInDoubt } from '../../sites/lanes/doubtful-cars.ts';
import { visitsWaitingNear } from '../../sites/lanes/waiting-cars.ts';
import { payableSince } from '../online-payments/order-payment.ts';

/** More stays of one plate are not shown. */
const MAX_STAYS = 5;
/** The most stays that are read of a key: some of its plates are not like the one that was typed. */
const MAX_WITH_KEY = 50;

/** A stay of the typed plate, or one that the exit keeps in doubt. */
export interface FoundStay {
  visit: VisitRow;
  /** The plate, with `•` where it differs from what was typed. */
  plate: string;
  match: 'equal' | 'similar';
  doubtful: boolean;
}

/** The stays at a site that a driver with that plate may want to pay. */
export async function findStays(
  q: Queries,
  site: ChosenSite,
  typed: string,
  now: UtcTime,
): Promise<FoundStay[]> {
  const plate = normalisePlate(typed);
  const since = payableSince(site, now);
  const ofSite = and(eq(v.siteId, site.id), eq(v.plateFolded, foldPlate(plate)));
  const unpaid = and(ne(v.status, 'completed'), gt(v.amountMinor, 0), gt(v.endedAt, since));
  const rows = await q
    .select()
    .from(v)
    .where(and(ofSite, or(isNull(v.endedAt), unpaid)))
    .orderBy(desc(v.startedAt))
    .limit(MAX_WITH_KEY);
  const alike = rows.filter((row) => row.plate !== null && isLookalike(row.plate, plate)).slice(0, MAX_STAYS);
  const near = (await visitsWaitingNear(q, plate, now)).filter(({ siteId }) => siteId === site.id);
  const found: FoundStay[] = [...alike, ...near].map((visit) => ({
    visit,
    plate: knownPlate(visit.plate ?? '', plate),
    match: visit.plate === plate ? 'equal' : 'similar',
    doubtful: false,
  }));
  const waiting = (await carsInDoubt(q, now)).filter(({ siteId }) => siteId === site.id);
  for (const { visitId } of carsInQuestion(plate, waiting, new Set(found.map(({ visit }) => visit.id)))) {
    const known = found.find(({ visit }) => visit.id === visitId);
    const visit = known ? null : await findVisitRow(q, visitId, ALL_ROWS);
    if (known) known.doubtful = true;
    if (visit)
      found.push({ visit, plate: knownPlate(visit.plate ?? '', plate), match: 'similar', doubtful: true });
  }
  return found;
}
