import { z } from 'zod';
import { MINUTE_MS } from '../base/durations.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';
import type { PaymentStatus, Visit, VisitPrice } from '../records/visit.ts';
import type { SettlementItem } from '../site-link/site-change.ts';
import { type PriceLine, unitsDue } from '../tariff/price-line.ts';
import type { Price } from '../tariff/price-visit.ts';
import { pricedAt, releaseQuota, statusAfter } from './visit-transitions.ts';

/** The last digits of a UUID, without its version and variant. */
const NODE_DIGITS = 12;
const NODE_MASK = 0xffffffffffffn;
const UuidSchema = z.uuid();

type Met = Pick<SettlementItem, 'paymentStatus' | 'amountMinor' | 'currency' | 'units'>;

/**
 * The price that a settlement covers. A visit with a request for payment, or one that has ended, owes the requested
 * amount; an open visit owes its price now.
 *
 * @param price the price now, or at its end
 */
export function priceToSettle(visit: Visit, price: () => Price | null, at: UtcTime): VisitPrice | null {
  const asked = visit.status === 'need-payment' || visit.endedAt !== null;
  return asked && visit.price !== null ? visit.price : pricedAt(price(), at);
}

/** Makes a settlement of the whole amount due. */
export function settlementInFull(
  paymentStatus: PaymentStatus,
  price: VisitPrice | null,
  currency: string,
): Met {
  const amountMinor = price?.amountMinor ?? 0;
  // A voided amount is not paid: if the visit is reopened, it is due again.
  const units = price === null || paymentStatus === 'void' ? 0 : unitsOwed(price);
  return { paymentStatus, amountMinor, currency: price?.currency ?? currency, units };
}

/** Units of 24 hours that are still due. */
export function unitsOwed({ amountMinor, lines }: Pick<VisitPrice, 'amountMinor' | 'lines'>): number {
  return amountMinor === 0 ? 0 : unitsDue(lines);
}

/**
 * Applies a settlement of the whole amount or a part of it. A negative settlement reverses an earlier one.
 *
 * @param price what it was for: see `priceToSettle`
 */
export function settledVisit(
  visit: Visit,
  settlement: Met,
  { price, at, exitGraceMinutes }: { price: VisitPrice | null; at: UtcTime; exitGraceMinutes: number },
): Visit {
  const { paymentStatus, amountMinor, units } = settlement;
  if (amountMinor < 0 || units < 0) return visitGivenBack(visit, settlement);
  const voided = paymentStatus === 'void';
  const move = voided ? 'voided' : visit.endedAt === null ? 'paid' : 'left-settled';
  return {
    ...visit,
    paymentStatus,
    unitsMet: visit.unitsMet + units,
    // Amounts of two currencies are never added or subtracted.
    paidMinor: visit.paidMinor + (isOf(price, settlement) ? paidInMoney(settlement) : 0),
    paidUntil: utcTime(millis(at) + exitGraceMinutes * MINUTE_MS),
    status: statusAfter(visit, move),
    endedAt: voided ? (visit.endedAt ?? at) : visit.endedAt,
    price: price && priceAfter(price, settlement),
    quota: isWaiver(settlement) ? releaseQuota(visit.quota) : visit.quota,
  };
}

/**
 * The id of the settlement that reverses another one, for example by a refund. It is derived, so the reversal happens
 * once, by either of them. Null: the other id has another form.
 */
export function refundId(settlementId: string): string | null {
  const parsed = UuidSchema.safeParse(settlementId);
  if (!parsed.success) return null;
  const end = BigInt(`0x${parsed.data.slice(-NODE_DIGITS)}`) ^ NODE_MASK;
  return `${parsed.data.slice(0, -NODE_DIGITS)}${end.toString(16).padStart(NODE_DIGITS, '0')}`;
}

/** The settlement that reverses a payment. */
export function reversalItem(
  paid: Pick<SettlementItem, 'paymentStatus' | 'amountMinor' | 'currency' | 'units'>,
): Met {
  const { paymentStatus, amountMinor, currency, units } = paid;
  const back = units > 0 ? { units: -units, amountMinor: 0 } : { units: 0, amountMinor: -amountMinor };
  return { paymentStatus, currency, ...back };
}

function isOf(price: VisitPrice | null, { currency }: Met): boolean {
  return price === null || price.currency === currency;
}

/** Payments for units are counted in units. */
export function paidInMoney({ paymentStatus, units, amountMinor }: Met): number {
  const met = paymentStatus === 'kiosk' || paymentStatus.endsWith('-invoice');
  return met && units === 0 ? amountMinor : 0;
}

/** A visit that is still inside cannot leave on a reversed settlement. */
function visitGivenBack(visit: Visit, settlement: Met): Visit {
  const unitsMet = Math.max(0, visit.unitsMet + settlement.units);
  const paidMinor = Math.max(0, visit.paidMinor + paidInMoney(settlement));
  const back = { ...visit, unitsMet, paidMinor };
  if (visit.endedAt !== null) return back;
  const isPaid = unitsMet > 0 || paidMinor > 0;
  return { ...back, paidUntil: null, price: null, paymentStatus: isPaid ? visit.paymentStatus : null };
}

/** The rest of an amount due: nothing if it was waived, else the unpaid part. */
function priceAfter(price: VisitPrice, settlement: Met): VisitPrice {
  const { amountMinor } = price;
  if (!isWaiver(settlement) && !isOf(price, settlement)) return price;
  const met = isWaiver(settlement) ? amountMinor : Math.min(amountMinor, settlement.amountMinor);
  if (met === 0) return price;
  return {
    ...price,
    amountMinor: amountMinor - met,
    lines: [...price.lines, metLine(price, settlement, met)],
  };
}

function metLine(price: VisitPrice, settlement: Met, metMinor: number): PriceLine {
  const owed = unitsOwed(price);
  if (isWaiver(settlement)) return { rule: 'waived', units: -owed, amountMinor: -metMinor };
  if (settlement.units === 0) return { rule: 'paid', units: 1, amountMinor: -metMinor };
  return { rule: 'units-met', units: -Math.min(owed, settlement.units), amountMinor: -metMinor };
}

function isWaiver({ paymentStatus }: Met): boolean {
  return paymentStatus === 'void' || paymentStatus === 'whitelisted';
}
