import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discountOf, mayBecome, mayBeMarked, spreadAmount } from './invoice.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

describe('spreading an amount', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [10, [1, 2, 3], [2, 3, 5]],
    [7, [0, 0], [7, 0]],
    [0, [3, 4], [0, 0]],
    [5, [0, 1], [0, 5]],
  ])('%i by %j is %j', (amount, weights, parts) => {
    expect(spreadAmount(amount, weights)).toEqual(parts);
  });

  it('adds up, however large, and no part is a unit away from its share', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.array(fc.nat({ max: 2 ** 40 }), { minLength: 1, maxLength: 20 }),
        (amount, weights) => {
          const parts = spreadAmount(amount, weights);
          expect(parts.reduce((all, part) => all + BigInt(part), 0n)).toBe(BigInt(amount));
          const total = sum(weights);
          if (total === 0) return;
          parts.forEach((part, index) => {
            const off = BigInt(part) * BigInt(total) - BigInt(amount) * BigInt(weights[index] ?? 0);
            expect(off < BigInt(total) && off > -BigInt(total)).toBe(true);
          });
        },
      ),
    );
  });
});

describe('a discount', () => {
  it.each([
    [[500, 500, 500], 10, [50, 50, 50]],
    [[333, 333, 333], 10, [34, 33, 33]],
    [[1000], 12.5, [125]],
    [[1000, 500], 100, [1000, 500]],
    [[1000, 500], 0, [0, 0]],
  ])('of %j by %d percent is %j', (amounts, percent, discounts) => {
    expect(discountOf(amounts, percent)).toEqual(discounts);
  });

  it('never takes more than there is', () => {
    const amounts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 30 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (given, hundredths) => {
        const discounts = discountOf(given, hundredths / 100);
        expect(Math.abs(sum(discounts) - (sum(given) * hundredths) / 10_000)).toBeLessThanOrEqual(0.5);
        discounts.forEach((discount, index) => {
          expect(discount).toBeGreaterThanOrEqual(0);
          expect(discount).toBeLessThanOrEqual(given[index] ?? 0);
        });
      }),
    );
  });
});

it('an invoice is paid once and refunded once', () => {
  expect(mayBecome('draft', 'paid')).toBe(true);
  expect(mayBecome('paid', 'refunded')).toBe(true);
  expect(mayBecome('paid', 'paid')).toBe(true);
  for (const from of ['refunded', 'failed'] as const) expect(mayBecome(from, 'paid')).toBe(false);
  expect(mayBecome('draft', 'refunded')).toBe(false);
});

it('what accounting has taken over stays so; what failed there is tried again', () => {
  expect(mayBeMarked('draft', 'completed')).toBe(true);
  expect(mayBeMarked('failed', 'draft')).toBe(true);
  expect(mayBeMarked('completed', 'failed')).toBe(false);
});
