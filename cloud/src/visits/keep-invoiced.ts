import { randomUUID } from 'node:crypto';
import { unitsDue } from '@hlid/protocol/price-line';
import type { Actor } from '../audit/audit.ts';
import { callerName } from '../auth/caller.ts';
import type { Tx } from '../db/db.ts';
import { publishChange } from '../feed/publish-change.ts';
import { insertSettlement } from './visit-store.ts';
import type { VisitRow } from './visit-view.ts';

/**
 * Before a visit that its site has settled by an invoice goes on: what the invoice asks for counts as met, so that it
 * is not charged once more. A visit settled otherwise stays as it is, its payments are counted already.
 */
export async function keepInvoiced(tx: Tx, actor: Actor, visit: VisitRow): Promise<VisitRow> {
  const { paymentStatus, price, siteId } = visit;
  const invoiced = paymentStatus === 'company-invoice' || paymentStatus === 'owner-invoice';
  const amountMinor = visit.amountMinor ?? 0;
  // What a person settled here has an amount of zero, and its units are met.
  if (!invoiced || price === null || amountMinor === 0) return visit;
  const units = unitsDue(price.lines);
  const settlement = {
    id: randomUUID(),
    visitId: visit.id,
    paymentStatus,
    amountMinor,
    currency: price.currency,
    units,
    settledAt: visit.endedAt ?? actor.at,
    by: callerName(actor.caller),
  };
  await insertSettlement(tx.q, { ...settlement, siteId });
  const change = { kind: 'settlement', op: 'put', id: settlement.id, item: settlement } as const;
  const n = await publishChange(tx, siteId, change);
  return {
    ...visit,
    unitsMet: visit.unitsMet + units,
    paidMinor: visit.paidMinor + (units === 0 ? amountMinor : 0),
    amountMinor: 0,
    paymentEditedAt: n,
  };
}
