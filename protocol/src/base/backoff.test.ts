import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('each pause is twice the one before, up to the limit', () => {
  const limits = { firstMs: 1000, maxMs: 5000 };
  expect([0, 1, 2, 3, 4, 5000].map((failures) => backoffMs(failures, limits))).toEqual([
    1000, 1000, 2000, 4000, 5000, 5000,
  ]);
});

test('a first pause beyond the limit is the limit', () => {
  expect(backoffMs(1, { firstMs: 60_000, maxMs: 100 })).toBe(100);
});
