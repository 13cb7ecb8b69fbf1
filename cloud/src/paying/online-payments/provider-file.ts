import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import { CsvError, parse } from 'csv-parse/sync';

const MAX_LINES = 50_000;

/** An amount in a file of a provider. */
export const AMOUNT_IN_FILE = /^-?\d{1,13}(\.\d{1,4})?$/;

/**
 * Reads a CSV file of a provider into its lines, by the names of its columns.
 *
 * @param columns the known names; they count in capital and small letters
 * @param required the columns that must be present
 */
export function readProviderFile(
  file: string,
  { columns, required }: { columns: readonly string[]; required: readonly string[] },
): { ok: true; rows: Record<string, string>[] } | { ok: false; mistakes: Mistake[] } {
  const known = new Map(columns.map((name) => [name.toLowerCase(), name]));
  const named = (names: string[]) => names.map((name) => known.get(name.toLowerCase()) ?? name);
  let rows: Record<string, string>[];
  try {
    rows = parse(file, { columns: named, bom: true, trim: true, skip_empty_lines: true, to: MAX_LINES + 1 });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { ok: false, mistakes: [mistake('not-csv', [], { detail: error.message })] };
  }
  if (rows.length > MAX_LINES)
    return { ok: false, mistakes: [mistake('too-many-lines', [], { max: MAX_LINES })] };
  const [first] = rows;
  if (first === undefined) return { ok: false, mistakes: [mistake('no-lines')] };
  const missing = required.filter((name) => !(name in first));
  if (missing.length > 0)
    return { ok: false, mistakes: missing.map((name) => mistake('no-column', [], { name })) };
  return { ok: true, rows };
}

/**
 * An amount with a point is in the currency's own unit, and one without is in its minor unit. The sign does not count.
 *
 * @returns null: it has more decimals than the currency
 */
export function minorOf(amount: string, currency: string): number | null {
  const [whole = '', decimals] = amount.replace('-', '').split('.');
  if (decimals === undefined) return Number(whole);
  const digits = minorUnitDigits(currency);
  if (/[1-9]/.test(decimals.slice(digits))) return null;
  return Number(`${whole}${decimals.slice(0, digits).padEnd(digits, '0')}`);
}
