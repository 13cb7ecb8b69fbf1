import { DAY_MS } from '../base/durations.ts';
import { millis, type UtcTime, utcTime } from '../base/utc-time.ts';
import type { SiteSettings } from '../records/lane.ts';
import type { Visit } from '../records/visit.ts';
import { coveredPeriods, type Permit } from '../records/whitelist.ts';
import type { PricedVehicle } from '../tariff/price-tariff.ts';
import {
  type Period,
  type Price,
  type PriceQuestion,
  priceAtExit,
  priceVisit,
} from '../tariff/price-visit.ts';
import type { Product } from '../tariff/product.ts';

/** The fields of a visit that determine its price. */
export type PricedVisit = Pick<Visit, 'id' | 'plate' | 'startedAt' | 'unitsMet' | 'paidMinor' | 'quota'> & {
  /** The permit that let it in, which may be one of a plate that only looks like its own. */
  permitId?: Visit['permitId'];
};

/** The other inputs of a price. Edge and cloud each read them from their own database. */
export interface StayFacts {
  /** IANA zone of the site. */
  timeZone: string;
  /** The product that priced this category when the visit began, and the one that prices it now (null: none); null: neither. */
  products: { atEntry: Product; now: Product | null } | null;
  /** The permits: at least all of exactly its plate, and of those like it. */
  permits: readonly Permit[];
  /** The vehicle, which only tariffs with classes need: see `needsVehicle`. */
  vehicle?: PricedVehicle;
  /** Other visits of its plate at the site. Only some tariffs need them: see `needsEarlierStays`. */
  earlierStays?: readonly EarlierStay[];
}

export type EarlierStay = Pick<Visit, 'startedAt' | 'endedAt' | 'paymentStatus'>;

export interface PricedStay {
  price: Price;
  product: Product;
}

/**
 * The amount that a visit owes if it ends at that moment, less payments and its units of a quota. It is priced by the
 * product that was valid when the visit began, or by the current one if that is cheaper. Null if there is no product.
 */
export function priceStay(visit: PricedVisit, until: UtcTime, facts: StayFacts): PricedStay | null {
  if (facts.products === null) return null;
  const { atEntry, now } = facts.products;
  const first = { product: atEntry, price: priceBy(atEntry, visit, until, facts) };
  if (now === null || (atEntry.id === now.id && atEntry.version === now.version)) return first;
  const second = { product: now, price: priceBy(now, visit, until, facts) };
  return isCheaper(second.price, first.price) ? second : first;
}

/**
 * The price of a stay by a product at its end, beside its permits and the units of its quota, before
 * payments: the amount that the exit asks for. Within the entry grace it is 0.
 *
 * @param graceMinutes the site's entry grace; a tariff may have its own
 */
export function costOfStay(
  product: Product,
  visit: PricedVisit,
  until: UtcTime,
  facts: Omit<StayFacts, 'products'>,
  graceMinutes: number,
): Price {
  return priceAtExit(
    questionOf(product, { ...visit, unitsMet: 0, paidMinor: 0 }, until, facts),
    graceMinutes,
  );
}

/** Amounts of two currencies are not compared. */
function isCheaper(one: Price, other: Price): boolean {
  return one.currency === other.currency && one.amountMinor < other.amountMinor;
}

function priceBy(product: Product, visit: PricedVisit, until: UtcTime, facts: StayFacts): Price {
  return priceVisit(questionOf(product, visit, until, facts));
}

function questionOf(
  product: Product,
  visit: PricedVisit,
  until: UtcTime,
  facts: Omit<StayFacts, 'products'>,
): PriceQuestion {
  const { startedAt, unitsMet, paidMinor, quota } = visit;
  const { timeZone, vehicle, earlierStays } = facts;
  return {
    product,
    startedAt,
    until,
    timeZone,
    unitsMet,
    paidMinor,
    covered: coveredTime(visit, until, facts),
    quotaUnits: quota?.units ?? 0,
    ...(vehicle && { vehicle }),
    ...(earlierStays && { earlierStays: staysBefore(startedAt, earlierStays) }),
  };
}

/** The time of a stay that is covered by permits of exactly its plate, and by the one that let it in. */
export function coveredTime(
  {
    id: visitId,
    plate,
    startedAt: from,
    permitId = null,
  }: Pick<PricedVisit, 'id' | 'plate' | 'startedAt' | 'permitId'>,
  until: UtcTime,
  { permits, timeZone }: Pick<StayFacts, 'permits' | 'timeZone'>,
): Period[] {
  return permits
    .filter((permit) => permit.plate === plate || permit.id === permitId)
    .flatMap((permit) => coveredPeriods(permit, { visitId, from, to: until }, timeZone));
}

/** The earlier stays that may count together with one that begins then. */
export function earlierStaysSince(startedAt: UtcTime): UtcTime {
  return utcTime(millis(startedAt) - DAY_MS);
}

/** The stays of a plate that count together with one that begins then. */
export function staysBefore(startedAt: UtcTime, others: readonly EarlierStay[]): Period[] {
  const since = earlierStaysSince(startedAt);
  return others.flatMap(({ startedAt: from, endedAt: to, paymentStatus }) =>
    to !== null && to > since && from < startedAt && paymentStatus !== 'void' ? [{ from, to }] : [],
  );
}

export function needsVehicle(products: StayFacts['products']): boolean {
  return tariffsOf(products).some(({ classes }) => classes.length > 0);
}

export function needsEarlierStays(products: StayFacts['products']): boolean {
  return tariffsOf(products).some(({ free }) => free !== undefined && free.per !== 'visit');
}

function tariffsOf(products: StayFacts['products']) {
  return products === null
    ? []
    : [products.atEntry, products.now].flatMap((product) => product?.config.tariff ?? []);
}

/** The settings of a site, with the grace times of the visit's tariff if it has its own. */
export function settingsUnder(settings: SiteSettings, product: Pick<Product, 'config'> | null): SiteSettings {
  const { entryGraceMinutes = settings.entryGraceMinutes, exitGraceMinutes = settings.exitGraceMinutes } =
    product?.config.tariff ?? {};
  return { ...settings, entryGraceMinutes, exitGraceMinutes };
}
