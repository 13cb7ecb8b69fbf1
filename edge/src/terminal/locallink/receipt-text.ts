import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { minorUnitDigits } from '@hlid/protocol/base/money';

/** Size, alignment and style stand behind a line's text (Rapyd, "Print request"); what is left out is normal. */
const STYLES: ReadonlySet<string> = new Set(['N', 'B', 'I', 'U']);
const ALIGNMENTS: ReadonlySet<string> = new Set(['L', 'R', 'C', 'S', 'QR']);
const SIZES: ReadonlySet<string> = new Set(['1', '5', '9']);

/**
 * The lines of a receipt, as text. It comes as a list of lines, or as that list written as JSON; anything else is no
 * receipt, and there are none.
 */
export function receiptLines(receipt: unknown): string[] {
  const list = typeof receipt === 'string' ? listIn(receipt) : receipt;
  if (!Array.isArray(list)) return [];
  return list.flatMap((line: unknown) => {
    const text = Array.isArray(line) ? lineText(line.filter((part) => typeof part === 'string')) : null;
    return text === null ? [] : [hideCardNumbers(text).trimEnd()];
  });
}

function lineText(parts: readonly string[]): string | null {
  const texts = [...parts];
  for (const marks of [STYLES, ALIGNMENTS, SIZES]) {
    const last = texts.at(-1);
    if (texts.length < 2 || last === undefined || !marks.has(last)) continue;
    if (last === 'QR') return null;
    texts.pop();
  }
  return texts[0]?.toLowerCase() === 'logo' ? null : texts.join('  ');
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Whether a receipt names another amount than was ordered: then the terminal counts its currency otherwise
 * than it is set up here. A receipt without an amount in the currency proves nothing.
 */
export function receiptContradicts(
  lines: readonly string[],
  { amountMinor, currency }: { amountMinor: number; currency: string },
): boolean {
  const pattern = new RegExp(`(\\d[\\d.,]*)\\s*${currency}|${currency}\\s*(\\d[\\d.,]*)`, 'g');
  const digits = minorUnitDigits(currency);
  const named = lines.flatMap((line) =>
    Array.from(line.matchAll(pattern), ([, before, after]) => inMinor(before ?? after ?? '', digits)),
  );
  return named.length > 0 && !named.includes(amountMinor);
}

/** One or two digits behind the last separator are decimals, three are thousands. */
function inMinor(text: string, digits: number): number {
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?[.,]?$/.exec(text) ?? [];
  return Math.round(Number(`${whole.replace(/[.,]/g, '')}.${decimals}`) * 10 ** digits);
}
