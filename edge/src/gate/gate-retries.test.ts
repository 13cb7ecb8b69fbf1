import type { GateOutcome } from '@hlid/protocol/site-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createGateRetries } from './gate-retries.ts';

let wishes: [string, string | null, boolean][];
let there: boolean | null;
let retries: ReturnType<typeof createGateRetries>;

beforeEach(() => {
  vi.useFakeTimers();
  wishes = [];
  there = null;
  retries = createGateRetries({
    directions: new Map([
      ['out-1', 'exit'],
      ['in-1', 'entry'],
    ]),
    arrival: () => there,
    again: (...wish) => wishes.push(wish),
  });
});
afterEach(() => {
  retries.stop();
  vi.useRealTimers();
});

const came = (outcome: GateOutcome, laneId = 'out-1', passageId: string | null = 'one') =>
  retries.after({ laneId, passageId, why: 'paid', by: `lane:${laneId}`, onlyIfClosed: false }, outcome);

it.each(['refused', 'unreachable', 'unknown'] as const)(
  'wants a gate again that was %s, until it opens',
  (outcome) => {
    came(outcome);
    vi.advanceTimersByTime(2200);
    expect(wishes).toEqual([['out-1', 'one', false]]);
    came(outcome);
    vi.advanceTimersByTime(4100);
    expect(wishes).toHaveLength(2);
    came('done');
    vi.advanceTimersByTime(600_000);
    expect(wishes).toHaveLength(2);
  },
);

it('goes on though nothing came of a wish, and gives up when the car must have gone', () => {
  came('unreachable');
  vi.advanceTimersByTime(600_000);
  const exit = wishes.length;
  expect(exit).toBeGreaterThan(20);
  expect(exit).toBeLessThan(60);
  came('unreachable', 'in-1');
  vi.advanceTimersByTime(600_000);
  // From an entrance a car can turn away.
  expect(wishes.length - exit).toBeLessThan(6);
});

it('stops when the loop says that the car has gone, and goes on as long as it says that it stands there', () => {
  there = true;
  came('unreachable');
  vi.advanceTimersByTime(300_000);
  expect(wishes.length).toBeGreaterThan(60);
  expect(wishes.at(-1)).toEqual(['out-1', 'one', true]);
  there = false;
  vi.advanceTimersByTime(5000);
  const before = wishes.length;
  vi.advanceTimersByTime(60_000);
  expect(wishes).toHaveLength(before);
});

it('leaves the car alone for which nothing opened once another has come', () => {
  came('unreachable');
  came('done', 'out-1', 'two');
  vi.advanceTimersByTime(60_000);
  expect(wishes).toEqual([]);
});

it('does not open again for a car behind, which has its own decision, nor at an entrance', () => {
  there = true;
  came('done');
  retries.wentOn('out-1', 'two');
  came('done', 'in-1');
  vi.advanceTimersByTime(60_000);
  expect(wishes).toEqual([]);
  came('unreachable');
  retries.wentOn('out-1', 'two');
  vi.advanceTimersByTime(2200);
  expect(wishes).toEqual([['out-1', 'one', true]]);
});

it('opens again to a car that still stands on the loop when the gate has closed', () => {
  there = true;
  came('done');
  vi.advanceTimersByTime(15_200);
  expect(wishes).toEqual([['out-1', 'one', true]]);
});
