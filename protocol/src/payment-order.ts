import type { KioskFault } from './kiosk-api.ts';
import { type PriceLine, unitsDue } from './price-line.ts';
import type { Price } from './price-visit.ts';
import { type PricedBy, type Product, pricedBy } from './product.ts';
import type { VehicleCategory } from './vehicle-category.ts';
import type { Visit } from './visit.ts';
import type { VisitStanding } from './visit-due.ts';

/** A visit for which somebody wants to pay. */
export interface PayableVisit extends VisitStanding {
  visit: Visit;
  /** By which it is priced; null: there is no price. */
  product: Product | null;
  /** What it would owe now if it were so. */
  priceOf(visit: Visit): Price | null;
}

/** What a payment comes to. */
export interface OrderBill {
  amountMinor: number;
  units: number;
  currency: string;
  /** What priced it. */
  product: PricedBy;
  lines: PriceLine[];
  inAdvance: boolean;
}

/** Why nothing is taken for it. */
export type OrderRefusal = Extract<
  KioskFault,
  'visit-ended' | 'payment-under-way' | 'nothing-due' | 'not-for-sale' | 'too-little'
>;

type Sold = Pick<
  Product,
  'id' | 'version' | 'vatRate' | 'type' | 'priceMinor' | 'currency' | 'vehicleCategory'
>;

/** What is to be paid for what a visit owes now, or why nothing is. */
export function billDue(due: PayableVisit): OrderBill | OrderRefusal {
  const refusal = notNow(due);
  if (refusal !== null) return refusal;
  if (due.demand === null) return 'nothing-due';
  const { amountMinor, currency, product, lines } = due.demand.price;
  return { amountMinor, units: unitsDue(lines), currency, product, lines, inAdvance: false };
}

/**
 * What is to be paid for so many days, or why they are not sold. Whoever has paid may leave: less than what is due now
 * is not taken, neither in days nor in money.
 *
 * @param sold by which they are paid: the one that prices the visit, or another for vehicles like it
 * @param category of the vehicle; null: not known, and so light
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
  // Whose plate is not known has not been asked, and owes all the same.
  const owed = due.standing === 'need-plate' ? due.priceOf(visit) : (demand?.price ?? null);
  if (owed !== null && (rest > 0 || amountMinor < owed.amountMinor)) return 'too-little';
  return {
    ...{ amountMinor, units: days, currency: sold.currency, product: pricedBy(sold), inAdvance: true },
    lines: [{ rule: 'unit', units: days, amountMinor }],
  };
}

/** Days can be bought of a `default` product: a `visit` product has one price for all of them. */
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
