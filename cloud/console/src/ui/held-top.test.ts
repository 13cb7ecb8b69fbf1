import { expect, test } from 'vitest';
import { type HeldTop, nextTop } from './held-top.ts';

const HELD: HeldTop = { list: 'visits', top: 'b' };
const now = (ids: readonly string[], more = {}) => ({ list: 'visits', ids, isOld: false, ...more });

test('a row that comes in at the top waits, and nothing moves', () => {
  expect(nextTop(HELD, now(['a', 'b', 'c']))).toBe(HELD);
});

test('another list begins with its first row, once it has come', () => {
  expect(nextTop(HELD, now(['x', 'y'], { list: 'payments' }))).toEqual({ list: 'payments', top: 'x' });
  expect(nextTop(HELD, now(['b', 'c'], { list: 'payments', isOld: true }))).toBe(HELD);
});

test('a list of which the first row is gone begins with what is there', () => {
  expect(nextTop(HELD, now(['a', 'c']))).toEqual({ list: 'visits', top: 'a' });
  expect(nextTop({ list: 'visits', top: null }, now(['a']))).toEqual({ list: 'visits', top: 'a' });
});

test('an empty list keeps what was held', () => {
  expect(nextTop(HELD, now([]))).toBe(HELD);
});

test('the row that a person adds is shown at once, and the next ones wait again', () => {
  const asked = { ...HELD, until: 'b' };
  expect(nextTop(asked, now(['b', 'c']))).toBe(asked);
  const added = nextTop(asked, now(['a', 'b', 'c']));
  expect(added).toEqual({ list: 'visits', top: 'a' });
  expect(nextTop(added, now(['z', 'a', 'b', 'c']))).toBe(added);
});
