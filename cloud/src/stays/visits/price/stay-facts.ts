import type { UtcTime } from '@hlid/protocol/base/utc-time';
import {
  type EarlierStay,
  earlierStaysSince,
  needsEarlierStays,
  needsVehicle,
  type StayFacts,
} from '@hlid/protocol/rules/stay-price';
import {
  pricingProduct,
  pricingProductThen,
  type SoldProducts,
} from '../../../money/products/pricing-product.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { and, asc, eq, gt, isNotNull, lt, ne } from '../../../platform/db/sql.ts';
import { ofSite } from '../../../platform/http/list-rows.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { pricedVehicle } from '../../../records/vehicles/priced-vehicle.ts';
import { visitTable as t, type VisitRow } from '../../../records/visits/visit-table.ts';

type StayRow = Pick<VisitRow, 'id' | 'siteId' | 'plate' | 'startedAt' | 'vehicleCategory'>;

/**
 * The facts besides the visit itself and its permits that determine its price, as its site knows them too.
 *
 * @param now the present moment: the product of then prices a stay too, where it is cheaper
 * @param sold the products that sites sell, if many visits are priced at once
 */
export async function stayFacts(
  q: Queries,
  visit: StayRow,
  site: ChosenSite,
  now: UtcTime,
  sold?: SoldProducts,
): Promise<Omit<StayFacts, 'permits' | 'timeZone'>> {
  const { vehicleCategory, startedAt } = visit;
  const present = await pricingProduct(q, site, vehicleCategory, now, sold);
  const atEntry = (await pricingProductThen(q, site, vehicleCategory, startedAt, sold)) ?? present;
  if (atEntry === null) return { products: null };
  return await factsUnder(q, visit, { atEntry, now: present });
}

/** The same where it is known which products price the visit. */
export async function factsUnder(
  q: Queries,
  visit: StayRow,
  products: NonNullable<StayFacts['products']>,
): Promise<Omit<StayFacts, 'permits' | 'timeZone'>> {
  const { plate } = visit;
  if (plate === null) return { products };
  return {
    products,
    ...(needsVehicle(products) && { vehicle: await pricedVehicle(q, plate) }),
    ...(needsEarlierStays(products) && { earlierStays: await earlierStays(q, visit, plate) }),
  };
}

/** The stays of a visit's plate at its site that began before it, and may count with it. */
async function earlierStays(
  q: Queries,
  { id, siteId, startedAt }: StayRow,
  plate: string,
): Promise<EarlierStay[]> {
  return await q
    .select({ startedAt: t.startedAt, endedAt: t.endedAt, paymentStatus: t.paymentStatus })
    .from(t)
    .where(
      and(
        eq(t.plate, plate),
        isNotNull(t.endedAt),
        gt(t.endedAt, earlierStaysSince(startedAt)),
        lt(t.startedAt, startedAt),
        // The plate leads.
        ofSite(t.siteId, siteId),
        ne(t.id, id),
      ),
    )
    .orderBy(asc(t.startedAt));
}
