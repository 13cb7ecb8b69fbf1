import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GateRetries } from './gate-retries.ts';

let openings: (string | null)[];
let gone: boolean;
let gaveUp: (string | null)[];
let there: boolean | null;
let retries: Record<'exit' | 'entry', GateRetries>;

beforeEach(() => {
  vi.useFakeTimers();
  openings = [];
  gaveUp = [];
  gone = false;
  there = null;
  const retriesAt = (direction: 'exit' | 'entry') => {
    const made = new GateRetries({
      direction,
      arrival: () => there,
      hasGone: () => gone,
      waitsMs: () => 1_800_000,
    });
    made.listen({
      again: (passageId) => openings.push(passageId),
      gaveUp: (passageId) => gaveUp.push(passageId),
    });
    return made;
  };
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
    expect(openings).toEqual(['one']);
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
  expect(gaveUp).toEqual([]);
  vi.advanceTimersByTime(3_600_000);
  const exit = openings.length;
  expect(exit).toBeGreaterThan(60);
  expect(exit).toBeLessThan(120);
  expect(gaveUp).toEqual(['one']);
  came('unreachable', 'entry');
  vi.advanceTimersByTime(600_000);
  // From an entrance a car can turn away.
  expect(openings.length - exit).toBeLessThan(6);
});

it('stops when the loop says that the car has gone, and goes on as long as it says that it stands there', () => {
  there = true;
  came('unreachable');
  vi.advanceTimersByTime(300_000);
  expect(openings.length).toBeGreaterThan(30);
  expect(openings.at(-1)).toBe('one');
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
  expect(openings).toEqual(['one']);
});

it('opens again after a lost answer with pauses that grow, until another car, a read elsewhere or a loop shows that it has gone', () => {
  const ends = [
    () => retries.exit.wentOn('two'),
    () => retries.exit.wentOn(null),
    () => {
      gone = true;
    },
    () => {
      there = true;
      vi.advanceTimersByTime(31_000);
      there = false;
    },
  ];
  for (const end of ends) {
    [gone, there, openings] = [false, null, []];
    came('unknown');
    const times: number[] = [];
    for (let seconds = 0; seconds < 600; seconds++) {
      vi.advanceTimersByTime(1000);
      while (times.length < openings.length) times.push(seconds);
    }
    const pauses = times.map((time, index) => time - (times[index - 1] ?? 0)).slice(1);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(31);
    expect(pauses.at(0)).toBeLessThan(5);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(29);
    end();
    vi.advanceTimersByTime(31_000);
    const before = openings.length;
    vi.advanceTimersByTime(3_600_000);
    expect(openings).toHaveLength(before);
  }
  expect(gaveUp).toEqual([]);
});

it('does not take a loop that the car has not reached yet for one that it has left', () => {
  there = false;
  came('unknown');
  vi.advanceTimersByTime(15_000);
  expect(openings.length).toBeGreaterThan(2);
});

it('opens again to a car that still stands on the loop when the gate has closed', () => {
  there = true;
  came('done');
  vi.advanceTimersByTime(15_200);
  expect(openings).toEqual(['one']);
});
