import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CameraActivity,
  forgiveSilence,
  NO_ACTIVITY,
  noteActivity,
  silenceLimit,
} from './camera-activity.ts';

/** A Monday at midnight. */
const START = Date.parse('2026-11-02T00:00:00.000Z');

const isSilent = (activity: CameraActivity, now: number) =>
  activity.lastAt !== null && now - activity.lastAt > silenceLimit(activity, now).limitMs;

/** Sends at these moments. @returns every moment at which it counted as silent, checked every 10 minutes */
function live(moments: readonly { at: number; heartbeat?: boolean }[], until: number) {
  let activity = NO_ACTIVITY;
  const silentAt: number[] = [];
  let looked = moments[0]?.at ?? until;
  for (const { at, heartbeat = false } of [...moments, { at: until }]) {
    for (; looked < at; looked += 10 * MINUTE_MS) if (isSilent(activity, looked)) silentAt.push(looked);
    if (at < until) activity = noteActivity(activity, at, heartbeat);
  }
  return { activity, silentAt };
}

const cars = (weeks: number, inWeek: readonly number[]) =>
  Array.from({ length: weeks }, (_, week) =>
    inWeek.map((at) => ({ at: START + week * WEEK_MS + at })),
  ).flat();

describe('a camera that sends heartbeats', () => {
  const beats = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ at: START + n * 2 * MINUTE_MS, heartbeat: true }));

  it('is silent when three of them do not come', () => {
    const { activity } = live(beats(10), START + 19 * MINUTE_MS);
    const last = START + 18 * MINUTE_MS;
    expect(silenceLimit(activity, last)).toEqual({ limitMs: 6 * MINUTE_MS, because: 'heartbeats' });
    expect([isSilent(activity, last + 5 * MINUTE_MS), isSilent(activity, last + 7 * MINUTE_MS)]).toEqual([
      false,
      true,
    ]);
  });

  it('keeps its limit after one outage, and when cars come between heartbeats', () => {
    const away = [...beats(10), { at: START + HOUR_MS, heartbeat: true }];
    const busy = away.flatMap((beat) => [{ at: beat.at - 1000 }, beat]);
    expect(silenceLimit(live(busy, START + DAY_MS).activity, START).limitMs).toBe(6 * MINUTE_MS);
  });

  it('that stops sending heartbeats is judged by its cars again', () => {
    const { activity } = live([...beats(10), { at: START + 3 * HOUR_MS }], START + 4 * HOUR_MS);
    expect(silenceLimit(activity, START + 4 * HOUR_MS).because).toBe('still-learning');
  });

  it('is never silent as long as they come within three times the usual time', () => {
    const pattern = fc.tuple(
      fc.integer({ min: 10_000, max: 15 * MINUTE_MS }),
      fc.array(fc.double({ min: 1, max: 2.9, noNaN: true }), { minLength: 5, maxLength: 100 }),
    );
    fc.assert(
      fc.property(pattern, ([periodMs, steps]) => {
        const moments = [{ at: START, heartbeat: true }];
        for (const step of steps) {
          const { at } = moments.at(-1) ?? { at: START };
          moments.push({ at: at + periodMs * step, heartbeat: true });
        }
        expect(live(moments, (moments.at(-1)?.at ?? START) + 1).silentAt).toEqual([]);
      }),
    );
  });
});

describe('a camera that sends only when a car comes', () => {
  /** Mondays to Fridays from 7 to 18, each 20 minutes. */
  const office = Array.from({ length: 5 }, (_, weekday) =>
    Array.from({ length: 34 }, (_, n) => weekday * DAY_MS + 7 * HOUR_MS + n * 20 * MINUTE_MS),
  ).flat();

  it('may be silent all night and all weekend, from the first week on', () => {
    expect(live(cars(4, office), START + 4 * WEEK_MS).silentAt).toEqual([]);
  });

  it('that fails is detected on the next morning with usual traffic', () => {
    const moments = cars(3, office).filter(({ at }) => at < START + 2 * WEEK_MS + DAY_MS + 3 * HOUR_MS);
    const { silentAt } = live(moments, START + 3 * WEEK_MS);
    const found = new Date(silentAt[0] ?? 0);
    // It died after Monday's last car; Tuesday's first would have come at 7.
    expect(found.toISOString().slice(0, 13)).toBe('2026-11-17T09');
  });

  it('that was away for days has a longer limit for some weeks only', () => {
    const holiday = cars(9, office).filter(
      ({ at }) => at < START + WEEK_MS || at > START + WEEK_MS + 4 * DAY_MS,
    );
    const { activity } = live(holiday, START + 9 * WEEK_MS);
    const noon = START + 9 * WEEK_MS + DAY_MS + 12 * HOUR_MS;
    expect(silenceLimit(activity, noon).limitMs).toBeLessThan(4 * HOUR_MS);
  });

  it('never alarms while it keeps to its week, whatever its week is, half an hour more or less', () => {
    const LATEST_MS = 15 * MINUTE_MS;
    const week = fc.tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 7 * 24 * 60 - 1 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 7, maxLength: 7 }),
    );
    fc.assert(
      fc.property(week, ([minutes, late]) => {
        const inWeek = minutes.toSorted((one, other) => one - other).map((minute) => minute * MINUTE_MS);
        const moments = cars(5, inWeek)
          .map(({ at }, n) => ({ at: at + (late[n % 7] ?? 0) * MINUTE_MS }))
          .toSorted((one, other) => one.at - other.at);
        const lastAt = moments.at(-1)?.at ?? START;
        const { silentAt } = live(moments, lastAt);
        // The first week it is new, and a week may be one long silence, up to a car that is late.
        const settled = START + 2 * WEEK_MS + LATEST_MS;
        expect(silentAt.filter((at) => at > settled)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('is not silent any more when it sends something', () => {
    const dead = START + 3 * WEEK_MS + 12 * HOUR_MS;
    const { activity } = live(cars(3, office), dead);
    expect(isSilent(activity, dead)).toBe(true);
    expect(isSilent(noteActivity(activity, dead, false), dead + HOUR_MS)).toBe(false);
  });

  it('is not silent because the program did not run, or the clock was set', () => {
    const { activity } = live(cars(2, office), START + 2 * WEEK_MS);
    const later = START + 3 * WEEK_MS;
    const after = noteActivity(forgiveSilence(activity), later, false);
    expect([after.watchedMs, after.quiet]).toEqual([activity.watchedMs, activity.quiet]);
    expect(isSilent(noteActivity(activity, START, false), START)).toBe(false);
  });

  it('that never sent anything is silent after a day', () => {
    expect(silenceLimit(NO_ACTIVITY, START)).toEqual({ limitMs: DAY_MS, because: 'never-heard' });
  });
});
