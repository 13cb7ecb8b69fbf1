import { expect, test } from 'vitest';
import { RetryPause } from './retry-pause.ts';

const LIMITS = { firstMs: 1000, maxMs: 5000 };

test('pauses grow to the limit, and begin again after a success', () => {
  const pause = new RetryPause(LIMITS, () => 1);
  expect([1, 2, 3, 4, 5].map(() => pause.nextMs())).toEqual([1000, 2000, 4000, 5000, 5000]);
  pause.reset();
  expect(pause.nextMs()).toBe(1000);
});

test('half of a pause is random', () => {
  expect(new RetryPause(LIMITS, () => 0).nextMs()).toBe(500);
  expect(new RetryPause(LIMITS, () => 0.5).nextMs()).toBe(750);
});
