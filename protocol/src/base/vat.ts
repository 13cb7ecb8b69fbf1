import { minorUnitDigits } from './money.ts';

/** UNCL 5305, as EN 16931 has it: standard rate, exempt, outside the scope, zero rate. */
export const VAT_CATEGORIES = ['S', 'E', 'O', 'Z'] as const;
export type VatCategory = (typeof VAT_CATEGORIES)[number];

/** Reasons that have words in every language (`words/vat-words.ts`). Any other reason is shown as it was written. */
export const VAT_REASONS = ['parking-rental', 'not-registered'] as const;

/** The VAT of an amount. The category is null while nobody has decided it; the rate is 0 then. */
export interface Vat {
  category: VatCategory | null;
  /** Percent, with two decimals at most. */
  rate: number;
  /** Only of the categories `E` and `O`. */
  reason: string | null;
}

/**
 * The same as it is stored and sent. The category is absent where it follows from the rate: a rate above 0 is the
 * standard rate, also in what programs sent before there were categories, and 0 alone decides nothing.
 */
export interface VatTerms {
  vatRate: number;
  vatCategory?: VatCategory | undefined;
  vatReason?: string | undefined;
}

/** The same as others have stored it. */
export interface StoredVat {
  vatRate?: number | undefined;
  vatCategory?: VatCategory | null | undefined;
  vatReason?: string | null | undefined;
}

export function vatOf({ vatRate = 0, vatCategory, vatReason }: StoredVat): Vat {
  const category = vatCategory ?? (vatRate > 0 ? 'S' : null);
  return {
    category,
    rate: category === 'S' ? vatRate : 0,
    reason: needsReason(category) ? (vatReason ?? null) : null,
  };
}

export function vatTerms({ category, rate, reason }: Vat): VatTerms {
  return {
    vatRate: rate,
    ...(category !== null && category !== 'S' && { vatCategory: category }),
    ...(reason !== null && { vatReason: reason }),
  };
}

/** Whether EN 16931 asks for a reason (BR-E-10, BR-O-10); the other categories have none (BR-S-10, BR-Z-10). */
export function needsReason(category: VatCategory | null): boolean {
  return category === 'E' || category === 'O';
}

/** The mistakes of a VAT that a person has decided. */
export function vatMistakes({
  category,
  rate,
  reason,
}: {
  category: VatCategory;
  rate: number;
  reason?: string | null | undefined;
}): {
  code: 'vat-rate-missing' | 'vat-rate-zero' | 'vat-reason-missing' | 'vat-reason-none';
  field: 'rate' | 'reason';
}[] {
  const hasReason = reason !== undefined && reason !== null;
  return [
    ...(category === 'S' && rate === 0 ? [{ code: 'vat-rate-missing', field: 'rate' } as const] : []),
    ...(category !== 'S' && rate !== 0 ? [{ code: 'vat-rate-zero', field: 'rate' } as const] : []),
    ...(needsReason(category) && !hasReason
      ? [{ code: 'vat-reason-missing', field: 'reason' } as const]
      : []),
    ...(!needsReason(category) && hasReason ? [{ code: 'vat-reason-none', field: 'reason' } as const] : []),
  ];
}

/** An amount with the VAT that it contains. */
export type TaxedAmount = StoredVat & { amountMinor: number };

/** The sums of amounts with the same VAT, reasons included, the highest rate first. */
export function sumsByVat(amounts: readonly TaxedAmount[]): (VatTerms & { amountMinor: number })[] {
  const sums = new Map<string, VatTerms & { amountMinor: number }>();
  for (const amount of amounts) {
    const terms = vatTerms(vatOf(amount));
    const key = JSON.stringify(terms);
    sums.set(key, { ...terms, amountMinor: (sums.get(key)?.amountMinor ?? 0) + amount.amountMinor });
  }
  return [...sums.values()].toSorted(
    (a, b) => b.vatRate - a.vatRate || ORDER.indexOf(vatOf(a).category) - ORDER.indexOf(vatOf(b).category),
  );
}

/**
 * The sum of amounts of one category and rate: a document has one such part of each, as EN 16931 requires.
 */
export interface VatPart {
  /** Percent, with two decimals at most. */
  rate: number;
  netMinor: number;
  vatMinor: number;
  /** Null: not decided when it was priced. */
  category: VatCategory | null;
  /** Each once, in the order of the alphabet; only of `E` and `O`. */
  reasons: string[];
}

/**
 * The VAT in amounts that include it, by category and rate, the highest rate first. It is computed from the sum of each
 * part: line by line, the rounding of many lines would add up, and the VAT would be further from base times rate than
 * the one unit that EN 16931 allows (BR-CO-17). Net and VAT add up to the amounts exactly.
 */
export function vatParts(amounts: readonly TaxedAmount[]): VatPart[] {
  const parts = new Map<string, { vat: Vat; grossMinor: number; reasons: Set<string> }>();
  for (const amount of amounts) {
    const vat = vatOf(amount);
    const key = keyOf(vat);
    const part = parts.get(key) ?? { vat, grossMinor: 0, reasons: new Set<string>() };
    part.grossMinor += amount.amountMinor;
    if (vat.reason !== null) part.reasons.add(vat.reason);
    parts.set(key, part);
  }
  return [...parts.values()]
    .map(({ vat: { category, rate }, grossMinor, reasons }) => {
      const netMinor = netOf(grossMinor, rate);
      const vatMinor = grossMinor - netMinor;
      return { rate, netMinor, vatMinor, category, reasons: [...reasons].toSorted() };
    })
    .toSorted((a, b) => b.rate - a.rate || ORDER.indexOf(a.category) - ORDER.indexOf(b.category));
}

const ORDER: readonly (VatCategory | null)[] = ['S', 'Z', 'E', 'O', null];

/** The VAT of several documents together, such as of an invoice and its credit notes. */
export function addedVat(documents: readonly (readonly VatPart[])[]): VatPart[] {
  const sums = new Map<string, VatPart>();
  for (const part of documents.flat()) {
    const { netMinor = 0, vatMinor = 0, reasons = [] } = sums.get(keyOf(part)) ?? {};
    sums.set(keyOf(part), {
      ...part,
      reasons: [...new Set([...reasons, ...part.reasons])].toSorted(),
      netMinor: netMinor + part.netMinor,
      vatMinor: vatMinor + part.vatMinor,
    });
  }
  return [...sums.values()];
}

/**
 * The VAT of a credit note, so that the credit notes of an invoice together take back its VAT and not a unit more: each
 * takes the difference between what the invoice comes to before it and after it. Where that is a unit more than EN 16931
 * allows for the note by itself, the note takes the nearest that it allows, and the next note makes up for it.
 *
 * @param standing the VAT of the invoice, less what was credited before
 * @param amounts of the credit note: below zero
 */
export function creditVatParts(
  standing: readonly VatPart[],
  amounts: readonly TaxedAmount[],
  currency: string,
): VatPart[] {
  const unitMinor = 10 ** minorUnitDigits(currency);
  return vatParts(amounts).map((part) => {
    const rest = standing.find((other) => keyOf(other) === keyOf(part));
    if (rest === undefined) return part;
    const grossMinor = part.netMinor + part.vatMinor;
    const after = netOf(rest.netMinor + rest.vatMinor + grossMinor, part.rate);
    let netMinor = after - rest.netMinor;
    while (netMinor !== part.netMinor && !isNetOf(netMinor, { grossMinor, rate: part.rate, unitMinor })) {
      netMinor += Math.sign(part.netMinor - netMinor);
    }
    return { ...part, netMinor, vatMinor: grossMinor - netMinor };
  });
}

/**
 * The net amount of each line, which add up to the net amount of their part of the document: each is rounded down, and
 * the units that are left go to the lines with the largest remainder, of equal ones to the larger amount, then to the
 * first.
 *
 * @param parts of the same lines, as the document has them
 */
export function netOfLines(lines: readonly TaxedAmount[], parts: readonly VatPart[]): number[] {
  const nets: number[] = lines.map(() => 0);
  for (const part of parts) {
    // The lines of a credit note are those of an invoice, below zero.
    const sign = part.netMinor < 0 ? -1 : 1;
    const shares = lines.flatMap((line, index) =>
      keyOf(vatOf(line)) === keyOf(part) ? [{ index, ...shareOf(sign * line.amountMinor, part.rate) }] : [],
    );
    const left = sign * part.netMinor - shares.reduce((sum, { floor }) => sum + floor, 0);
    // A credit note may have a unit more or less than the remainders of its lines come to.
    const each = Math.floor(left / shares.length);
    const neediest = shares.toSorted(
      (a, b) => b.remainder - a.remainder || b.floor - a.floor || a.index - b.index,
    );
    for (const [place, { index, floor }] of neediest.entries()) {
      const net = floor + each + (place < left - each * shares.length ? 1 : 0);
      nets[index] = net === 0 ? 0 : sign * net;
    }
  }
  return nets;
}

/** 100 percent, in hundredths of a percent. */
const WHOLE = 10_000;

/** Percent as an integer: no floating point beyond this. */
function hundredths(percent: number): number {
  return Math.round(percent * 100);
}

/** The net amount in a gross one, rounded to the nearest unit, alike above and below zero. */
function netOf(grossMinor: number, rate: number): number {
  const divisor = BigInt(WHOLE + hundredths(rate));
  const doubled = 2n * BigInt(Math.abs(grossMinor)) * BigInt(WHOLE);
  const net = Number((doubled + divisor) / (2n * divisor));
  return grossMinor < 0 ? 0 - net : net;
}

/** The net amount in a gross one, rounded down, and the rest that this leaves. */
function shareOf(grossMinor: number, rate: number): { floor: number; remainder: number } {
  const divisor = BigInt(WHOLE + hundredths(rate));
  const exact = BigInt(grossMinor) * BigInt(WHOLE);
  const remainder = ((exact % divisor) + divisor) % divisor;
  return { floor: Number((exact - remainder) / divisor), remainder: Number(remainder) };
}

/** Whether the VAT beside a net amount is less than a unit of the currency from base times rate (BR-CO-17, BR-S-09). */
function isNetOf(
  netMinor: number,
  { grossMinor, rate, unitMinor }: { grossMinor: number; rate: number; unitMinor: number },
): boolean {
  const off = BigInt(grossMinor) * BigInt(WHOLE) - BigInt(netMinor) * BigInt(WHOLE + hundredths(rate));
  const limit = BigInt(unitMinor) * BigInt(WHOLE);
  return off < limit && off > 0n - limit;
}

function keyOf({ category, rate }: Pick<Vat, 'category' | 'rate'>): string {
  return `${category} ${rate}`;
}
