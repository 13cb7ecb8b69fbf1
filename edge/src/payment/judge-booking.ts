import type { LastResult, TerminalTransaction } from '../terminal/terminal.ts';

/**
 * What became of a payment, by the terminal's own memory: `ask-again` where it does not tell now, `person` where what it
 * tells settles nothing.
 */
export type BookingVerdict =
  | { kind: 'booked'; transaction: TerminalTransaction }
  | { kind: 'reversed' }
  | { kind: 'not-booked' }
  | { kind: 'ask-again'; problem: string }
  | { kind: 'person'; why: string };

export interface BookingQuestion {
  amountMinor: number;
  currency: string;
  /** What it had booked last before it was asked. */
  baseline: LastResult;
  /** What it has approved, and we have on the disk; null: nothing. */
  booking: TerminalTransaction | null;
  /** What it has booked last now. */
  last: LastResult;
  /** Bookings of that name that other payments are known to have. */
  others: readonly TerminalTransaction[];
}

/** Compares what a terminal has booked last with what it had booked before a payment of unknown outcome. */
export function judgeBooking(question: BookingQuestion): BookingVerdict {
  const { baseline, booking, last, others } = question;
  if (last.kind === 'unavailable') return { kind: 'ask-again', problem: last.problem };
  if (last.kind === 'none') {
    return baseline.kind === 'none'
      ? { kind: 'not-booked' }
      : { kind: 'person', why: 'nothing-booked-any-more' };
  }
  const { transaction, reversed } = last;
  if (booking !== null && isSame(transaction, booking)) {
    return reversed ? { kind: 'reversed' } : { kind: 'booked', transaction: booking };
  }
  if (baseline.kind === 'transaction' && isSame(transaction, baseline.transaction)) {
    return { kind: 'not-booked' };
  }
  if (baseline.kind !== 'transaction' && others.some((other) => isSureToBe(other, transaction))) {
    return { kind: 'not-booked' };
  }
  if (baseline.kind === 'unavailable' || !fits(transaction, question)) {
    return { kind: 'person', why: 'another-booking' };
  }
  // Taking back is a record of its own at some terminals, with a number of its own.
  if (reversed) return { kind: 'reversed' };
  return booking === null ? { kind: 'booked', transaction } : { kind: 'person', why: 'another-booking' };
}

/** One record, told twice. What one of them does not say cannot tell them apart. */
function isSame(a: TerminalTransaction, b: TerminalTransaction): boolean {
  return (
    a.reference === b.reference &&
    a.amountMinor === b.amountMinor &&
    a.currency === b.currency &&
    a.terminalId === b.terminalId &&
    (a.at === null || b.at === null || a.at === b.at) &&
    Object.entries(a.marks).every(([name, mark]) => (b.marks[name] ?? mark) === mark)
  );
}

/** Numbers come again, after years or a repair; to the second they do not. */
function isSureToBe(a: TerminalTransaction, b: TerminalTransaction): boolean {
  return a.at !== null && b.at !== null && isSame(a, b);
}

function fits(
  transaction: TerminalTransaction,
  { baseline, amountMinor, currency }: BookingQuestion,
): boolean {
  return (
    transaction.amountMinor === amountMinor &&
    transaction.currency === currency &&
    (baseline.kind !== 'transaction' || transaction.terminalId === baseline.transaction.terminalId)
  );
}
