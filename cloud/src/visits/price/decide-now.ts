import { decideLeaving } from '@hlid/protocol/lane-facts';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Decided } from '@hlid/protocol/visit-transitions';
import type { Queries } from '../../db/db.ts';
import type { ChosenSite } from '../../sites/choose-site.ts';
import type { VisitRow } from '../record/visit-table.ts';
import { gatherAtExit } from './exit-facts.ts';

/** What the exit would decide, were the car there now and its plate read well. */
export async function decideNow(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  at: UtcTime,
): Promise<Decided> {
  const seen = { plate: visit.plate, score: 1 };
  return decideLeaving(await gatherAtExit(q, site, seen, { visit, foundBy: 'equal' }), at);
}
