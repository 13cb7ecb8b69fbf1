import { dayAfter } from '@hlid/protocol/base/calendar-day';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { workDaysOf } from './work-days.ts';

const after = async (day: string, days: number, ...countries: string[]) =>
  (await workDaysOf(countries, day)).after(day, days);

it('banks work neither on weekends nor on public holidays of their country', async () => {
  // Maundy Thursday and Good Friday, the weekend, and Easter Monday.
  expect(await after('2027-03-24', 1, 'IS')).toBe('2027-03-30');
  expect(await after('2027-03-24', 1, 'GB')).toBe('2027-03-25');
  expect(await after('2027-06-16', 2, 'IS')).toBe('2027-06-21');
  expect(await after('2027-06-16', 2, 'DK')).toBe('2027-06-18');
});

it('a year ends with its holidays, and half of one is a day of work', async () => {
  // Christmas Eve is a holiday from 13:00.
  expect(await after('2026-12-23', 1, 'IS')).toBe('2026-12-24');
  expect(await after('2026-12-24', 1, 'IS')).toBe('2026-12-28');
  expect(await after('2026-12-30', 2, 'IS')).toBe('2027-01-04');
});

it('of several countries, a bank of one works on a holiday of the other', async () => {
  expect(await after('2027-03-24', 1, 'IS', 'GB')).toBe('2027-03-25');
  expect(await after('2027-03-25', 1, 'IS', 'GB')).toBe('2027-03-30');
});

it('an unknown country has weekends alone', async () => {
  expect(await after('2026-12-24', 1, 'XX')).toBe('2026-12-25');
  expect(await after('2026-12-25', 1)).toBe('2026-12-28');
});

it('the day after some days of work is one, and has so many of them behind it', async () => {
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true });
  await fc.assert(
    fc.asyncProperty(
      day.map((date) => date.toISOString().slice(0, 10)),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('IS', 'DE', 'DK', 'GB'),
      async (from, days, country) => {
        const workDays = await workDaysOf([country], from);
        const end = workDays.after(from, days);
        expect(workDays.has(end)).toBe(true);
        let worked = 0;
        for (let one = dayAfter(from, 1); one <= end; one = dayAfter(one, 1))
          worked += Number(workDays.has(one));
        expect(worked).toBe(days);
      },
    ),
    { numRuns: 60 },
  );
});
