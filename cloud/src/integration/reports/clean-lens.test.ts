import { expect, it } from 'vitest';
import { adviceFor } from './clean-lens.ts';

const counts = (reads: number, unread: number, corrected = 0) => ({ reads, unread, corrected });

it('advises to clean the lens of a camera that misreads more than it did', () => {
  expect(adviceFor(counts(100, 4, 4), counts(100, 2, 2))).toBe('clean-lens');
  expect(adviceFor(counts(100, 8), counts(100, 5))).toBeNull();
  expect(adviceFor(counts(100, 4), counts(100, 0))).toBeNull();
  expect(adviceFor(counts(49, 40), counts(100, 0))).toBeNull();
});

it('goes by the share alone where there was nothing to compare with', () => {
  expect(adviceFor(counts(100, 5), counts(10, 5))).toBe('clean-lens');
});
