import { describe, expect, it } from 'vitest';
import { TerminalAmount } from './terminal-amount.ts';

describe.each([
  ['ISK', 2, 1500, 150_000],
  ['ISK', 0, 1500, 1500],
  ['EUR', 2, 1250, 1250],
  ['EUR', 0, 1200, 12],
  ['KWD', 2, 1250, 125],
])('%s at a terminal that counts %i decimals', (currency, digits, amountMinor, amount) => {
  const amounts = new TerminalAmount(currency, digits);
  it('there and back', () => {
    expect(amounts.toTerminal(amountMinor)).toBe(amount);
    expect(amounts.fromTerminal(amount)).toBe(amountMinor);
  });
});

it('has no word for parts of what either of both counts', () => {
  expect(new TerminalAmount('ISK', 2).fromTerminal(150_001)).toBeNull();
  expect(new TerminalAmount('EUR', 0).toTerminal(1250)).toBeNull();
});
