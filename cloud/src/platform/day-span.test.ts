import { expect, it } from 'vitest';
import { askedPeriod, dayEnds, daySpan } from './day-span.ts';

it.each([
  ['2026-11-21', 'Atlantic/Reykjavik', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['2026-11-21', 'Europe/Copenhagen', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Copenhagen', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Copenhagen', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ['2026-01-01', 'Pacific/Auckland', '2025-12-31T11:00:00.000Z', '2026-01-01T11:00:00.000Z'],
  ['2026-01-01', 'America/Los_Angeles', '2026-01-01T08:00:00.000Z', '2026-01-02T08:00:00.000Z'],
  ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'],
])('%s in %s', (day, timeZone, from, before) => {
  expect(daySpan(day, timeZone)).toEqual({ from, before });
});

it('a day that was left out is empty', () => {
  const { from, before } = daySpan('2011-12-30', 'Pacific/Apia');
  expect(from).toBe(before);
});

it.each(['9999-12-31', '9999-12-31T23:59:59.999Z'])('%s sorts after all other moments', (last) => {
  const { before } = askedPeriod({ first: undefined, last }, 'America/Los_Angeles');
  expect(before).toBe('9999-12-31T23:59:59.999Z');
});

it.each([
  ['Atlantic/Reykjavik', '2026-01-01', '2026-12-31'],
  ['Europe/Copenhagen', '2026-01-01', '2026-12-31'],
  ['America/St_Johns', '2006-01-01', '2006-12-31'],
  // The clocks skip midnight there, or repeat it.
  ['America/Havana', '2026-01-01', '2026-12-31'],
  ['Asia/Beirut', '2026-01-01', '2026-12-31'],
])('the days of a year at once end when each of them does: %s', (timeZone, from, to) => {
  const endOf = dayEnds({ from, to }, timeZone);
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += 86_400_000) {
    const day = new Date(ms).toISOString().slice(0, 10);
    expect([day, new Date(endOf(day)).toISOString()]).toEqual([day, daySpan(day, timeZone).before]);
  }
});
