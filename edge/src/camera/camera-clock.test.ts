import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCameraClocks } from './camera-clock.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;

/** Live documents, `everyMs` apart, of a camera whose clock is so far behind; `lagMs` is the network's part. */
function live(
  clocks: ReturnType<typeof createCameraClocks>,
  many: number,
  behindMs: number,
  { from = NOON, everyMs = 20_000, lagMs = (at: number) => (at % 3) * 400 } = {},
): boolean[] {
  return Array.from({ length: many }, (_, at) => {
    const received = from + at * everyMs;
    return clocks.observe('cam', new Date(received - lagMs(at) - behindMs), new Date(received));
  });
}

test('a camera whose clock is right is believed to be right', () => {
  const clocks = createCameraClocks();
  expect(live(clocks, 20, 0).slice(1)).not.toContain(true);
  expect(live(clocks, 20, 9000)).not.toContain(true);
  expect(clocks.beliefs()).toEqual({ cam: 0 });
  expect(clocks.clockBehindMs('cam')).toBe(0);
});

test('a camera an hour behind is found out with its fifth document, and not before', () => {
  const clocks = createCameraClocks();
  expect(live(clocks, 5, HOUR)).toEqual([false, false, false, false, true]);
  expect(clocks.clockBehindMs('cam')).toBe(HOUR);
  expect(clocks.clockBehindMs('another')).toBe(0);
});

test('a camera whose clock is years ahead, or in another zone, is found out too', () => {
  const clocks = createCameraClocks();
  live(clocks, 5, -8 * 365 * 24 * HOUR);
  expect(clocks.clockBehindMs('cam')).toBe(-8 * 365 * 24 * HOUR);
});

test('after an NTP step the camera is right again at once', () => {
  for (const behindMs of [HOUR, -HOUR]) {
    const clocks = createCameraClocks();
    live(clocks, 5, behindMs);
    expect(live(clocks, 2, 0, { from: NOON + HOUR })).toEqual([false, true]);
    expect(clocks.clockBehindMs('cam')).toBe(0);
    expect(clocks.beliefs()).toEqual({ cam: 0 });
  }
});

test('the same document sent again is not evidence', () => {
  const clocks = createCameraClocks();
  const captured = new Date(NOON - HOUR);
  for (let at = 0; at < 10; at++) clocks.observe('cam', captured, new Date(NOON + at * 1100));
  expect(clocks.clockBehindMs('cam')).toBe(0);
});

test('a buffer played back after an outage is not a wrong clock', () => {
  const clocks = createCameraClocks();
  // One car each minute for an hour, ten frames of each within a second, all sent as fast as they go.
  for (let frame = 0; frame < 600; frame++) {
    const captured = NOON - HOUR + Math.floor(frame / 10) * 60_000 + (frame % 10) * 100;
    clocks.observe('cam', new Date(captured), new Date(NOON + frame * 30));
  }
  expect(clocks.clockBehindMs('cam')).toBe(0);
});

test('however a buffer is played back faster than it was filled, it is not a wrong clock', () => {
  const gap = fc.integer({ min: 6000, max: 600_000 });
  fc.assert(
    fc.property(
      fc.array(gap, { minLength: 10, maxLength: 60 }),
      fc.integer({ min: 2, max: 50 }),
      (gaps, speed) => {
        const clocks = createCameraClocks();
        let captured = NOON - 24 * HOUR;
        let received = NOON;
        for (const gapMs of gaps) {
          captured += gapMs;
          received += gapMs / speed;
          if (received - captured < HOUR) break;
          expect(clocks.observe('cam', new Date(captured), new Date(received))).toBe(false);
        }
      },
    ),
  );
});

test('one live document among old news begins the count again', () => {
  const clocks = createCameraClocks();
  live(clocks, 4, HOUR);
  live(clocks, 1, 0, { from: NOON + 90_000 });
  expect(live(clocks, 4, HOUR, { from: NOON + 100_000 })).not.toContain(true);
});

test('a belief survives a restart', () => {
  const before = createCameraClocks();
  live(before, 5, HOUR);
  const after = createCameraClocks(JSON.parse(JSON.stringify(before.beliefs())));
  expect(after.clockBehindMs('cam')).toBe(HOUR);
});

test('a clock that seems to be off is suspected from the second document on, until it is believed or refuted', () => {
  const clocks = createCameraClocks();
  const suspected = () => clocks.suspectedBehindMs('cam');
  live(clocks, 1, HOUR);
  expect(suspected()).toBe(0);
  live(clocks, 1, HOUR, { from: NOON + 20_000 });
  expect(suspected()).toBe(HOUR);
  live(clocks, 1, 0, { from: NOON + 40_000 });
  expect(suspected()).toBe(0);
  live(clocks, 5, HOUR, { from: NOON + 60_000 });
  expect([suspected(), clocks.clockBehindMs('cam')]).toEqual([0, HOUR]);
});

test('what seems late may stand there while the clock is in doubt: from the first document on, or from the second', () => {
  const clocks = createCameraClocks();
  const inDoubt = (behindMs: number, from: number) => {
    live(clocks, 1, behindMs, { from });
    return clocks.inDoubt('cam');
  };
  expect(clocks.inDoubt('cam')).toBe(false);
  expect([inDoubt(HOUR, NOON), inDoubt(HOUR, NOON + 20_000)]).toEqual([true, true]);
  expect(inDoubt(0, NOON + 40_000)).toBe(false);
  // Found right once, as its beliefs say: what comes late is a buffer, until it is steady.
  expect([inDoubt(HOUR, NOON + 60_000), inDoubt(HOUR, NOON + 80_000)]).toEqual([false, true]);
  const after = createCameraClocks(clocks.beliefs());
  live(after, 1, HOUR);
  expect(after.inDoubt('cam')).toBe(false);
});
