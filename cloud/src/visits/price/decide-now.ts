import { decideLeaving } from '@hlid/protocol/lane-facts';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Decided } from '@hlid/protocol/visit-transitions';
import type { Queries } from '../../db/db.ts';
import { gatherAtExit } from '../../lanes/gather-facts.ts';
import type { ChosenSite } from '../../sites/choose-site.ts';
import type { VisitRow } from '../list/visit-view.ts';

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
