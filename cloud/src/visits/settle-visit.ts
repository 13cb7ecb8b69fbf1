import { unitsDue } from '@hlid/protocol/price-line';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { VisitPrice } from '@hlid/protocol/visit';
import { pricedAt } from '@hlid/protocol/visit-course';
import { moveVisit } from '@hlid/protocol/visit-state';
import type { Actor } from '../audit/audit.ts';
import type { Tx } from '../db/db.ts';
import { invoiceSettlement } from '../invoices/invoice-settlement.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import { makeSettlement } from './make-settlement.ts';
import type { VisitEditPlan } from './plan-visit-edit.ts';
import { priceNow } from './price-now.ts';
import { settingsFor } from './tariff-settings.ts';
import type { VisitRow } from './visit-view.ts';

/**
 * Settles what a visit owes, in full, and tells its site. A visit that has been asked to pay, or has ended, owes what
 * it was told; one that goes on is priced now.
 *
 * @param endedAt when it ended, where that is said only now
 * @returns the visit afterwards, as the site will have it too
 */
export async function settleVisit(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  paymentStatus: NonNullable<VisitEditPlan['settle']>,
  endedAt?: UtcTime,
): Promise<VisitRow> {
  const price = await priceToSettle(tx, actor, visit, site, endedAt);
  const amountMinor = price?.amountMinor ?? 0;
  const due = amountMinor === 0 || price === null ? 0 : unitsDue(price.lines);
  const voided = paymentStatus === 'void';
  const waived = voided || paymentStatus === 'whitelisted';
  // What is voided is not met: should the visit be opened again, it is due again.
  const units = voided ? 0 : due;
  const met = { paymentStatus, amountMinor, currency: price?.currency ?? site.currency };
  const { settlement, n } = await makeSettlement(tx, actor, visit, { ...met, units });
  await invoiceSettlement(
    tx,
    { ...visit, price },
    { ...met, cause: settlement.id, at: settlement.settledAt, units: due },
  );
  const graceMs = (await settingsFor(tx.q, site, price)).exitGraceMinutes * MINUTE_MS;
  const moved = moveVisit(visit.status, voided ? 'voided' : visit.endedAt === null ? 'paid' : 'left-settled');
  return {
    ...visit,
    status: moved.ok ? moved.status : visit.status,
    statusEditedAt: n,
    paymentStatus,
    unitsMet: visit.unitsMet + units,
    // What has no units is met in money.
    paidMinor: visit.paidMinor + (waived || units > 0 ? 0 : amountMinor),
    paidUntil: utcTime(millis(actor.at) + graceMs),
    amountMinor: price === null ? null : 0,
    currency: price === null ? null : price.currency,
    price: price && settledPrice(price, waived ? 'waived' : due > 0 ? 'units-met' : 'paid', amountMinor, due),
    paymentEditedAt: n,
    // What is waived needs no units.
    ...(waived && visit.quota !== null && { quota: { ...visit.quota, units: 0 } }),
    ...(voided && visit.endedAt === null ? { endedAt: actor.at, endedEditedAt: n } : {}),
  };
}

async function priceToSettle(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  endedAt: UtcTime = visit.endedAt ?? actor.at,
): Promise<VisitPrice | null> {
  const asked = visit.status === 'need-payment' || visit.endedAt !== null;
  // What it was told to pay was for the stay as it was known then.
  const told = asked && endedAt === (visit.endedAt ?? actor.at);
  if (told && visit.price !== null) {
    return { ...visit.price, amountMinor: visit.amountMinor ?? visit.price.amountMinor };
  }
  return pricedAt(await priceNow(tx.q, { ...visit, endedAt }, site, actor.at), actor.at);
}

function settledPrice(
  price: VisitPrice,
  rule: 'units-met' | 'waived' | 'paid',
  amountMinor: number,
  units: number,
): VisitPrice {
  if (amountMinor === 0) return price;
  const met = { rule, units: rule === 'paid' ? 1 : 0 - units, amountMinor: -amountMinor };
  return { ...price, amountMinor: 0, lines: [...price.lines, met] };
}
