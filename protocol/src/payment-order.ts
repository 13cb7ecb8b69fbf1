import type { KioskFault } from './kiosk-api.ts';
import type { PriceLine } from './price-line.ts';
import type { Price } from './price-visit.ts';
import type { Product } from './product.ts';
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
  lines: PriceLine[];
  inAdvance: boolean;
}

/** Why nothing is taken for it. */
export type OrderRefusal = Extract<
  KioskFault,
  'visit-ended' | 'payment-under-way' | 'nothing-due' | 'not-for-sale' | 'too-little'
>;

type Sold = Pick<Product, 'id' | 'priceMinor' | 'currency' | 'vehicleCategory'>;

/** What is to be paid for what a visit owes now, or why nothing is. */
export function billDue(due: PayableVisit): OrderBill | OrderRefusal {
  const refusal = notNow(due);
  if (refusal !== null) return refusal;
  if (due.demand === null || due.product === null) return 'nothing-due';
  const { price, quota } = due.demand;
  // By a tariff money counts, and a day that has begun is not a day paid for.
  const isTariff = due.product.config.tariff !== undefined;
  const units = isTariff ? 0 : price.units - due.visit.unitsMet - (quota?.units ?? 0);
  return { amountMinor: price.amountMinor, units, lines: price.lines, inAdvance: false };
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
  if (sold === null || sold.priceMinor === 0 || !isForVehicle(sold, due.product, category)) {
    return 'not-for-sale';
  }
  const amountMinor = days * sold.priceMinor;
  const { demand, visit } = due;
  const after = { ...visit, unitsMet: visit.unitsMet + days, quota: demand?.quota ?? visit.quota };
  const rest = due.priceOf(after)?.amountMinor ?? 0;
  // Whose plate is not known has not been asked, and owes all the same.
  const owed = due.standing === 'need-plate' ? due.priceOf(visit) : (demand?.price ?? null);
  if (owed !== null && owed.amountMinor > 0 && (rest > 0 || amountMinor < owed.amountMinor)) {
    return 'too-little';
  }
  return { amountMinor, units: days, lines: [{ rule: 'unit', units: days, amountMinor }], inAdvance: true };
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
