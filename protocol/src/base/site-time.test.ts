import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from './durations.ts';
import {
  dailyWindow,
  isAlwaysOpen,
  minuteOfDay,
  TimeZoneSchema,
  WallTimeSchema,
  wallClock,
} from './site-time.ts';
import { millis, utcTime } from './utc-time.ts';

const BERLIN = 'Europe/Berlin';
const wallTime = fc
  .integer({ min: 0, max: 1439 })
  .map(
    (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  );
const zone = fc.constantFrom(
  'Atlantic/Reykjavik',
  BERLIN,
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
);

const openings = (from: string, to: string, startTime: string, endTime: string, timeZone = 'UTC') =>
  [...dailyWindow(`${from}:00.000Z`, `${to}:00.000Z`, { startTime, endTime }, timeZone)].map(
    (opening) => `${opening.from.slice(0, 16)}/${opening.to.slice(0, 16)} ${opening.weekday}`,
  );

describe('schemas', () => {
  it.each([
    ['00:00', true],
    ['23:59', true],
    ['24:00', false],
    ['8:30', false],
    ['08:60', false],
    ['08:30:00', false],
  ])('takes %s for a time of day: %s', (text, taken) => {
    expect(WallTimeSchema.safeParse(text).success).toBe(taken);
  });

  it.each([
    ['Atlantic/Reykjavik', true],
    ['UTC', true],
    ['Atlantic/Atlantis', false],
    ['', false],
  ])('takes %j for a time zone: %s', (text, taken) => {
    expect(TimeZoneSchema.safeParse(text).success).toBe(taken);
  });
});

describe('wallClock', () => {
  it.each([
    ['2026-11-21T08:30:59.999Z', 'Atlantic/Reykjavik', '2026-11-21', '08:30', 6],
    ['2026-11-22T23:30:00.000Z', BERLIN, '2026-11-23', '00:30', 1],
    ['2026-03-29T00:59:59.999Z', BERLIN, '2026-03-29', '01:59', 7],
    ['2026-03-29T01:00:00.000Z', BERLIN, '2026-03-29', '03:00', 7],
    ['2026-10-25T00:30:00.000Z', BERLIN, '2026-10-25', '02:30', 7],
    ['2026-10-25T01:30:00.000Z', BERLIN, '2026-10-25', '02:30', 7],
    ['2026-07-01T03:30:00.000Z', 'America/New_York', '2026-06-30', '23:30', 2],
  ])('at %s in %s shows %s %s', (at, timeZone, date, time, weekday) => {
    expect(wallClock(at, timeZone)).toEqual({ date, minute: minuteOfDay(time), weekday });
  });
});

describe('dailyWindow', () => {
  it('opens once a day, its last minute included', () => {
    expect(openings('2026-11-20T00:00', '2026-11-22T00:00', '08:00', '17:59')).toEqual([
      '2026-11-20T08:00/2026-11-20T18:00 5',
      '2026-11-21T08:00/2026-11-21T18:00 6',
    ]);
  });

  it('gives the part that was asked for', () => {
    expect(openings('2026-11-20T09:00', '2026-11-20T10:00', '08:00', '17:59')).toEqual([
      '2026-11-20T09:00/2026-11-20T10:00 5',
    ]);
    expect(openings('2026-11-20T18:00', '2026-11-21T08:00', '08:00', '17:59')).toEqual([]);
    expect(openings('2026-11-20T09:00', '2026-11-20T09:00', '08:00', '17:59')).toEqual([]);
    expect(openings('2026-11-20T10:00', '2026-11-20T09:00', '08:00', '17:59')).toEqual([]);
  });

  it('crosses midnight on the weekday on which it opened', () => {
    expect(openings('2026-11-22T02:00', '2026-11-23T02:00', '22:00', '05:59')).toEqual([
      '2026-11-22T02:00/2026-11-22T06:00 6',
      '2026-11-22T22:00/2026-11-23T02:00 7',
    ]);
  });

  it('is one minute long where it opens and closes in the same', () => {
    expect(openings('2026-11-20T00:00', '2026-11-21T00:00', '08:00', '08:00')).toEqual([
      '2026-11-20T08:00/2026-11-20T08:01 5',
    ]);
  });

  it('goes by the wall clock when the clocks go forward', () => {
    expect(openings('2026-03-29T00:00', '2026-03-29T06:00', '01:30', '03:29', BERLIN)).toEqual([
      '2026-03-29T00:30/2026-03-29T01:00 7',
      '2026-03-29T01:00/2026-03-29T01:30 7',
    ]);
    expect(openings('2026-03-28T23:00', '2026-03-29T22:00', '02:00', '02:59', BERLIN)).toEqual([]);
  });

  it('goes by the wall clock when the clocks go back', () => {
    expect(openings('2026-10-24T22:00', '2026-10-25T22:00', '02:00', '02:29', BERLIN)).toEqual([
      '2026-10-25T00:00/2026-10-25T00:30 7',
      '2026-10-25T01:00/2026-10-25T01:30 7',
    ]);
  });

  it('contains a moment exactly where the wall clock then stands in the window', () => {
    const moment = fc
      .tuple(
        fc.constantFrom('2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z', '2026-11-01T06:00:00.000Z'),
        fc.integer({ min: -DAY_MS, max: DAY_MS }),
      )
      .map(([near, offMs]) => utcTime(millis(near) + offMs));
    fc.assert(
      fc.property(moment, zone, wallTime, wallTime, (at, timeZone, startTime, endTime) => {
        const { minute } = wallClock(at, timeZone);
        // An end of 00:00 is the midnight after it.
        const closes = endTime === '00:00' ? DAY_MS / MINUTE_MS - 1 : minuteOfDay(endTime);
        const opens = minuteOfDay(startTime);
        const within =
          opens <= closes ? minute >= opens && minute <= closes : minute >= opens || minute <= closes;
        const next = utcTime(millis(at) + 1);
        expect([...dailyWindow(at, next, { startTime, endTime }, timeZone)]).toHaveLength(within ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });

  it('is in order and never twice at one moment', () => {
    fc.assert(
      fc.property(
        zone,
        wallTime,
        wallTime,
        fc.integer({ min: 0, max: 40 }),
        (timeZone, startTime, endTime, days) => {
          const from = '2026-10-15T11:11:11.111Z';
          const to = utcTime(millis(from) + days * DAY_MS);
          let end = from;
          for (const opening of dailyWindow(from, to, { startTime, endTime }, timeZone)) {
            expect(opening.from >= end && opening.from < opening.to).toBe(true);
            end = opening.to;
          }
          expect(end <= to).toBe(true);
        },
      ),
    );
  });
});

describe('isAlwaysOpen', () => {
  it.each([
    ['00:00', '23:59', true],
    ['22:00', '21:59', true],
    ['00:00', '23:58', false],
    ['00:01', '23:59', false],
    ['08:00', '08:00', false],
  ])('says of %s to %s: %s', (startTime, endTime, always) => {
    expect(isAlwaysOpen({ startTime, endTime })).toBe(always);
  });
});
