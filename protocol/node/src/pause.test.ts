import { expect, test } from 'vitest';
import { pause } from './pause.ts';

const LONG_MS = 3_600_000;

test('A pause ends without an error as soon as its signal is aborted', async () => {
  const given = new AbortController();
  const over = pause(LONG_MS, { signal: given.signal });
  given.abort();
  await expect(over).resolves.toBeUndefined();
});

test('A pause does not begin where its signal is already aborted', async () => {
  await expect(pause(LONG_MS, { signal: AbortSignal.abort(new Error('over')) })).resolves.toBeUndefined();
});

test('A pause ends by itself', async () => {
  await expect(pause(1)).resolves.toBeUndefined();
});
