import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';
import { type FollowTiming, followTransaction } from './follow-transaction.ts';
import type { LocallinkCalls } from './locallink-calls.ts';

interface Patience {
  withinMs: number;
  signal: AbortSignal;
  timing: FollowTiming;
}

/**
 * Reverses a sale by its name. A reversal is a separate transaction; the sale itself reports at last whether
 * it is void.
 */
export async function reverseSale(
  calls: LocallinkCalls,
  uti: string,
  { withinMs, signal, timing }: Patience,
): Promise<ReverseOutcome> {
  const begun = await calls.reverse(uti);
  if (begun.kind === 'unreachable' || begun.kind === 'stranger') return 'not-begun';
  if (begun.kind === 'ok') {
    const patience = { isCancelRequested: () => false, onProgress: () => {}, withinMs, signal };
    const end = await followTransaction(calls, begun.value.uti, patience, timing);
    if (end.kind === 'finished' && end.result.transApproved) return 'reversed';
  }
  const sale = await calls.getTransaction(uti);
  if (sale.kind === 'refused') return 'not-possible';
  if (sale.kind !== 'ok' || sale.value.kind !== 'finished') return 'unknown';
  const { voided, transApproved } = sale.value.result;
  if (voided) return begun.kind === 'refused' ? 'already-reversed' : 'reversed';
  if (!transApproved) return 'not-possible';
  // It has refused, or the reversal has come to its end without: the sale stands. An answer that was lost may come to be.
  return begun.kind === 'lost' ? 'unknown' : 'not-possible';
}

/**
 * Whether a sale is void; null: the terminal is at work, which may be its reversal, or does not report it.
 */
export async function wasReversed(calls: LocallinkCalls, uti: string): Promise<boolean | null> {
  const now = await calls.status();
  if (now.kind !== 'ok' || now.value.status !== 'TERMINAL_AVAILABLE') return null;
  const sale = await calls.getTransaction(uti);
  if (sale.kind !== 'ok' || sale.value.kind !== 'finished') return null;
  const { voided, transApproved } = sale.value.result;
  if (voided) return true;
  return transApproved ? false : null;
}
