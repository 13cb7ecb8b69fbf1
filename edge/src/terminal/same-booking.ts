import type { TerminalTransaction } from './terminal.ts';

/** Two reports of one record. What one of them leaves out does not make them different. */
export function isSameBooking(a: TerminalTransaction, b: TerminalTransaction): boolean {
  return (
    a.reference === b.reference &&
    a.amountMinor === b.amountMinor &&
    a.currency === b.currency &&
    a.terminalId === b.terminalId &&
    (a.at === null || b.at === null || a.at === b.at) &&
    Object.entries(a.marks).every(([name, mark]) => (b.marks[name] ?? mark) === mark)
  );
}
