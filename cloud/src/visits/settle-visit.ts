import { randomUUID } from 'node:crypto';
import { MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import type { VisitPrice } from '@hlid/protocol/visit';
import { moveVisit } from '@hlid/protocol/visit-state';
import type { Actor } from '../audit/audit.ts';
import { callerName } from '../auth/caller.ts';
import type { Tx } from '../db/db.ts';
import { publishChange } from '../feed/publish-change.ts';
import type { ChosenSite } from '../sites/choose-site.ts';
import type { VisitEditPlan } from './plan-visit-edit.ts';
import { priceNow } from './price-now.ts';
import { insertSettlement } from './visit-store.ts';
import type { VisitRow } from './visit-view.ts';

/**
 * Settles what a visit owes, in full, and tells its site. A visit that has been asked to pay, or has ended, owes what
 * it was told; one that goes on is priced now.
 *
 * @returns the visit afterwards, as the site will have it too
 */
export async function settleVisit(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  paymentStatus: NonNullable<VisitEditPlan['settle']>,
): Promise<VisitRow> {
  const price = await priceToSettle(tx, actor, visit, site);
  const amountMinor = price?.amountMinor ?? 0;
  const unitsDue =
    amountMinor === 0 || price === null ? 0 : price.lines.reduce((sum, line) => sum + line.units, 0);
  const voided = paymentStatus === 'void';
  // What is voided is not met: should the visit be opened again, it is due again.
  const units = voided ? 0 : Math.max(0, unitsDue);
  const settlement = {
    id: randomUUID(),
    visitId: visit.id,
    paymentStatus,
    amountMinor,
    currency: price?.currency ?? site.currency,
    units,
    settledAt: actor.at,
    by: callerName(actor.caller),
  };
  await insertSettlement(tx.q, { ...settlement, siteId: visit.siteId });
  const n = await publishChange(tx, visit.siteId, {
    kind: 'settlement',
    op: 'put',
    id: settlement.id,
    item: settlement,
  });
  const graceMs = site.settings.exitGraceMinutes * MINUTE_MS;
  const moved = moveVisit(visit.status, voided ? 'voided' : visit.endedAt === null ? 'paid' : 'left-settled');
  return {
    ...visit,
    status: moved.ok ? moved.status : visit.status,
    statusEditedAt: n,
    paymentStatus,
    unitsMet: visit.unitsMet + units,
    paidUntil: utcTime(millis(actor.at) + graceMs),
    amountMinor: price === null ? null : 0,
    currency: price === null ? null : price.currency,
    price: price && settledPrice(price, amountMinor, unitsDue),
    paymentEditedAt: n,
    ...(voided && visit.endedAt === null ? { endedAt: actor.at, endedEditedAt: n } : {}),
  };
}

async function priceToSettle(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
): Promise<VisitPrice | null> {
  const told = visit.status === 'need-payment' || visit.endedAt !== null;
  if (told && visit.price !== null) {
    return { ...visit.price, amountMinor: visit.amountMinor ?? visit.price.amountMinor };
  }
  const priced = await priceNow(tx.q, visit, site, actor.at);
  if (priced === null) return null;
  const { units: _, ...price } = priced;
  return { ...price, pricedAt: actor.at };
}

function settledPrice(price: VisitPrice, amountMinor: number, units: number): VisitPrice {
  if (amountMinor === 0) return price;
  const met = { rule: 'units-met' as const, units: -units, amountMinor: -amountMinor };
  return { ...price, amountMinor: 0, lines: [...price.lines, met] };
}
