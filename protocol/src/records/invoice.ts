import { z } from 'zod';
import { INVOICE_STATUSES, REMOTE_STATUSES } from '../base/statuses.ts';

/**
 * `draft`: issued and not paid yet, or (without a number) being made; `incomplete`: whether it was paid is not known.
 */
export const InvoiceStatusSchema = z.enum(INVOICE_STATUSES).meta({ id: 'InvoiceStatus' });
export type InvoiceStatus = z.infer<typeof InvoiceStatusSchema>;

/** How far the accounting system has an invoice: `draft` waits for it. */
export const RemoteStatusSchema = z.enum(REMOTE_STATUSES).meta({ id: 'RemoteStatus' });
export type RemoteStatus = z.infer<typeof RemoteStatusSchema>;

/** The discount of each amount: together exactly the rounded percentage of their sum. */
export function discountOf(amountsMinor: readonly number[], percent: number): number[] {
  const total = amountsMinor.reduce((sum, amount) => sum + amount, 0);
  const share = hundredths(percent);
  const [discount = 0] = spreadAmount(total, [share, WHOLE - share]);
  return spreadAmount(discount, amountsMinor);
}

/**
 * Divides an amount by weights (integers, not negative) into parts that add up to it exactly. Each part is
 * rounded down. The remaining units go, one each, to the parts with the largest remainder, the first of
 * equals. With no weight at all the first part is everything.
 */
export function spreadAmount(amountMinor: number, weights: readonly number[]): number[] {
  const sign = amountMinor < 0 ? -1 : 1;
  const amount = BigInt(Math.abs(amountMinor));
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amountMinor : 0));
  const shares = weights.map((weight, index) => {
    const product = amount * BigInt(weight);
    return { index, part: product / total, remainder: product % total };
  });
  const given = shares.reduce((sum, { part }) => sum + part, 0n);
  const neediest = [...shares].sort((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  );
  const rounded = new Set(neediest.slice(0, Number(amount - given)).map(({ index }) => index));
  return shares.map(({ index, part }) => {
    const whole = Number(part) + (rounded.has(index) ? 1 : 0);
    return whole === 0 ? 0 : sign * whole;
  });
}

/** 100 percent, in hundredths of a percent. */
const WHOLE = 10_000;

/** Percent as an integer: no floating point beyond this. */
function hundredths(percent: number): number {
  return Math.round(percent * 100);
}

/** Whether an invoice may go from one status to another; the same once more is no change. */
export function mayBecome(from: InvoiceStatus, to: InvoiceStatus): boolean {
  return from === to || STATUS_MOVES[from].includes(to);
}

const STATUS_MOVES: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  draft: ['paid', 'failed', 'incomplete'],
  // An incomplete invoice changes only after the provider has reported the outcome. `draft`: its payment came
  // to nothing, and another may be tried.
  incomplete: ['paid', 'failed', 'draft'],
  paid: ['refunded'],
  failed: [],
  refunded: [],
};

/** Whether the accounting system may go from one mark to another: what it has taken over stays taken over. */
export function mayBeMarked(from: RemoteStatus, to: RemoteStatus): boolean {
  return from === to || from !== 'completed';
}
