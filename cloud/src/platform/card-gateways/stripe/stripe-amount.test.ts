import { expect, it } from 'vitest';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.ts';

it.each([
  ['ISK', 1500, 150_000],
  ['UGX', 1500, 150_000],
  ['EUR', 1550, 1550],
  ['JPY', 1500, 1500],
  ['KWD', 1550, 1550],
  ['MGA', 1500, 15],
])('an amount in %s is converted, and back', (currency, amountMinor, amount) => {
  expect(toStripeAmount(amountMinor, currency)).toBe(amount);
  expect(fromStripeAmount(amount, currency)).toBe(amountMinor);
});

it('has no amount for what Stripe does not take', () => {
  expect(toStripeAmount(1555, 'KWD')).toBeNull();
  expect(toStripeAmount(1550, 'MGA')).toBeNull();
  expect(toStripeAmount(2 ** 53, 'ISK')).toBeNull();
  expect(fromStripeAmount(150_050, 'ISK')).toBeNull();
});
