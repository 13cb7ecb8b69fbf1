import { HOUR_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysOf, keyAfter, periodOf, periodOfKey } from './billing-period.ts';

it.each([
  ['daily', 'Atlantic/Reykjavik', '2026-11-21T23:59:59.999Z', '2026-11-21', 24],
  ['daily', 'Europe/Copenhagen', '2026-03-28T23:00:00.000Z', '2026-03-29', 23],
  ['daily', 'Europe/Copenhagen', '2026-10-25T12:00:00.000Z', '2026-10-25', 25],
  ['monthly', 'Atlantic/Reykjavik', '2026-02-28T23:59:59.999Z', '2026-02', 28 * 24],
  ['monthly', 'Europe/Copenhagen', '2026-02-28T23:00:00.000Z', '2026-03', 31 * 24 - 1],
  ['monthly', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', '2027-01', 31 * 24],
] as const)('%s in %s at %s is %s', (interval, timeZone, at, key, hours) => {
  const period = periodOf(at, interval, timeZone);
  expect(period.key).toBe(key);
  expect((millis(period.before) - millis(period.from)) / HOUR_MS).toBe(hours);
});

it('every moment is in its period, and the next one begins as it ends', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
      fc.constantFrom('daily' as const, 'monthly' as const),
      fc.constantFrom('Atlantic/Reykjavik', 'Europe/Copenhagen', 'America/New_York', 'Pacific/Auckland'),
      (date, interval, timeZone) => {
        const at = date.toISOString();
        const period = periodOf(at, interval, timeZone);
        expect(period.from <= at && at < period.before).toBe(true);
        const next = periodOfKey(keyAfter(period.key), timeZone);
        expect(next.from).toBe(period.before);
        expect(next.key > period.key).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

it('a period is named to people by its first and last day', () => {
  expect(daysOf('2026-02')).toEqual(['2026-02-01', '2026-02-28']);
  expect(daysOf('2026-12')).toEqual(['2026-12-01', '2026-12-31']);
  expect(daysOf('2026-02-10')).toEqual(['2026-02-10', '2026-02-10']);
});
