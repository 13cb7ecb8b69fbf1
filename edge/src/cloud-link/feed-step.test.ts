import type { ChangeBatch, FeedHead } from '@hlid/protocol/site-link/envelope';
import { expect, test } from 'vitest';
import { zoneChange } from '../../test/lists.ts';
import { nextFeedStep } from './feed-step.ts';

const hash = (digit: string) => digit.repeat(32);
const head = (n: number, digit = 'a'): FeedHead => ({ v: 1, n, hash: hash(digit) });
const batch = (from: number, to: number): ChangeBatch => ({
  v: 1,
  changes: Array.from({ length: to - from + 1 }, (_, at) => zoneChange(from + at, []).change),
  head: head(to),
});
const at = (n: number, digit = 'a') => ({ n, hash: hash(digit) });
const nothing = { head: null, pushed: [], doubt: false };

test('rests where nothing is known, or everything agrees', () => {
  expect(nextFeedStep(at(5), nothing)).toEqual({ kind: 'rest' });
  expect(nextFeedStep(at(5), { ...nothing, head: head(5) })).toEqual({ kind: 'rest' });
});

test('applies what follows on, and only what is new of it', () => {
  const step = nextFeedStep(at(5), { ...nothing, pushed: [batch(4, 7)] });
  expect(step.kind === 'apply' && step.changes.map(({ n }) => n)).toEqual([6, 7]);
});

test('drops what is known, catches up over a gap', () => {
  expect(nextFeedStep(at(5), { ...nothing, pushed: [batch(4, 5)] }).kind).toBe('drop');
  expect(nextFeedStep(at(5), { ...nothing, pushed: [batch(7, 8)] }).kind).toBe('catch-up');
  expect(nextFeedStep(at(5), { ...nothing, head: head(6) }).kind).toBe('catch-up');
});

test('takes the snapshot where the hash disagrees at the same number, once what was pushed is in', () => {
  const disagreeing = head(5, 'b');
  expect(nextFeedStep(at(5), { ...nothing, head: disagreeing }).kind).toBe('snapshot');
  expect(nextFeedStep(at(4), { ...nothing, head: disagreeing, pushed: [batch(5, 5)] }).kind).toBe('apply');
});

test('asks the cloud first where something is in doubt', () => {
  expect(nextFeedStep(at(5), { head: head(5), pushed: [batch(6, 6)], doubt: true }).kind).toBe('catch-up');
});
