import { CurrencySchema, minorUnitDigits } from '@hlid/protocol/money';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';

export const SETTLED_KINDS = ['sale', 'refund', 'chargeback', 'fee'] as const;
export type SettledKind = (typeof SETTLED_KINDS)[number];

/** A line of a provider's settlement report. */
export interface SettledLine {
  transactionId: string;
  kind: SettledKind;
  /** As it moves, without its sign: a refund is so much money that went back. */
  amountMinor: number;
  currency: string;
  /** A day. */
  date: string;
}

const MAX_LINES = 50_000;
const MAX_MISTAKES = 20;
const COLUMNS = ['transactionId', 'kind', 'amount', 'currency', 'date'];

const LineSchema = z.object({
  transactionId: z.string().min(1).max(200),
  kind: z.enum(SETTLED_KINDS),
  amount: z.string().regex(/^-?\d{1,13}(\.\d{1,4})?$/),
  currency: CurrencySchema,
  date: z.iso.date(),
});

/** Reads a settlement report in the format that is the same for all providers, or finds what is wrong with it. */
export function readSettlementFile(
  file: string,
): { ok: true; lines: SettledLine[] } | { ok: false; mistakes: string[] } {
  let rows: Record<string, string>[];
  try {
    rows = parse(file, { columns: true, bom: true, trim: true, skip_empty_lines: true, to: MAX_LINES + 1 });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { ok: false, mistakes: [`The file is not CSV: ${error.message}`] };
  }
  if (rows.length > MAX_LINES)
    return { ok: false, mistakes: [`At most ${MAX_LINES} lines are read at once.`] };
  const [first] = rows;
  if (first === undefined) return { ok: false, mistakes: ['The file has no lines.'] };
  const missing = COLUMNS.filter((name) => !(name in first));
  if (missing.length > 0)
    return { ok: false, mistakes: missing.map((name) => `There is no column ${name}.`) };
  const read = rows.map(readLine);
  const mistakes = read.flatMap((line, n) => (typeof line === 'string' ? [`Line ${n + 2}: ${line}`] : []));
  if (mistakes.length > 0) return { ok: false, mistakes: mistakes.slice(0, MAX_MISTAKES) };
  return { ok: true, lines: read.filter((line) => typeof line !== 'string') };
}

/** @returns the line, or what is wrong with it */
function readLine(row: Record<string, string>): SettledLine | string {
  const parsed = LineSchema.safeParse(row);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path }) => path.join('.'));
    return `${[...new Set(wrong)].join(', ')} cannot be read`;
  }
  const { amount, ...line } = parsed.data;
  const amountMinor = minorOf(amount, line.currency);
  if (amountMinor === null) return `amount has more decimals than ${line.currency} has`;
  return { ...line, amountMinor };
}

/** An amount with a point is in the currency's own unit, and one without is in its minor unit. */
function minorOf(amount: string, currency: string): number | null {
  const [whole = '', decimals] = amount.replace('-', '').split('.');
  if (decimals === undefined) return Number(whole);
  const digits = minorUnitDigits(currency);
  if (/[1-9]/.test(decimals.slice(digits))) return null;
  return Number(`${whole}${decimals.slice(0, digits).padEnd(digits, '0')}`);
}
