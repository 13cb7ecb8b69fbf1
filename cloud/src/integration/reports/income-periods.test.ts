import { describe, expect, it } from 'vitest';
import { daysBetween, periodKey, periodsOf } from './income-periods.ts';

describe('the week of a day', () => {
  it.each([
    ['2024-12-29', '2024-W52'],
    ['2024-12-30', '2025-W01'],
    ['2026-01-01', '2026-W01'],
    ['2026-11-21', '2026-W47'],
    ['2026-12-31', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['1969-12-31', '1970-W01'],
  ])('%s is in %s', (day, week) => {
    expect(periodKey('week', day)).toBe(week);
  });
});

describe('periods', () => {
  it('follow on each other without gaps, cut off at both ends', () => {
    expect(periodsOf('month', '2026-01-30', '2026-03-02')).toEqual([
      { key: '2026-01', name: null, from: '2026-01-30', to: '2026-01-31' },
      { key: '2026-02', name: null, from: '2026-02-01', to: '2026-02-28' },
      { key: '2026-03', name: null, from: '2026-03-01', to: '2026-03-02' },
    ]);
    expect(periodsOf('week', '2026-11-15', '2026-11-16').map(({ key }) => key)).toEqual([
      '2026-W46',
      '2026-W47',
    ]);
    expect(periodsOf('day', '2024-02-28', '2024-03-01').map(({ key }) => key)).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
  });

  it('of one day are one', () => {
    expect(daysBetween('2026-11-21', '2026-11-21')).toBe(1);
    expect(periodsOf('month', '2026-11-21', '2026-11-21')).toHaveLength(1);
  });
});
