import { z } from 'zod';
import { CurrencySchema, PriceMinorSchema } from '../base/money.ts';
import { LocalDaySchema, WallTimeSchema } from '../base/site-time.ts';
import { vatOf, vatTerms } from '../base/vat.ts';
import { VAT_TERMS_SHAPE, VatCategorySchema, VatRateSchema, VatReasonSchema } from '../base/vat-schema.ts';
import { VehicleCategorySchema } from '../plate/vehicle-category.ts';
import { TariffSchema } from './tariff.ts';

export { type VehicleCategory, VehicleCategorySchema } from '../plate/vehicle-category.ts';

export const ProductTypeSchema = z.enum(['default', 'visit', 'quota']);

/** When a product's units count, by the wall clock of the site; `endTime` includes that minute. */
export const ProductConfigSchema = z
  .strictObject({
    startTime: WallTimeSchema.default('00:00'),
    endTime: WallTimeSchema.default('23:59'),
    tariff: TariffSchema.optional(),
  })
  .meta({
    id: 'ProductConfig',
    description:
      "The hours in which units are charged, by the site's wall clock; `endTime` includes that minute. " +
      'With a `tariff`, the tariff prices visits, and the units are those of day passes and quotas.',
  });

/**
 * The settings of a version of a product. The other fields say where and to whom it is sold, and hold for all
 * versions.
 */
const versionFields = {
  priceMinor: PriceMinorSchema.describe('Per unit.'),
  vatRate: VatRateSchema.default(0),
  vatCategory: VatCategorySchema.nullish().describe(
    'Null or absent: `S` where the rate is above 0, else what the site says, and not decided where it says nothing.',
  ),
  vatReason: VatReasonSchema.nullish().describe('Why there is no VAT, in the categories `E` and `O`.'),
  category: z.string().nullable(),
  name: z.record(z.string().length(2), z.string()).describe('The name by language.'),
  productCode: z.string(),
  config: ProductConfigSchema,
  version: z
    .int()
    .min(1)
    .describe('Every change has another number; stored with each price that was computed with it.'),
};

/** A version that a product gets on a later day. */
export const PlannedVersionSchema = z
  .strictObject({
    ...versionFields,
    from: LocalDaySchema.describe(
      'The first day on which it holds, from midnight by the clock of each site.',
    ),
  })
  .meta({ id: 'PlannedVersion' });
export type PlannedVersion = z.infer<typeof PlannedVersionSchema>;

/**
 * A product that is sold. A `default` product prices visits by started units of 24 hours, a `visit` product
 * asks one price for a whole stay; with a tariff, both price by it. A `quota` product is sold in advance.
 */
export const ProductSchema = z
  .strictObject({
    id: z.string().min(1),
    ...versionFields,
    type: ProductTypeSchema,
    currency: CurrencySchema,
    vehicleCategory: VehicleCategorySchema,
    siteId: z
      .string()
      .optional()
      .describe('The only site that sells it; absent: every site with its currency.'),
    planned: z
      .array(PlannedVersionSchema)
      .optional()
      .describe('Versions that follow, in the order of their days; absent: none. See `productAt`.'),
  })
  .meta({ id: 'SiteProduct' });
export type Product = z.infer<typeof ProductSchema>;

/** The version of a product that made a price, with its VAT: what follows from the price takes both from here. */
export const PricedBySchema = z.strictObject({
  id: z.string(),
  version: z.int(),
  ...VAT_TERMS_SHAPE,
});
export type PricedBy = z.infer<typeof PricedBySchema>;

export function pricedBy({
  id,
  version,
  ...vat
}: Pick<Product, 'id' | 'version' | 'vatRate' | 'vatCategory' | 'vatReason'>): PricedBy {
  return { id, version, ...vatTerms(vatOf(vat)) };
}

type Pricing = Pick<Product, 'type' | 'vehicleCategory' | 'currency'> & {
  siteId?: string | null | undefined;
};

/**
 * The product that prices visits of a category at a site, of those that are sold there. Only products in the site's
 * currency count. Heavy vehicles are priced as light ones where nothing prices heavy ones. The site's own products come
 * before those of all sites, and `visit` products before `default` ones.
 */
export function pricingProduct<P extends Pricing>(
  products: readonly P[],
  category: Product['vehicleCategory'],
  currency: string,
): P | undefined {
  const rank = ({ siteId = null, type }: P) => (siteId === null ? 2 : 0) + (type === 'visit' ? 0 : 1);
  const pricing = products.filter((product) => product.type !== 'quota' && product.currency === currency);
  const best = (wanted: Product['vehicleCategory']) =>
    pricing
      .filter(({ vehicleCategory }) => vehicleCategory === wanted)
      .reduce<P | undefined>(
        (known, other) => (known && rank(known) <= rank(other) ? known : other),
        undefined,
      );
  return best(category) ?? (category === 'heavy' ? best('light') : undefined);
}
