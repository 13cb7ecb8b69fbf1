import { CurrencySchema } from '@hlid/protocol/base/money';
import { readYaml } from '@hlid/protocol/command-line/read-yaml';
import { type VehicleCategory, VehicleCategorySchema } from '@hlid/protocol/plate/vehicle-category';
import { type Product, ProductConfigSchema, ProductTypeSchema } from '@hlid/protocol/tariff/product';
import { TariffSchema } from '@hlid/protocol/tariff/tariff';
import { z } from '@hono/zod-openapi';

const AmountSchema = z.int().min(0);
/** The currency of a product if neither it nor its site names one. */
const USUAL_CURRENCY = 'ISK';

/** A product as the API shows it or as sites hold it, of which only what prices a stay must be there. */
const PricedSchema = z
  .looseObject({
    id: z.string().default('product'),
    /** The type of the product; visits are priced by default products alone. */
    type: ProductTypeSchema.default('default'),
    price: z
      .union(
        [AmountSchema, z.looseObject({ amount: AmountSchema, currency: CurrencySchema.optional() })],
        'a whole number in minor units, or {amount, currency}',
      )
      .optional(),
    priceMinor: AmountSchema.optional(),
    currency: CurrencySchema.optional(),
    vehicleCategory: VehicleCategorySchema.nullish(),
    config: ProductConfigSchema.nullish(),
    /** A tariff without the product around it, as the pages about tariffs print it. */
    tariff: TariffSchema.optional(),
    version: z.int().default(1),
  })
  .transform(
    ({ id, type, price, priceMinor, currency, vehicleCategory, version, ...how }, context): Product => {
      const given = how.config ?? ProductConfigSchema.parse({});
      const config = how.tariff === undefined ? given : { ...given, tariff: how.tariff };
      const amount = priceMinor ?? (typeof price === 'object' ? price.amount : price);
      const unit = currency ?? (typeof price === 'object' ? price.currency : undefined) ?? USUAL_CURRENCY;
      if (amount === undefined && !config.tariff) {
        context.addIssue({
          code: 'custom',
          path: ['price'],
          message: 'the price of a unit of 24 hours, in minor units; a tariff stands under config.tariff',
        });
      }
      return {
        id,
        vehicleCategory: vehicleCategory ?? 'light',
        config,
        version,
        type,
        vatRate: 0,
        category: null,
        name: {},
        productCode: '',
        priceMinor: amount ?? 0,
        currency: unit,
      };
    },
  );

/**
 * Reads a file with one product, or with a product for each vehicle category; JSON or YAML.
 *
 * @returns the product that prices a category: its own, or the one for light vehicles, or the first
 */
export function readProducts(
  text: string,
): { ok: true; pricing: (category: VehicleCategory) => Product } | { ok: false; mistakes: string[] } {
  const read = readFile(text);
  if (!read.ok) return read;
  const defaults = read.value.filter(({ type }) => type === 'default');
  const products = defaults.length > 0 ? defaults : read.value;
  return { ok: true, pricing: (category) => of(category) ?? of('light') ?? first() };

  function of(category: VehicleCategory): Product | undefined {
    return products.find(({ vehicleCategory }) => vehicleCategory === category);
  }

  function first(): Product {
    const [product] = products;
    if (!product) throw new RangeError('a file of products has one at least');
    return product;
  }
}

type Read = { ok: true; value: readonly Product[] } | { ok: false; mistakes: string[] };

/** One product, a list of them, or a list as the API answers it. */
function readFile(text: string): Read {
  const file = readYaml(text, z.unknown());
  if (!file.ok) return file;
  const { value } = file;
  if (Array.isArray(value)) return readYaml(text, z.array(PricedSchema).min(1));
  if (typeof value === 'object' && value !== null && 'data' in value) {
    return readYaml(
      text,
      z.looseObject({ data: z.array(PricedSchema).min(1) }).transform(({ data }) => data),
    );
  }
  return readYaml(
    text,
    PricedSchema.transform((product) => [product]),
  );
}
