import { minorUnitDigits } from '@hlid/protocol/money';

/** Amounts as a terminal counts them: with so many decimal places, whatever ISO 4217 says of the currency. */
export interface TerminalAmount {
  /** Null: it cannot be said in the terminal's units. */
  toTerminal(amountMinor: number): number | null;
  /** Null: it is no whole amount of ours. */
  fromTerminal(amount: number): number | null;
}

export function createTerminalAmount(currency: string, terminalDigits: number): TerminalAmount {
  const shift = terminalDigits - minorUnitDigits(currency);
  const [up, down] = [10 ** Math.max(shift, 0), 10 ** Math.max(-shift, 0)];
  const whole = (amount: number) => (Number.isSafeInteger(amount) ? amount : null);
  return {
    toTerminal: (amountMinor) => whole((amountMinor * up) / down),
    fromTerminal: (amount) => whole((amount * down) / up),
  };
}
