import { unitsDue } from '@hlid/protocol/price-line';
import type { Actor } from '../audit/audit.ts';
import type { Tx } from '../db/db.ts';
import { makeSettlement } from './make-settlement.ts';
import type { VisitRow } from './visit-view.ts';

/**
 * Before a visit that its site has settled by an invoice goes on: what the invoice asks for counts as met, so that it
 * is not charged once more. A visit settled otherwise stays as it is, its payments are counted already.
 */
export async function keepInvoiced(tx: Tx, actor: Actor, visit: VisitRow): Promise<VisitRow> {
  const { paymentStatus, price } = visit;
  const invoiced = paymentStatus === 'company-invoice' || paymentStatus === 'owner-invoice';
  const amountMinor = visit.amountMinor ?? 0;
  // What a person settled here has an amount of zero, and its units are met.
  if (!invoiced || price === null || amountMinor === 0) return visit;
  const units = unitsDue(price.lines);
  const { currency } = price;
  const settledAt = visit.endedAt ?? actor.at;
  const met = { paymentStatus, amountMinor, currency, units, settledAt };
  const { n } = await makeSettlement(tx, actor, visit, met);
  return {
    ...visit,
    unitsMet: visit.unitsMet + units,
    paidMinor: visit.paidMinor + (units === 0 ? amountMinor : 0),
    amountMinor: 0,
    paymentEditedAt: n,
  };
}
