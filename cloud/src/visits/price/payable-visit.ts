import { decideLeaving } from '@hlid/protocol/lane-facts';
import type { PayableVisit } from '@hlid/protocol/payment-order';
import { priceStay } from '@hlid/protocol/stay-price';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { visitStanding } from '@hlid/protocol/visit-due';
import type { Queries } from '../../db/db.ts';
import { gatherAtExit } from '../../lanes/gather-facts.ts';
import type { ChosenSite } from '../../sites/choose-site.ts';
import { siteVisit } from '../change/add-visit.ts';
import type { VisitRow } from '../list/visit-view.ts';
import { stayFacts } from './stay-facts.ts';

/** A visit with what its exit would ask for now, for whoever takes money for it. */
export async function payableVisit(
  q: Queries,
  row: VisitRow,
  site: ChosenSite,
  at: UtcTime,
): Promise<PayableVisit> {
  const visit = siteVisit(row);
  const seen = { plate: row.plate, score: 1 };
  const gathered = await gatherAtExit(q, site, seen, { visit: row, foundBy: 'equal' });
  const { listed: permits } = gathered;
  const facts = { ...(await stayFacts(q, row)), permits, timeZone: site.timeZone };
  return {
    visit,
    ...visitStanding(visit, () => decideLeaving(gathered, at)),
    product: priceStay(visit, at, facts)?.product ?? null,
    priceOf: (other) => priceStay(other, at, facts)?.price ?? null,
  };
}
