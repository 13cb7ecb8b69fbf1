import { tipOf } from '@hlid/protocol/rules/payment-transitions';
import { isSameBooking } from '../terminal/same-booking.ts';
import type { LastResult, TerminalTransaction } from '../terminal/terminal.ts';

/**
 * The outcome of a payment by the terminal's own memory. `ask-again`: the terminal does not answer now; `person`: its
 * answer does not decide it.
 */
export type BookingVerdict =
  | { kind: 'booked'; transaction: TerminalTransaction }
  | { kind: 'reversed' }
  | { kind: 'not-booked' }
  | { kind: 'ask-again'; problem: string }
  | { kind: 'person'; reason: string };

export interface BookingQuestion {
  amountMinor: number;
  currency: string;
  /** The newest booking of the terminal before the order was sent. */
  baseline: LastResult;
  /** The booking that the terminal approved, as it is on the disk; null: none. */
  booking: TerminalTransaction | null;
  /** The newest booking of the terminal now. */
  last: LastResult;
  /** The site takes a tip beside the amount; absent: it does not. */
  takesTips?: boolean;
  /** Bookings of that reference that other payments have. */
  others: readonly TerminalTransaction[];
}

/** Compares what a terminal has booked last with what it had booked before a payment of unknown outcome. */
export function judgeBooking(question: BookingQuestion): BookingVerdict {
  const { baseline, booking, last, others } = question;
  if (last.kind === 'unavailable') return { kind: 'ask-again', problem: last.problem };
  if (last.kind === 'none') {
    return baseline.kind === 'none'
      ? { kind: 'not-booked' }
      : { kind: 'person', reason: 'nothing-booked-any-more' };
  }
  const { transaction, reversed } = last;
  if (booking !== null && isSameBooking(transaction, booking)) {
    return reversed ? { kind: 'reversed' } : { kind: 'booked', transaction: booking };
  }
  if (baseline.kind === 'transaction' && isSameBooking(transaction, baseline.transaction)) {
    return { kind: 'not-booked' };
  }
  if (baseline.kind !== 'transaction' && others.some((other) => isCertainlySame(other, transaction))) {
    return { kind: 'not-booked' };
  }
  if (baseline.kind === 'unavailable' || !fits(transaction, question)) {
    return { kind: 'person', reason: 'another-booking' };
  }
  // At some terminals a reversal is a separate record, with a separate number.
  if (reversed) return { kind: 'reversed' };
  return booking === null ? { kind: 'booked', transaction } : { kind: 'person', reason: 'another-booking' };
}

/** Numbers come again, after years or a repair; to the second they do not. */
function isCertainlySame(a: TerminalTransaction, b: TerminalTransaction): boolean {
  return a.at !== null && b.at !== null && isSameBooking(a, b);
}

function fits(
  transaction: TerminalTransaction,
  { baseline, amountMinor, currency, takesTips = false }: BookingQuestion,
): boolean {
  return (
    tipOf({ amountMinor, currency }, transaction, takesTips) !== null &&
    (baseline.kind !== 'transaction' || transaction.terminalId === baseline.transaction.terminalId)
  );
}
