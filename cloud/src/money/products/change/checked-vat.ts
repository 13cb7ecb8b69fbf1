import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { needsReason, type StoredVat, vatMistakes, vatOf } from '@hlid/protocol/base/vat';
import { type RefusedInput, refusedInput } from '../../../platform/refused.ts';
import type { ProductRow } from '../../../records/products/product-table.ts';

type ProductVat = Pick<ProductRow, 'vatRate' | 'vatCategory' | 'vatReason'>;

const NOT_DECIDED: ProductVat = { vatRate: 0, vatCategory: null, vatReason: null };

/**
 * The VAT of a product after an edit, if it fits together. A category that is given decides on what is left out: a rate
 * of 0 without VAT, and no reason with it. A rate that is given alone is the standard rate if it is above 0.
 */
export function checkedVat(
  { vatRate, vatCategory, vatReason }: StoredVat,
  before: ProductVat = NOT_DECIDED,
): { ok: true; vat: ProductVat } | RefusedInput {
  const isRateAlone = vatRate !== undefined && vatRate > 0 && vatCategory === undefined;
  const other = vatCategory === undefined ? before.vatCategory : vatCategory;
  const wanted = isRateAlone ? 'S' : other;
  const isTaxed = vatCategory !== null && (wanted === null || wanted === 'S');
  const rate = vatRate ?? (isTaxed ? before.vatRate : 0);
  const { category } = vatOf({ vatRate: rate, vatCategory: wanted });
  const reason = vatReason === undefined ? (needsReason(category) ? before.vatReason : null) : vatReason;
  if (category === null) {
    return reason === null
      ? { ok: true, vat: NOT_DECIDED }
      : refusedInput(mistake('required', 'vatCategory'));
  }
  const mistakes = vatMistakes({ category, rate, reason });
  if (mistakes.length > 0) {
    return refusedInput(...mistakes.map(({ code, field }) => mistake(code, FIELDS[field])));
  }
  // The standard rate follows from the rate: what was stored before there were categories means the same.
  return {
    ok: true,
    vat: { vatRate: rate, vatCategory: category === 'S' ? null : category, vatReason: reason },
  };
}

const FIELDS = { rate: 'vatRate', reason: 'vatReason' };
