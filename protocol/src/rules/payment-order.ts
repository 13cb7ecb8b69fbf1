import type { KioskFault } from '../pages/kiosk-api.ts';
import type { VehicleCategory } from '../plate/vehicle-category.ts';
import type { Visit } from '../records/visit.ts';
import { type PriceLine, unitsDue } from '../tariff/price-line.ts';
import type { Price } from '../tariff/price-visit.ts';
import { type PricedBy, type Product, pricedBy } from '../tariff/product.ts';
import type { VisitStanding } from './visit-due.ts';
import { unitsOwed } from './visit-settlement.ts';

/** A visit for which a driver asks to pay. */
export interface PayableVisit extends VisitStanding {
  visit: Visit;
  /** The product that prices it; null: there is no price. */
  product: Product | null;
  /** The price that it would owe now with these changes. */
  priceOf(visit: Visit): Price | null;
}

/** The content of a payment. */
export interface OrderBill {
  amountMinor: number;
  units: number;
  currency: string;
  /** The product that priced it. */
  product: PricedBy;
  lines: PriceLine[];
  inAdvance: boolean;
}

/** Why a payment is refused. */
export type OrderRefusal = Extract<
  KioskFault,
  'visit-ended' | 'payment-under-way' | 'nothing-due' | 'not-for-sale' | 'too-little'
>;

type Sold = Pick<
  Product,
  'id' | 'version' | 'vatRate' | 'type' | 'priceMinor' | 'currency' | 'vehicleCategory'
>;

/** The payment for the amount that a visit owes now, or why there is none. */
export function billDue(due: PayableVisit): OrderBill | OrderRefusal {
  const refusal = notNow(due);
  if (refusal !== null) return refusal;
  if (due.demand === null) return 'nothing-due';
  const { amountMinor, currency, product, lines } = due.demand.price;
  return { amountMinor, units: unitsDue(lines), currency, product, lines, inAdvance: false };
}

/** The payment for what a visit that has ended still owes, or why there is none. */
export function billEnded({ status, endedAt, price }: Visit): OrderBill | OrderRefusal {
  if (endedAt === null || status === 'completed' || price === null || price.amountMinor === 0) {
    return 'nothing-due';
  }
  const { amountMinor, currency, product, lines } = price;
  return { amountMinor, units: unitsOwed(price), currency, product, lines, inAdvance: false };
}

/** The units and money that had been met of a visit when a payment was ordered. */
export interface OrderedFor {
  inAdvance: boolean;
  unitsMet: number;
  paidMinor: number;
}

/**
 * A payment is still due if nothing was paid, waived or ended since it was ordered.
 *
 * @param visit undefined: it does not exist any more
 * @param amountMinor the payment's amount without its fees
 * @param owedMinor what the visit owes now
 */
export function isStillDue(
  visit: Pick<Visit, 'status' | 'endedAt' | 'unitsMet' | 'paidMinor'> | undefined,
  { amountMinor, ordered }: { amountMinor: number; ordered: OrderedFor },
  owedMinor: () => number,
): boolean {
  if (!visit || visit.status === 'completed') return false;
  if (visit.unitsMet !== ordered.unitsMet || visit.paidMinor !== ordered.paidMinor) return false;
  if (ordered.inAdvance) return visit.endedAt === null;
  return owedMinor() >= amountMinor;
}

/**
 * The payment for a number of days, or the reason why they are not sold. A paid visit may leave, so less than
 * the amount due now is refused, both in days and in money.
 *
 * @param sold the product to buy: the one that prices the visit, or another for its vehicle category
 * @param category the vehicle's category; null: unknown, which counts as light
 */
export function billDays(
  due: PayableVisit,
  days: number,
  sold: Sold | null,
  category: VehicleCategory | null,
): OrderBill | OrderRefusal {
  const refusal = notNow(due);
  if (refusal !== null) return refusal;
  if (sold === null || !sellsDays(sold) || !isForVehicle(sold, due.product, category)) {
    return 'not-for-sale';
  }
  const amountMinor = days * sold.priceMinor;
  const { demand, visit } = due;
  const after = { ...visit, unitsMet: visit.unitsMet + days, quota: demand?.quota ?? visit.quota };
  const rest = due.priceOf(after)?.amountMinor ?? 0;
  // The driver of a visit without a plate has not been asked to pay, and owes all the same.
  const owed = due.standing === 'need-plate' ? due.priceOf(visit) : (demand?.price ?? null);
  if (owed !== null && (rest > 0 || amountMinor < owed.amountMinor)) return 'too-little';
  return {
    amountMinor,
    units: days,
    currency: sold.currency,
    product: pricedBy(sold),
    inAdvance: true,
    lines: [{ rule: 'unit', units: days, unitMinor: sold.priceMinor, amountMinor }],
  };
}

/** Days can be bought with a `default` product; a `visit` product has one price for the whole visit. */
export function sellsDays({ type, priceMinor }: Pick<Product, 'type' | 'priceMinor'>): boolean {
  return type === 'default' && priceMinor > 0;
}

/** A heavy vehicle may be priced as a light one, and then pays as one. */
function isForVehicle(sold: Sold, pricing: Product | null, category: VehicleCategory | null): boolean {
  if (sold.id === pricing?.id) return true;
  const isLike = sold.vehicleCategory === (category ?? 'light');
  return isLike && (pricing === null || pricing.currency === sold.currency);
}

function notNow({ standing }: PayableVisit): OrderRefusal | null {
  if (standing === 'ended') return 'visit-ended';
  return standing === 'checking' ? 'payment-under-way' : null;
}
