import type { GateOutcome } from '@hlid/protocol/site-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GateRetries } from './gate-retries.ts';

let openings: [string | null, boolean][];
let there: boolean | null;
let retries: Record<'exit' | 'entry', GateRetries>;

beforeEach(() => {
  vi.useFakeTimers();
  openings = [];
  there = null;
  const retriesAt = (direction: 'exit' | 'entry') =>
    new GateRetries({ direction, arrival: () => there, again: (...opening) => openings.push(opening) });
  retries = { exit: retriesAt('exit'), entry: retriesAt('entry') };
});
afterEach(() => {
  retries.exit.stop();
  retries.entry.stop();
  vi.useRealTimers();
});

const came = (outcome: GateOutcome, at: 'exit' | 'entry' = 'exit', passageId: string | null = 'one') =>
  retries[at].after(passageId, outcome);

it.each(['refused', 'unreachable', 'unknown'] as const)(
  'wants a gate again that was %s, until it opens',
  (outcome) => {
    came(outcome);
    vi.advanceTimersByTime(2200);
    expect(openings).toEqual([['one', false]]);
    came(outcome);
    vi.advanceTimersByTime(4100);
    expect(openings).toHaveLength(2);
    came('done');
    vi.advanceTimersByTime(600_000);
    expect(openings).toHaveLength(2);
  },
);

it('goes on though the gate does not open, and gives up when the car must have gone', () => {
  came('unreachable');
  vi.advanceTimersByTime(600_000);
  const exit = openings.length;
  expect(exit).toBeGreaterThan(20);
  expect(exit).toBeLessThan(60);
  came('unreachable', 'entry');
  vi.advanceTimersByTime(600_000);
  // From an entrance a car can turn away.
  expect(openings.length - exit).toBeLessThan(6);
});

it('stops when the loop says that the car has gone, and goes on as long as it says that it stands there', () => {
  there = true;
  came('unreachable');
  vi.advanceTimersByTime(300_000);
  expect(openings.length).toBeGreaterThan(60);
  expect(openings.at(-1)).toEqual(['one', true]);
  there = false;
  vi.advanceTimersByTime(5000);
  const before = openings.length;
  vi.advanceTimersByTime(60_000);
  expect(openings).toHaveLength(before);
});

it('leaves the car alone for which nothing opened once another has come', () => {
  came('unreachable');
  came('done', 'exit', 'two');
  vi.advanceTimersByTime(60_000);
  expect(openings).toEqual([]);
});

it('does not open again for a car behind, which has its own decision, nor at an entrance', () => {
  there = true;
  came('done');
  retries.exit.wentOn('two');
  came('done', 'entry');
  vi.advanceTimersByTime(60_000);
  expect(openings).toEqual([]);
  came('unreachable');
  retries.exit.wentOn('two');
  vi.advanceTimersByTime(2200);
  expect(openings).toEqual([['one', true]]);
});

it('opens again to a car that still stands on the loop when the gate has closed', () => {
  there = true;
  came('done');
  vi.advanceTimersByTime(15_200);
  expect(openings).toEqual([['one', true]]);
});
