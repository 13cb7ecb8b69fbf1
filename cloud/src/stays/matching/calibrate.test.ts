import fc from 'fast-check';
import { expect, it } from 'vitest';
import { calibration } from './calibrate.ts';

const judged = fc.array(
  fc.record({ probability: fc.double({ min: 0, max: 1, noNaN: true }), isRight: fc.boolean() }),
  { maxLength: 200 },
);

it('never falls as the stated probability grows, and stays within 0 and 1', () => {
  fc.assert(
    fc.property(
      judged,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (pairs, a, b) => {
        const calibrated = calibration(pairs);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(calibrated(high)).toBeGreaterThanOrEqual(calibrated(low) - 1e-12);
        expect(calibrated(low)).toBeGreaterThanOrEqual(0);
        expect(calibrated(high)).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 300 },
  );
});

it('says what was right of those that were stated too high, and the stated one where nothing was judged', () => {
  const pairs = Array.from({ length: 2000 }, (_, n) => ({ probability: 0.99, isRight: n % 10 !== 0 }));
  expect(calibration(pairs)(0.99)).toBeCloseTo(0.9, 2);
  expect(calibration([])(0.7)).toBeGreaterThan(0.6);
  expect(calibration([])(0.7)).toBeLessThanOrEqual(0.7);
  expect(calibration([])(0.9995)).toBeGreaterThan(0.999);
});
