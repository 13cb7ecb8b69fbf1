import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { expect, test } from 'vitest';
import { clockBehindMs } from './clock-behind.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

/** Reads with these delays, the newest first, so far apart. */
function reads(delays: readonly number[], apartMs = 5000) {
  return delays.map((delayMs, n) => {
    const receivedMs = NOW - n * apartMs;
    return { capturedAt: utcTime(receivedMs - delayMs), receivedAt: utcTime(receivedMs) };
  });
}

test.each<[string, number[], number]>([
  ['a right clock', [300, 500, 400, 350, 900], 0],
  ['nothing known', [], 0],
  ['one odd delay', [HOUR_MS], 0],
  ['too few that agree', [HOUR_MS, HOUR_MS + 10, HOUR_MS + 20, HOUR_MS + 5], 0],
  ['five that agree', [HOUR_MS + 100, HOUR_MS + 10, HOUR_MS + 20, HOUR_MS + 5, HOUR_MS + 90], HOUR_MS + 5],
  ['a clock that is ahead', [-HOUR_MS, -HOUR_MS + 5, -HOUR_MS + 9, -HOUR_MS + 2, -HOUR_MS + 3], -HOUR_MS],
  ['delays of a buffer that is worked off', [50_000, 60_000, 70_000, 80_000, 90_000, 100_000], 0],
  ['put right since', [200, 300, HOUR_MS, HOUR_MS, HOUR_MS, HOUR_MS, HOUR_MS], 0],
  [
    'one odd delay over a wrong clock',
    [5 * HOUR_MS, HOUR_MS, HOUR_MS + 1, HOUR_MS + 2, HOUR_MS + 3, HOUR_MS + 4],
    HOUR_MS,
  ],
])('%s', (_what, delays, behind) => {
  expect(clockBehindMs(reads(delays))).toBe(behind);
});

test('a burst is one piece of evidence', () => {
  expect(clockBehindMs(reads([HOUR_MS, HOUR_MS, HOUR_MS, HOUR_MS, HOUR_MS, HOUR_MS], 100))).toBe(0);
});

test('reads without a time of their own say nothing', () => {
  expect(clockBehindMs([{ capturedAt: null, receivedAt: utcTime(NOW) }])).toBe(0);
});
