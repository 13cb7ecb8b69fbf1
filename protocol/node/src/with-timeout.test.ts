import { expect, test } from 'vitest';
import { withTimeout } from './with-timeout.ts';

const NEVER = new Promise<string>(() => {});
/** Longer than a test may take. */
const LONG_MS = 3_600_000;

test('work that is done in time gives its result, or its failure', async () => {
  expect(await withTimeout(Promise.resolve('done'), LONG_MS, () => 'late')).toBe('done');
  await expect(withTimeout(Promise.reject(new Error('no')), LONG_MS, () => 'late')).rejects.toThrow('no');
});

test('late work is not waited for', async () => {
  expect(await withTimeout(NEVER, 1, () => 'late')).toBe('late');
  const fail = () => {
    throw new Error('too late');
  };
  await expect(withTimeout(NEVER, 1, fail)).rejects.toThrow('too late');
});
