import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { priceToSettle, settlementInFull, unitsOwed } from '@hlid/protocol/rules/visit-settlement';
import { invoiceSettlement } from '../../../money/invoices/invoice-settlement.ts';
import type { Queries, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { siteVisit } from '../../../records/visits/site-visit.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { settleRow } from '../change/change-visit.ts';
import { lateFeeOf } from '../price/late-fee.ts';
import { priceNow } from '../price/price-now.ts';
import type { VisitEditPlan } from './plan-visit-edit.ts';

/** What a settlement of a visit in full is for now; null: it has no price. */
export async function owedToSettle(
  q: Queries,
  visit: VisitRow,
  site: ChosenSite,
  now: UtcTime,
): Promise<ReturnType<typeof priceToSettle>> {
  const priced = await priceNow(q, visit, site, now);
  return priceToSettle(siteVisit(visit), () => priced, now);
}

/**
 * Settles what a visit owes, in full, and notifies its site. A visit with a request for payment, or one that
 * has ended, owes its charged amount; an open one is priced now.
 * @returns the visit afterwards, as the site will have it too
 */
export async function settleVisit(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  {
    settle: paymentStatus,
    paidWith,
  }: Required<Pick<VisitEditPlan, 'settle'>> & Pick<VisitEditPlan, 'paidWith'>,
): Promise<VisitRow> {
  const price = await owedToSettle(tx.q, visit, site, actor.at);
  const met = {
    ...settlementInFull(paymentStatus, price, site.currency),
    ...(paidWith !== undefined && { paidWith }),
  };
  const fee =
    met.paymentStatus === 'void' || met.paymentStatus === 'whitelisted'
      ? null
      : await lateFeeOf(tx.q, visit, site, actor.at);
  const { row, settlement } = await settleRow(tx, actor, visit, site, met, price);
  await invoiceSettlement(
    tx,
    { ...visit, price },
    {
      ...met,
      cause: settlement.id,
      at: settlement.settledAt,
      units: price === null ? 0 : unitsOwed(price),
      ...(fee && { fees: [fee] }),
    },
  );
  return row;
}
