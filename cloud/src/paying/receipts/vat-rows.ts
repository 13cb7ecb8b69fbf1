import type { Language } from '@hlid/protocol/base/language';
import { formatRate } from '@hlid/protocol/base/money';
import type { VatPart } from '@hlid/protocol/base/vat';
import { priceTexts } from '@hlid/protocol/words/price/price-texts';
import { noVatText } from '@hlid/protocol/words/vat-words';
import { RECEIPT_WORDS } from './receipt-words.ts';

/** The VAT on a receipt: what is in the price by rate, and the amounts that have none, with the reason. */
export function vatRows(
  parts: readonly VatPart[],
  language: Language,
): (readonly [what: string, amountMinor: number])[] {
  return parts.flatMap((part): (readonly [string, number])[] => {
    const none = noVatText(part, priceTexts(language));
    if (none !== null) return [[none, part.netMinor]];
    if (part.vatMinor === 0) return [];
    return [[RECEIPT_WORDS[language].vat({ rate: formatRate(part.rate, language) }), part.vatMinor]];
  });
}
