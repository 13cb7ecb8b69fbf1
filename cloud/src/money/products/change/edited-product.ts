import { ProductConfigSchema } from '@hlid/protocol/tariff/product';
import { mergeSettings } from '../../../platform/http/merge-settings.ts';
import { omitUndefined } from '../../../platform/omit-undefined.ts';
import type { RefusedInput } from '../../../platform/refused.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';
import { type ProductEdit, ProductNameSchema } from '../product.ts';
import { checkedVat } from './checked-vat.ts';

/** A product after an edit; what the edit leaves out is as it was. */
export function editedProduct(
  before: ProductRow,
  { price, config, name, vatRate, vatCategory, vatReason, ...edit }: Omit<ProductEdit, 'validFrom'>,
): { ok: true; product: ProductRow } | RefusedInput {
  const configured = mergeSettings(ProductConfigSchema, before.config, config, 'config');
  const named = mergeSettings(ProductNameSchema, before.name, name, 'name');
  if (!configured.ok) return configured;
  if (!named.ok) return named;
  const vat = checkedVat({ vatRate, vatCategory, vatReason }, before);
  if (!vat.ok) return vat;
  const product = {
    ...before,
    ...omitUndefined(edit),
    ...vat.vat,
    priceMinor: price ?? before.priceMinor,
    config: configured.settings,
    name: named.settings,
  };
  return { ok: true, product };
}
