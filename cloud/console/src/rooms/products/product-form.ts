import type { Product } from '@hlid/cloud/money/products/product';
import { amountText, parseAmount } from '../../ui/amount.ts';
import { readVat, type TypedVat } from '../../ui/vat-fields.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { PRODUCT } from './product-words.ts';
import { isComplete } from './tariff/tariff-draft.ts';

/** A product as it stands in the form: everything as it was typed. */
export interface ProductForm {
  nameIs: string;
  nameEn: string;
  productCode: string;
  type: Product['type'];
  vehicleCategory: Product['vehicleCategory'];
  category: string;
  price: string;
  currency: string;
  vatCategory: TypedVat['category'];
  /** 0: not typed yet. */
  vatRate: number;
  vatReason: string;
  startTime: string;
  endTime: string;
  siteId: string;
  tariff: string;
}

export const NEW_PRODUCT: ProductForm = {
  nameIs: '',
  nameEn: '',
  productCode: '',
  type: 'default',
  vehicleCategory: 'light',
  category: '',
  price: '',
  currency: 'ISK',
  // An accountant decides: no answer stands there before one is chosen.
  vatCategory: '',
  vatRate: 0,
  vatReason: '',
  startTime: '00:00',
  endTime: '23:59',
  siteId: '',
  tariff: '',
};

export function formOf(product: Product): ProductForm {
  const { name, config, price, currency, siteId, category } = product;
  const { productCode, type, vehicleCategory, vatRate, vatCategory, vatReason } = product;
  return {
    nameIs: name['is'] ?? '',
    nameEn: name['en'] ?? '',
    productCode,
    type,
    vehicleCategory,
    category: category ?? '',
    price: amountText(price, currency, LANGUAGE),
    currency,
    vatCategory: vatCategory ?? '',
    vatRate,
    vatReason: vatReason ?? '',
    startTime: config.startTime,
    endTime: config.endTime,
    siteId: siteId ?? '',
    tariff: config.tariff === undefined ? '' : JSON.stringify(config.tariff, null, 2),
  };
}

export type ReadTariff =
  | { ok: true; tariff: Record<string, unknown> | null }
  | { ok: false; mistake: string };

export function readTariff(text: string): ReadTariff {
  if (text.trim() === '') return { ok: true, tariff: null };
  try {
    const tariff: unknown = JSON.parse(text);
    if (typeof tariff !== 'object' || tariff === null || Array.isArray(tariff)) {
      return { ok: false, mistake: PRODUCT.notObject };
    }
    return { ok: true, tariff: { ...tariff } };
  } catch (error) {
    return { ok: false, mistake: PRODUCT.notJson({ reason: error instanceof Error ? error.message : '' }) };
  }
}

/** A tariff prices stays without the price of the product, which is then that of what is sold in advance. */
export function needsPrice({ type, tariff }: Pick<ProductForm, 'type' | 'tariff'>): boolean {
  return type === 'quota' || tariff.trim() === '';
}

const VAT_NOT_DECIDED = { category: null, rate: 0, reason: null };

/** Null: the question is open, or its answer is not complete. */
function vatOfForm({ vatCategory: category, vatRate: rate, vatReason: reason }: ProductForm) {
  return readVat({ category, rate, reason });
}

/** A product is not saved before somebody has answered what VAT it has. Its prices can be tried out. */
export function isVatAnswered(form: ProductForm): boolean {
  return vatOfForm(form) !== null;
}

/** The whole product as the cloud takes it; null: something that was typed is none. */
export function inputOf(form: ProductForm) {
  const read = readTariff(form.tariff);
  if (!read.ok || !isComplete(read.tariff ?? {})) return null;
  const isPriced = form.price.trim() === '' && !needsPrice(form);
  const price = isPriced ? 0 : parseAmount(form.price, form.currency, LANGUAGE);
  if (price === null) return null;
  const vat = vatOfForm(form) ?? VAT_NOT_DECIDED;
  const { type, vehicleCategory, currency, startTime, endTime } = form;
  return {
    type,
    vehicleCategory,
    currency,
    vatRate: vat.rate,
    vatCategory: vat.category,
    vatReason: vat.reason,
    price,
    productCode: form.productCode.trim(),
    category: form.category.trim() || null,
    siteId: form.siteId || null,
    names: { is: form.nameIs.trim() || null, en: form.nameEn.trim() || null },
    window: { startTime, endTime },
    tariff: read.tariff,
  };
}
export type ProductInput = NonNullable<ReturnType<typeof inputOf>>;

/** The name in the language of the page, else in any. */
export function nameOf({ name, productCode }: Pick<Product, 'name' | 'productCode'>): string {
  return name[LANGUAGE] ?? name['is'] ?? Object.values(name)[0] ?? productCode;
}
