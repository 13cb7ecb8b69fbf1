import { expect, it } from 'vitest';
import { MINUTE_MS } from '../base/durations.ts';
import { utcTime } from '../base/utc-time.ts';
import { type LaneAtGate, waitsAtGate } from './car-at-gate.ts';

const EXIT: LaneAtGate = {
  direction: 'exit',
  onLoop: null,
  settings: { exitWaitMinutes: 30 },
  movedOn: () => false,
};
const waits = (afterMs: number, lane: Partial<LaneAtGate> = {}, open = false) =>
  waitsAtGate({ open, seenAt: utcTime(0) }, { ...EXIT, ...lane }, utcTime(afterMs));

it('keeps a car at a closed exit for as long as the site lets it wait, and not longer', () => {
  expect(waits(30 * MINUTE_MS)).toBe(true);
  expect(waits(30 * MINUTE_MS + 1)).toBe(false);
  expect(waits(0, {}, true)).toBe(false);
});

it('believes a loop: a car on it waits however long, and a free loop proves that it has gone', () => {
  expect(waits(300 * MINUTE_MS, { onLoop: true, movedOn: () => true })).toBe(true);
  expect(waits(MINUTE_MS, { onLoop: false })).toBe(false);
  expect(waits(20_000, { onLoop: false })).toBe(true);
});

it('lets a car turn away from an entrance, and go to another lane', () => {
  expect(waits(MINUTE_MS, { direction: 'entry' })).toBe(false);
  expect(waits(20_000, { direction: 'entry' })).toBe(true);
  expect(waits(0, { movedOn: () => true })).toBe(false);
});
