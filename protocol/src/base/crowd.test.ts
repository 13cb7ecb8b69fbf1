import { expect, it } from 'vitest';
import { Crowd } from './crowd.ts';

it('names the oldest connection of the address that has most', () => {
  const crowd = new Crowd<string>();
  expect(crowd.first()).toBeNull();
  crowd.add('a1', 'a');
  crowd.add('b1', 'b');
  crowd.add('b2', 'b');
  crowd.add('b3', 'b');
  crowd.add('a2', 'a');
  expect(crowd.first()).toBe('b1');
  crowd.remove('b1');
  crowd.remove('b1');
  // Both addresses have as many connections, so the one that came first is named.
  expect([crowd.first(), crowd.size]).toEqual(['a1', 4]);
  for (const one of ['a1', 'b2', 'b3', 'a2']) crowd.remove(one);
  expect([crowd.first(), crowd.size]).toEqual([null, 0]);
});
