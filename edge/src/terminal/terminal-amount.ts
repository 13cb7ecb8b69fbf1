import { minorUnitDigits } from '@hlid/protocol/base/money';

/**
 * Amounts as a terminal counts them: with this number of decimal places, whatever ISO 4217 defines for the
 * currency.
 */
export class TerminalAmount {
  readonly #up: number;
  readonly #down: number;

  constructor(currency: string, terminalDigits: number) {
    const shift = terminalDigits - minorUnitDigits(currency);
    this.#up = 10 ** Math.max(shift, 0);
    this.#down = 10 ** Math.max(-shift, 0);
  }

  /** Null: the terminal's units cannot express it. */
  toTerminal(amountMinor: number): number | null {
    return whole((amountMinor * this.#up) / this.#down);
  }

  /** Null: it is not a whole number of minor units. */
  fromTerminal(amount: number): number | null {
    return whole((amount * this.#down) / this.#up);
  }
}

function whole(amount: number): number | null {
  return Number.isSafeInteger(amount) ? amount : null;
}
