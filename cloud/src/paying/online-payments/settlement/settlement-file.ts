import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { z } from 'zod';
import { AMOUNT_IN_FILE, minorOf, readProviderFile } from '../provider-file.ts';

/** `chargeback-won`: what a chargeback had taken is here again. */
export const SETTLED_KINDS = ['sale', 'refund', 'chargeback', 'chargeback-won', 'fee'] as const;
export type SettledKind = (typeof SETTLED_KINDS)[number];

/** A line of a provider's settlement report. */
export interface SettledLine {
  transactionId: string;
  kind: SettledKind;
  /** The amount that moved, without its sign: that of a refund is the money that went back. */
  amountMinor: number;
  currency: string;
  /** A day. */
  date: string;
}

const MAX_MISTAKES = 20;
const COLUMNS = ['transactionId', 'kind', 'amount', 'currency', 'date'];

const LineSchema = z.object({
  transactionId: z.string().min(1).max(200),
  kind: z.enum(SETTLED_KINDS),
  amount: z.string().regex(AMOUNT_IN_FILE),
  currency: CurrencySchema,
  date: z.iso.date(),
});

/** Reads a settlement report in the format that is the same for all providers, or finds what is wrong with it. */
export function readSettlementFile(
  file: string,
): { ok: true; lines: SettledLine[] } | { ok: false; mistakes: Mistake[] } {
  const opened = readProviderFile(file, { columns: COLUMNS, required: COLUMNS });
  if (!opened.ok) return opened;
  const read = opened.rows.map(withOwnKind(opened.rows)).map(readLine);
  const mistakes = read.flatMap((line, n) =>
    'code' in line ? [{ ...line, path: ['line', n + 2, ...line.path] }] : [],
  );
  if (mistakes.length > 0) return { ok: false, mistakes: mistakes.slice(0, MAX_MISTAKES) };
  return { ok: true, lines: read.flatMap((line) => ('code' in line ? [] : [line])) };
}

/** A chargeback that brings money is one that was won, if the report has signs. */
function withOwnKind(rows: readonly Record<string, string>[]) {
  const isTaking = ({ kind, amount = '' }: Record<string, string>) =>
    kind === 'chargeback' && amount.startsWith('-');
  const hasSigns = rows.some(isTaking);
  return (row: Record<string, string>) =>
    hasSigns && row['kind'] === 'chargeback' && !isTaking(row) ? { ...row, kind: 'chargeback-won' } : row;
}

/** @returns the line, or what is wrong with it */
function readLine(row: Record<string, string>): SettledLine | Mistake {
  const parsed = LineSchema.safeParse(row);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path }) => path.join('.'));
    return mistake('line-unreadable', [], { columns: [...new Set(wrong)] });
  }
  const { amount, ...line } = parsed.data;
  const amountMinor = minorOf(amount, line.currency);
  if (amountMinor === null) return mistake('too-many-decimals', 'amount', { currency: line.currency });
  return { ...line, amountMinor };
}
