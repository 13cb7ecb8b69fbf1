import { expect, it } from 'vitest';
import { amountText, parseAmount } from './amount.ts';

it('reads amounts as people of each language write them', () => {
  expect(parseAmount('1.450', 'ISK', 'is')).toBe(1450);
  expect(parseAmount(' 1 450 kr.', 'ISK', 'is')).toBe(1450);
  expect(parseAmount('ISK 1,450', 'ISK', 'en')).toBe(1450);
  expect(parseAmount('12,5', 'EUR', 'is')).toBe(1250);
  expect(parseAmount('1,012.50', 'EUR', 'en')).toBe(101_250);
  expect(parseAmount('0', 'ISK', 'is')).toBe(0);
});

it('refuses what may mean something else', () => {
  // A decimal mark of English would multiply the amount.
  expect(parseAmount('12.5', 'EUR', 'is')).toBeNull();
  expect(parseAmount('14.50', 'ISK', 'is')).toBeNull();
  expect(parseAmount('14,5', 'ISK', 'is')).toBeNull();
  expect(parseAmount('1.2345,00', 'EUR', 'is')).toBeNull();
  for (const text of ['', '-5', 'abc', '1,2,3', '99999999999999999']) {
    expect(parseAmount(text, 'EUR', 'is')).toBeNull();
  }
});

it('writes what it reads', () => {
  for (const amount of [0, 5, 99, 100, 123_456]) {
    for (const language of ['is', 'en'] as const) {
      expect(parseAmount(amountText(amount, 'EUR', language), 'EUR', language)).toBe(amount);
      expect(parseAmount(amountText(amount, 'ISK', language), 'ISK', language)).toBe(amount);
    }
  }
});
