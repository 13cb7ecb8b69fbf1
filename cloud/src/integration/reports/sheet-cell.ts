import { minorUnitDigits } from '@hlid/protocol/base/money';

/** What stands in one cell of a table for people; null: nothing. */
export type SheetCell =
  | null
  | string
  | { kind: 'count'; count: number }
  /** Shown with two decimals. */
  | { kind: 'average'; average: number }
  /** A reading of a wall clock; see site-wall-clock.ts. */
  | { kind: 'moment'; wallMs: number }
  | { kind: 'duration'; ms: number }
  | { kind: 'money'; amountMinor: number; currency: string };

/** A table for people: its name, its columns, and how wide they are in characters. */
export interface SheetPlan {
  name: string;
  columns: readonly { header: string; width: number }[];
}

/** An amount in the currency's own unit, exact: `1250` ISK, `12.50` EUR. */
export function amountText(
  { amountMinor, currency }: { amountMinor: number; currency: string },
  decimalPoint: '.' | ',',
): string {
  const digits = minorUnitDigits(currency);
  const sign = amountMinor < 0 ? '-' : '';
  const text = String(Math.abs(amountMinor)).padStart(digits + 1, '0');
  if (digits === 0) return `${sign}${text}`;
  return `${sign}${text.slice(0, -digits)}${decimalPoint}${text.slice(-digits)}`;
}
