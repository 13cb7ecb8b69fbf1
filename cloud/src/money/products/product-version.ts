import { LocalDaySchema } from '@hlid/protocol/base/site-time';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { vatOf } from '@hlid/protocol/base/vat';
import { z } from '@hono/zod-openapi';
import type { ProductRow, ProductVersionRow } from '../../records/products/product-table.ts';
import { ProductSchema } from './product.ts';
import { tariffHash } from './tariff-hash.ts';

const { price, currency, vatRate, vatCategory, vatReason, category, name, productCode, config, hash } =
  ProductSchema.shape;

/** A version of a product as the API shows it. */
export const ProductVersionSchema = z
  .strictObject({
    version: z.int(),
    state: z
      .enum(['past', 'present', 'planned', 'withdrawn'])
      .describe('`withdrawn`: it was planned, and taken back before it held.'),
    validFrom: LocalDaySchema.nullable().describe(
      'The first day on which it holds, by the calendar of each site; null: from the moment when it was saved.',
    ),
    heldOn: UtcTimeSchema.nullable().describe(
      'When it held at every site; at some it may have begun hours before, with its day. Null: it never did.',
    ),
    endedOn: UtcTimeSchema.nullable(),
    savedOn: UtcTimeSchema,
    savedBy: z.string().describe('The author, as in the audit log.'),
    savedByName: z.string().nullable(),
    withdrawnOn: UtcTimeSchema.nullable(),
    withdrawnBy: z.string().nullable(),
    withdrawnByName: z.string().nullable(),
    price,
    currency,
    vatRate,
    vatCategory,
    vatReason,
    category,
    name,
    productCode,
    config,
    hash,
  })
  .meta({ id: 'ProductVersion' });
export type ProductVersion = z.infer<typeof ProductVersionSchema>;

export function versionFrom(
  {
    version,
    product,
    since,
    until,
    validFrom,
    savedAt,
    savedBy,
    withdrawnAt,
    withdrawnBy,
  }: ProductVersionRow,
  { version: present }: Pick<ProductRow, 'version'>,
  names: ReadonlyMap<string, string>,
): ProductVersion {
  const { priceMinor, currency, vatRate, category, name, productCode, config } = product;
  const coming = withdrawnAt === null ? 'planned' : 'withdrawn';
  const held = version === present ? 'present' : 'past';
  return {
    version,
    state: since === null ? coming : held,
    validFrom,
    heldOn: since,
    endedOn: until,
    savedOn: savedAt,
    savedBy,
    savedByName: names.get(savedBy) ?? null,
    withdrawnOn: withdrawnAt,
    withdrawnBy,
    withdrawnByName: withdrawnBy === null ? null : (names.get(withdrawnBy) ?? null),
    price: priceMinor,
    currency,
    vatRate,
    vatCategory: vatOf(product).category,
    vatReason: product.vatReason ?? null,
    category,
    name,
    productCode,
    config,
    hash: tariffHash(product),
  };
}
