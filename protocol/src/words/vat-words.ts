import type { Language } from '../base/language.ts';
import { formatMoney, formatRate } from '../base/money.ts';
import { VAT_REASONS, type VatPart, vatParts } from '../base/vat.ts';
import type { PriceTexts } from './price/price-texts.ts';

/** Why a part of a document has no VAT, as EN 16931 asks for it; null: it has, or nobody has decided it. */
export function noVatText(
  { category, reasons }: Pick<VatPart, 'category' | 'reasons'>,
  words: PriceTexts,
): string | null {
  if (category === null || category === 'S') return null;
  if (category === 'Z') return words.noVat.Z;
  const reason = reasons.map((one) => vatReasonText(one, words)).join(', ');
  return words.noVat[category]({ reason });
}

/** A reason in words: those that many share have them in every language, others are shown as they were written. */
export function vatReasonText(reason: string, { vatReasons }: PriceTexts): string {
  const known = VAT_REASONS.find((one) => one === reason);
  return known === undefined ? reason : vatReasons[known];
}

/** The amount that a driver is to pay, and its VAT; an older program sends one rate for all of it. */
interface VatOfDue {
  amountMinor: number;
  currency: string;
  vatRate: number;
  vat?: VatPart[] | undefined;
}

/** The VAT in what a driver is to pay, line by line, and why there is none. */
export function vatTextsOfDue(
  { amountMinor, vatRate, vat, currency }: VatOfDue,
  {
    language,
    price,
    taxed,
  }: { language: Language; price: PriceTexts; taxed: (values: { rate: string; amount: string }) => string },
): string[] {
  return (vat ?? vatParts([{ amountMinor, vatRate }])).flatMap((part) => {
    const none = noVatText(part, price);
    if (none !== null) return [none];
    if (part.rate === 0) return [];
    const amount = formatMoney({ amountMinor: part.vatMinor, currency }, language);
    return [taxed({ rate: formatRate(part.rate, language), amount })];
  });
}
