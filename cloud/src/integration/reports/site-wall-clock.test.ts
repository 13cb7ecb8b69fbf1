import { DAY_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import { utcTime } from '@hlid/protocol/base/utc-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { siteWallClock } from './site-wall-clock.ts';

const ZONES = [
  'Atlantic/Reykjavik',
  'Europe/Oslo',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
];

describe('the clock on the wall', () => {
  it('shows what the calendar of the site shows, also when the clocks are changed', () => {
    const read = siteWallClock();
    const from = Date.parse('2026-01-01T00:00:00.000Z');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 366 * DAY_MS }), fc.constantFrom(...ZONES), (ms, zone) => {
        const at = utcTime(from + ms);
        const shown = new Date(read(at, zone)).toISOString();
        const { date, minute } = wallClock(at, zone);
        const time = [Math.floor(minute / 60), minute % 60]
          .map((part) => String(part).padStart(2, '0'))
          .join(':');
        expect(shown.slice(0, 16)).toBe(`${date}T${time}`);
        expect(shown.slice(16)).toBe(at.slice(16));
      }),
      { numRuns: 300 },
    );
  });
});
