import { expect, it } from 'vitest';
import { periodBefore, usualSplit } from './compared-period.ts';

const before = (from: string, to: string) => Object.values(periodBefore({ from, to })).join(' ');

it('compares whole months with whole months', () => {
  expect(before('2026-03-01', '2026-03-31')).toBe('2026-02-01 2026-02-28');
  expect(before('2026-01-01', '2026-03-31')).toBe('2025-10-01 2025-12-31');
  expect(before('2026-01-01', '2026-12-31')).toBe('2025-01-01 2025-12-31');
});

it('compares the beginning of a month with the same days of the month before', () => {
  expect(before('2026-11-01', '2026-11-23')).toBe('2026-10-01 2026-10-23');
  // February has no 30th.
  expect(before('2026-03-01', '2026-03-30')).toBe('2026-02-01 2026-02-28');
});

it('compares other periods with as many days before them', () => {
  expect(before('2026-11-17', '2026-11-23')).toBe('2026-11-10 2026-11-16');
  expect(before('2026-11-01', '2026-12-05')).toBe('2026-09-27 2026-10-31');
  expect(before('2026-11-23', '2026-11-23')).toBe('2026-11-22 2026-11-22');
});

it('splits a period into bars wide enough to read', () => {
  expect(usualSplit({ from: '2026-11-01', to: '2026-11-30' })).toBe('day');
  expect(usualSplit({ from: '2026-06-01', to: '2026-11-30' })).toBe('week');
  expect(usualSplit({ from: '2026-01-01', to: '2026-12-31' })).toBe('month');
});
