import { describe, expect, it } from 'vitest';
import {
  fromCurrencyCode,
  fromPaymentAmount,
  orderIdOf,
  toCurrencyCode,
  toEnrollmentAmount,
  toPaymentAmount,
} from './borgun-amount.ts';

describe('an amount at Borgun', () => {
  it.each([
    ['ISK', 1500, 150_000],
    ['EUR', 1500, 1500],
    ['USD', 1, 1],
    ['JPY', 1500, 1500],
  ])('has two decimals in a payment, but for yen: %s %i', (currency, amountMinor, amount) => {
    expect(toPaymentAmount(amountMinor, currency)).toBe(amount);
    expect(fromPaymentAmount(amount, currency)).toBe(amountMinor);
  });

  it('is none of ours if it is a part of a króna, or in a currency that has no number', () => {
    expect(fromPaymentAmount(150_050, 'ISK')).toBeNull();
    expect(toPaymentAmount(1500, 'XAU')).toBeNull();
  });

  it('names its decimals in 3-D Secure', () => {
    expect(toEnrollmentAmount(1500, 'ISK')).toEqual({ PurchAmount: 1500, Exponent: 0 });
    expect(toEnrollmentAmount(1500, 'ISK', 2)).toEqual({ PurchAmount: 150_000, Exponent: 2 });
    expect(toEnrollmentAmount(1500, 'EUR')).toEqual({ PurchAmount: 1500, Exponent: 2 });
  });

  it('has a currency of three digits', () => {
    expect([toCurrencyCode('ISK'), toCurrencyCode('AUD'), toCurrencyCode('XAU')]).toEqual([
      '352',
      '036',
      null,
    ]);
    expect([fromCurrencyCode('352'), fromCurrencyCode('036'), fromCurrencyCode('999')]).toEqual([
      'ISK',
      'AUD',
      null,
    ]);
  });
});

it('derives a different OrderId of 12 capitals and digits from each id, and always the same', () => {
  const ids = Array.from({ length: 20_000 }, () => crypto.randomUUID());
  const orderIds = ids.map(orderIdOf);
  expect(orderIds.filter((each) => !/^[A-Z\d]{12}$/.test(each))).toEqual([]);
  expect(new Set(orderIds).size).toBe(ids.length);
  expect(ids.map(orderIdOf)).toEqual(orderIds);
});
