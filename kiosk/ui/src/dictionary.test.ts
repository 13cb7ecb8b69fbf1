import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Dictionary } from './dictionary.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server that fails so often before it answers. */
function dictionary(failures: number) {
  let calls = 0;
  const load = async () => {
    if (calls++ < failures) throw new Error('The line is lost.');
    return { hello: 'halló' };
  };
  return { words: new Dictionary({ is: load, en: load }), calls: () => calls };
}

it('loads each language once, and has no words of another', async () => {
  const { words, calls } = dictionary(0);
  await words.load('is');
  await words.loadSurely('is');
  expect(calls()).toBe(1);
  expect(words.wordsOf('is').hello).toBe('halló');
  expect(words.has('en')).toBe(false);
  expect(() => words.wordsOf('en')).toThrow('The words of en are not loaded.');
});

it('retries until the server answers', async () => {
  const { words, calls } = dictionary(2);
  await expect(words.load('is')).rejects.toThrow('The line is lost.');
  const loaded = words.loadSurely('is');
  await vi.runAllTimersAsync();
  await loaded;
  expect(calls()).toBe(3);
  expect(words.has('is')).toBe(true);
});

it('ends retries with the signal', async () => {
  const { words, calls } = dictionary(Number.POSITIVE_INFINITY);
  const ending = new AbortController();
  const loaded = words.loadSurely('is', ending.signal);
  await vi.advanceTimersByTimeAsync(0);
  ending.abort();
  await vi.runAllTimersAsync();
  await loaded;
  expect(calls()).toBe(1);
});
