import { unitsDue } from '@hlid/protocol/tariff/price-line';
import type { Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { settleRow } from '../change/change-visit.ts';

/**
 * Counts the amount of an invoice as met, before a visit that its site has settled by the invoice goes on, so
 * that it is not charged once more. A visit settled otherwise stays as it is, since its payments are counted
 * already.
 */
export async function creditInvoiced(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
): Promise<VisitRow> {
  const { price, paymentStatus } = siteVisit(visit);
  const invoiced = paymentStatus === 'company-invoice' || paymentStatus === 'owner-invoice';
  // A settlement by a person here has an amount of zero, and its units are met.
  if (!invoiced || price === null || price.amountMinor === 0) return visit;
  const { amountMinor, currency } = price;
  const settledAt = visit.endedAt ?? actor.at;
  const met = { paymentStatus, amountMinor, currency, units: unitsDue(price.lines), settledAt };
  return (await settleRow(tx, actor, visit, site, met, price)).row;
}
