import { expect, test } from 'vitest';
import { createRetryPause } from './retry-pause.ts';

test('grows to the limit, and begins anew after a success', () => {
  const pause = createRetryPause({ firstMs: 1000, maxMs: 5000 }, () => 1);
  expect([1, 2, 3, 4, 5].map(pause.nextMs)).toEqual([1000, 2000, 4000, 5000, 5000]);
  pause.reset();
  expect(pause.nextMs()).toBe(1000);
});

test('half of it is chance', () => {
  expect(createRetryPause({ firstMs: 1000, maxMs: 5000 }, () => 0).nextMs()).toBe(500);
  expect(createRetryPause({ firstMs: 1000, maxMs: 5000 }, () => 0.5).nextMs()).toBe(750);
});
