import { expect, it } from 'vitest';
import { scaleOf } from './bar-scale.ts';

it('has round lines, and room for all values', () => {
  expect(scaleOf([125_000, 97_400, 0])).toEqual({
    min: 0,
    max: 150_000,
    ticks: [0, 50_000, 100_000, 150_000],
  });
  expect(scaleOf([])).toEqual({ min: 0, max: 1, ticks: [0, 1] });
  expect(scaleOf([3]).ticks).toEqual([0, 1, 2, 3]);
});

it('goes below zero where more was refunded than came in', () => {
  const { min, max, ticks } = scaleOf([-300, 900]);
  expect(min).toBeLessThanOrEqual(-300);
  expect(max).toBeGreaterThanOrEqual(900);
  expect(ticks).toContain(0);
});
