import { z } from 'zod';
import { CurrencySchema, PriceMinorSchema } from './money.ts';
import { WallTimeSchema } from './site-time.ts';
import { TariffSchema } from './tariff/tariff.ts';
import { VehicleCategorySchema } from './vehicle-category.ts';

export { type VehicleCategory, VehicleCategorySchema } from './vehicle-category.ts';

export const ProductTypeSchema = z.enum(['default', 'visit', 'quota']);

/** When a product's units count, by the wall clock of the site; `endTime` includes that minute. */
export const ProductConfigSchema = z
  .strictObject({
    startTime: WallTimeSchema.default('00:00'),
    endTime: WallTimeSchema.default('23:59'),
    /** Prices visits instead of units, which are then those of its day passes and quotas. */
    tariff: TariffSchema.optional(),
  })
  .meta({ id: 'ProductConfig' });

/** Value added tax in percent, contained in the price; two decimals at most. */
export const VatRateSchema = z.number().min(0).max(100).multipleOf(0.01);
/** The general rate of Iceland. */
export const USUAL_VAT_RATE = 24;

/** What is sold: so much for each started unit of 24 hours. The `default` product of a category prices its visits. */
export const ProductSchema = z
  .strictObject({
    id: z.string().min(1),
    type: ProductTypeSchema,
    /** Per unit. */
    priceMinor: PriceMinorSchema,
    currency: CurrencySchema,
    vatRate: VatRateSchema.default(USUAL_VAT_RATE),
    vehicleCategory: VehicleCategorySchema,
    category: z.string().nullable(),
    /** By language. */
    name: z.record(z.string().length(2), z.string()),
    productCode: z.string(),
    config: ProductConfigSchema,
    /** Counts up with every change, and is stored with each price made by it. */
    version: z.int().min(1),
  })
  .meta({ id: 'SiteProduct' });
export type Product = z.infer<typeof ProductSchema>;
