import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { atMostKeys, MAX_LANGUAGES } from '@hlid/protocol/base/json-bounds';
import { type Mistake, wrong } from '@hlid/protocol/base/mistakes/mistake';
import { REFUSALS_EN } from '@hlid/protocol/base/mistakes/refusals/refusals-en';
import { refusalLine } from '@hlid/protocol/base/mistakes/say-refusal';
import { CurrencySchema, PriceMinorSchema } from '@hlid/protocol/base/money';
import { LocalDaySchema } from '@hlid/protocol/base/site-time';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { vatOf } from '@hlid/protocol/base/vat';
import { VatCategorySchema, VatRateSchema, VatReasonSchema } from '@hlid/protocol/base/vat-schema';
import {
  type PlannedVersion,
  ProductConfigSchema,
  ProductTypeSchema,
  type Product as SiteProduct,
  VehicleCategorySchema,
} from '@hlid/protocol/tariff/product';
import { tariffWarnings } from '@hlid/protocol/tariff/tariff-warnings';
import { z } from '@hono/zod-openapi';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { MistakeSchema } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import type { ProductRow } from '../../records/products/product-table.ts';
import { PRODUCT_ACTION_NAMES, PRODUCT_ACTIONS, ProductActionsSchema } from './product-actions.ts';
import { tariffHash } from './tariff-hash.ts';

export const ProductNameSchema = z
  .record(z.string().regex(/^[a-z]{2}$/, wrong('language-form')), TypedTextSchema.max(200))
  .refine(...atMostKeys(MAX_LANGUAGES))
  .openapi({ maxProperties: MAX_LANGUAGES });

const fields = {
  /** `default` prices visits of its vehicle category. */
  type: ProductTypeSchema,
  /** The price of one unit of 24 hours, in the currency's minor unit. */
  price: PriceMinorSchema,
  currency: CurrencySchema,
  vatRate: VatRateSchema.describe(
    'Value added tax in percent, contained in the price: above 0 in category `S`, else 0.',
  ),
  vatCategory: VatCategorySchema.nullable().describe(
    'Null: not decided. Then the price has the VAT of its site (`settings.vat`). A rate above 0 alone is `S`.',
  ),
  vatReason: VatReasonSchema.nullable().describe(
    'Why there is no VAT, in the categories `E` and `O`: `parking-rental`, `not-registered`, or a text.',
  ),
  vehicleCategory: VehicleCategorySchema,
  category: TypedTextSchema.max(100).nullable(),
  /** The name by language of two letters. */
  name: ProductNameSchema,
  productCode: TypedTextSchema.min(1).max(100),
  config: ProductConfigSchema,
  /** Null: sold at every site. */
  siteId: IdSchema.nullable(),
};

const example = {
  type: 'default' as const,
  price: 500,
  currency: 'ISK',
  vatRate: 24,
  vatCategory: 'S' as const,
  vatReason: null,
  vehicleCategory: 'light' as const,
  category: null,
  name: { is: 'Bílastæði', en: 'Parking' },
  productCode: 'P-LIGHT',
  config: { startTime: '08:00', endTime: '17:59' },
  siteId: null,
};

export const NewProductSchema = z
  .strictObject({
    ...fields,
    currency: fields.currency.optional(),
    vatRate: fields.vatRate.optional().describe('Left out: 0.'),
    vatCategory: fields.vatCategory.optional(),
    vatReason: fields.vatReason.optional(),
    category: fields.category.optional(),
    name: fields.name.optional(),
    config: fields.config.optional(),
    siteId: fields.siteId.optional(),
  })
  .meta({ id: 'NewProduct', example });
export type NewProduct = z.infer<typeof NewProductSchema>;

/** When a change holds. */
const ValidFromSchema = LocalDaySchema.describe(
  'The first day on which the change holds, by the calendar of each site; it has not begun at any of them. Absent: now.',
);

export const ProductEditSchema = z
  .strictObject({
    ...fields,
    validFrom: ValidFromSchema,
    config: settingsEdit(ProductConfigSchema).meta({ id: 'ProductConfigEdit' }),
    name: z
      .record(fields.name.keyType, fields.name.valueType.nullable())
      .refine(...atMostKeys(MAX_LANGUAGES))
      .openapi({ maxProperties: MAX_LANGUAGES })
      .describe('Absent names are unchanged; null removes one.'),
  })
  .partial()
  .meta({ id: 'ProductEdit', example: { price: 600 } });
export type ProductEdit = z.infer<typeof ProductEditSchema>;

/** A product as the API shows it. */
export const ProductSchema = z
  .strictObject({
    id: z.string(),
    ...fields,
    /** Another one after each change; the numbers of versions that are planned are among them. */
    version: z.int(),
    hash: z
      .string()
      .describe('The digest of what decides its prices, as receipts name it beside the version.'),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
    planned: z
      .array(z.strictObject({ version: z.int(), validFrom: LocalDaySchema }))
      .describe('The versions that follow, in the order of their days.'),
    warnings: z
      .array(z.strictObject({ ...MistakeSchema.shape, message: z.string() }))
      .describe(
        'What may not be meant in its tariff, such as bands that overlap in part, or times between them.',
      ),
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof ProductSchema>;

export function productFrom(row: ProductRow): Product {
  const { priceMinor, createdAt, modifiedAt, deletedAt: _, planned, ...same } = row;
  const { tariff } = row.config;
  const warnings = tariff === undefined ? [] : tariffWarnings(tariff).map(placedWarning);
  return {
    ...same,
    planned: planned.map(({ version, from }) => ({ version, validFrom: from })),
    vatCategory: vatOf(row).category,
    price: priceMinor,
    createdOn: createdAt,
    modifiedOn: modifiedAt,
    hash: tariffHash(row),
    warnings,
  };
}

function placedWarning({ code, path, params }: Mistake): Product['warnings'][number] {
  const placed = { code, path: ['config', 'tariff', ...path], params };
  return { ...placed, message: refusalLine(placed, REFUSALS_EN) };
}

/** A product with one of its planned versions in place of the present one. */
export function withVersion(product: ProductRow, { from: _, ...version }: PlannedVersion): ProductRow {
  const { vatCategory = null, vatReason = null } = version;
  return { ...product, ...version, vatCategory, vatReason };
}

/** A product as sites hold it. */
export function siteProduct(row: ProductRow): SiteProduct {
  const { siteId, planned, vatCategory, vatReason, ...rest } = row;
  const { createdAt: _created, modifiedAt: _modified, deletedAt: _deleted, ...item } = rest;
  return {
    ...item,
    ...(vatCategory !== null && { vatCategory }),
    ...(vatReason !== null && { vatReason }),
    ...(siteId !== null && { siteId }),
    ...(planned.length > 0 && { planned }),
  };
}

/** A product on its own, with what its reader can do with it. */
export const ShownProductSchema = z
  .strictObject({ ...ProductSchema.shape, actions: ProductActionsSchema })
  .meta({ id: 'ProductWithActions' });

export type ShownProduct = z.infer<typeof ShownProductSchema>;

export function shownProduct(row: ProductRow, caller: Caller): ShownProduct {
  const { siteId } = row;
  return {
    ...productFrom(row),
    actions: actionsFor(PRODUCT_ACTION_NAMES, PRODUCT_ACTIONS, caller, { siteId }, {}),
  };
}
