import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CameraClocks } from './camera-clock.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** No time zone is off by this much. */
const ODD = 47 * MINUTE;

let documents = 0;
const newKey = () => `document-${++documents}`;

/**
 * Live documents, `everyMs` apart, of a camera with a clock that is this far behind; `lagMs` is the network's
 * part.
 */
function live(
  clocks: CameraClocks,
  many: number,
  behindMs: number,
  { from = NOON, everyMs = 20_000, lagMs = (at: number) => (at % 3) * 400 } = {},
): boolean[] {
  return Array.from({ length: many }, (_, at) => {
    const received = from + at * everyMs;
    return clocks.observe('cam', new Date(received - lagMs(at) - behindMs), new Date(received), newKey());
  });
}

test('a camera whose clock is right is believed to be right', () => {
  const clocks = new CameraClocks();
  expect(live(clocks, 20, 0).slice(1)).not.toContain(true);
  expect(live(clocks, 20, 9000)).not.toContain(true);
  expect(clocks.beliefs()).toEqual({ cam: 0 });
  expect(clocks.clockBehindMs('cam')).toBe(0);
});

test('a camera of which nothing is known is found out with its fifth document, and not before', () => {
  const clocks = new CameraClocks();
  expect(live(clocks, 5, ODD)).toEqual([false, false, false, false, true]);
  expect(clocks.clockBehindMs('cam')).toBe(ODD);
  expect(clocks.clockBehindMs('another')).toBe(0);
});

test('a camera whose clock is years ahead, or in another zone, is found out too', () => {
  const clocks = new CameraClocks();
  live(clocks, 5, -8 * 365 * 24 * HOUR);
  expect(clocks.clockBehindMs('cam')).toBe(-8 * 365 * 24 * HOUR);
});

test('a camera is right again at once after an NTP step', () => {
  for (const behindMs of [HOUR, -HOUR]) {
    const clocks = new CameraClocks();
    live(clocks, 5, behindMs);
    expect(live(clocks, 2, 0, { from: NOON + HOUR })).toEqual([true, false]);
    expect(clocks.clockBehindMs('cam')).toBe(0);
    expect(clocks.beliefs()).toEqual({ cam: 0 });
  }
});

test('the same document sent again is not evidence', () => {
  const clocks = new CameraClocks();
  const captured = new Date(NOON - ODD);
  for (let at = 0; at < 10; at++) clocks.observe('cam', captured, new Date(NOON + at * 1100), 'the same');
  expect(clocks.clockBehindMs('cam')).toBe(0);
});

test('a buffer played back after an outage is not a wrong clock', () => {
  const clocks = new CameraClocks();
  // One car each minute for an hour, ten frames of each within a second, all sent as fast as they go.
  for (let frame = 0; frame < 600; frame++) {
    const captured = NOON - HOUR + Math.floor(frame / 10) * 60_000 + (frame % 10) * 100;
    clocks.observe('cam', new Date(captured), new Date(NOON + frame * 30), newKey());
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
        const clocks = new CameraClocks();
        let captured = NOON - 24 * HOUR;
        let received = NOON;
        let opens = 0;
        for (const gapMs of gaps) {
          captured += gapMs;
          received += gapMs / speed;
          if (received - captured < HOUR) break;
          clocks.observe('cam', new Date(captured), new Date(received), newKey());
          if (received - captured - clocks.clockBehindMs('cam') <= 15_000) opens++;
        }
        // Not even the first document of the buffer opens the gate, unless its age happens to be whole hours.
        expect(opens).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test('one live document among old news begins the count again', () => {
  const clocks = new CameraClocks();
  live(clocks, 4, ODD);
  live(clocks, 1, 0, { from: NOON + 90_000 });
  expect(live(clocks, 4, ODD, { from: NOON + 100_000 })).not.toContain(true);
});

test('a belief survives a restart', () => {
  const before = new CameraClocks();
  live(before, 5, HOUR);
  const after = new CameraClocks(JSON.parse(JSON.stringify(before.beliefs())));
  expect(after.clockBehindMs('cam')).toBe(HOUR);
});

test('a clock that seems to be off is suspected from the second document on, until it is believed or refuted', () => {
  const clocks = new CameraClocks();
  const suspected = () => clocks.suspectedBehindMs('cam');
  live(clocks, 1, ODD);
  expect(suspected()).toBe(0);
  live(clocks, 1, ODD, { from: NOON + 20_000 });
  expect(suspected()).toBe(ODD);
  live(clocks, 1, 0, { from: NOON + 40_000 });
  expect(suspected()).toBe(0);
  live(clocks, 5, ODD, { from: NOON + 60_000 });
  expect([suspected(), clocks.clockBehindMs('cam')]).toEqual([0, ODD]);
});

test('what seems late may stand there, until more than one document shows that a buffer is played back', () => {
  const clocks = new CameraClocks();
  const inDoubt = (behindMs: number, from: number) => {
    live(clocks, 1, behindMs, { from });
    return clocks.inDoubt('cam');
  };
  expect(clocks.inDoubt('cam')).toBe(false);
  expect([inDoubt(ODD, NOON), inDoubt(ODD, NOON + 20_000)]).toEqual([true, true]);
  expect(inDoubt(0, NOON + 40_000)).toBe(false);
  expect([inDoubt(ODD, NOON + 60_000), inDoubt(ODD - MINUTE, NOON + 61_000)]).toEqual([true, false]);
  expect(inDoubt(ODD - 2 * MINUTE, NOON + 62_000)).toBe(false);
  expect(inDoubt(ODD, NOON + 300_000)).toBe(true);
});

/** Any step of a clock that is not taken for none. */
const anyJump = fc
  .integer({ min: 16_000, max: 400 * 24 * HOUR })
  .chain((byMs) => fc.constantFrom(byMs, -byMs));

test('a clock that jumps by anything is found out with the first document, where the camera was heard before', () => {
  fc.assert(
    fc.property(
      anyJump,
      fc.integer({ min: 5000, max: 120_000 }),
      fc.integer({ min: 20, max: 200 }),
      (jump, everyMs, many) => {
        const clocks = new CameraClocks();
        for (let at = 0; at < many; at++)
          clocks.documentReceived('cam', new Date(NOON + at * 60_000 + 20_000));
        live(clocks, many, 0, { everyMs });
        const received = NOON + many * 60_000 + 200_000;
        clocks.documentReceived('cam', new Date(received - 10_000));
        live(clocks, 1, jump, { from: received, lagMs: () => 300 });
        const isLate = 300 + jump - clocks.clockBehindMs('cam') > 15_000;
        expect(isLate).toBe(false);
      },
    ),
  );
});

test('a change of our own clock is understood at once, of cameras that were set with it and of others', () => {
  fc.assert(
    fc.property(
      anyJump,
      fc.integer({ min: -30 * HOUR, max: 30 * HOUR }),
      fc.boolean(),
      (jump, behind, both) => {
        const clocks = new CameraClocks();
        live(clocks, 30, behind);
        clocks.shift(['cam'], jump);
        const from = NOON + 700_000 + jump;
        const now = both ? behind : behind + jump;
        live(clocks, 1, now, { from });
        const isLate = now - clocks.clockBehindMs('cam') > 15_000;
        expect(isLate).toBe(false);
      },
    ),
  );
});

test('a buffer that looks like a jump is believed for no more than its first document', () => {
  const clocks = new CameraClocks();
  live(clocks, 20, 0);
  const from = NOON + 20 * 20_000;
  // Each car a minute after the other, an hour ago to the second.
  const late = Array.from({ length: 20 }, (_, at) => {
    const received = from + at * 200;
    const captured = from - HOUR + at * MINUTE;
    clocks.observe('cam', new Date(captured), new Date(received), newKey());
    return received - captured - clocks.clockBehindMs('cam') > 15_000;
  });
  expect(late).toEqual([false, ...Array(19).fill(true)]);
  expect(clocks.clockBehindMs('cam')).toBe(0);
});
