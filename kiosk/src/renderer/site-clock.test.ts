import { describe, expect, it } from 'vitest';
import {
  daysUntil,
  dayText,
  enteredText,
  lengthText,
  momentOf,
  rateText,
  shortEnteredText,
  timeText,
} from './site-clock.ts';
import { EN } from './words/en.ts';
import { IS } from './words/is.ts';

describe('momentOf', () => {
  it.each([
    ['2026-11-21', 0, 'Atlantic/Reykjavik', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 24, 'Atlantic/Reykjavik', '2026-11-22T00:00:00.000Z'],
    ['2026-07-01', 8, 'Europe/Copenhagen', '2026-07-01T06:00:00.000Z'],
    // The clocks go back at 03:00, and forward at 02:00.
    ['2026-10-25', 12, 'Europe/Copenhagen', '2026-10-25T11:00:00.000Z'],
    ['2026-03-29', 12, 'Europe/Copenhagen', '2026-03-29T10:00:00.000Z'],
    ['2026-01-01', 0, 'Pacific/Auckland', '2025-12-31T11:00:00.000Z'],
  ])('%s %d:00 in %3$s', (day, hour, zone, moment) => {
    expect(momentOf(day, hour, zone)).toBe(moment);
  });
});

describe('what a driver reads of times', () => {
  const now = new Date('2026-11-21T12:30:00Z');
  const zone = 'Atlantic/Reykjavik';

  it('names near days, and dates the others, without the browser knowing Icelandic', () => {
    expect(daysUntil('2026-03-01', 2)).toEqual(['2026-03-01', '2026-02-28']);
    expect(dayText('2026-11-21', '2026-11-21', IS)).toBe('Í\u00a0dag');
    expect(dayText('2026-11-20', '2026-11-21', EN)).toBe('Yesterday');
    expect(dayText('2026-11-19', '2026-11-21', IS)).toBe('fimmtudagur 19.\u00a0nóvember');
    expect(enteredText('2026-11-21T08:22:00.000Z', now, zone, IS)).toBe('Kom inn í\u00a0dag kl.\u00a008:22');
    // “On Thursday” is a case of its own, and so is “until Thursday”.
    expect(enteredText('2026-11-19T08:22:00.000Z', now, zone, IS)).toBe(
      'Kom inn fimmtudaginn 19.\u00a0nóvember kl.\u00a008:22',
    );
    expect(IS.leave.untilDay('fimmtudagur 19. nóvember', '08:22')).toBe(
      'til fimmtudags 19. nóvember kl.\u00a008:22',
    );
    expect(enteredText('2026-11-19T08:22:00.000Z', now, zone, EN)).toBe(
      'Came in on Thursday 19\u00a0November at\u00a008:22',
    );
    // On a small card.
    const shortly = (at: string) => [IS, EN].map((words) => shortEnteredText(at, now, zone, words));
    expect(shortly('2026-11-20T08:22:00.000Z')).toEqual([
      'í\u00a0gær kl.\u00a008:22',
      'yesterday at\u00a008:22',
    ]);
    expect(shortly('2026-11-19T08:22:00.000Z')).toEqual([
      '19.\u00a0nóvember kl.\u00a008:22',
      'on 19\u00a0November at\u00a008:22',
    ]);
  });

  it.each([
    ['2026-11-21T12:30:00.000Z', '0 min'],
    ['2026-11-21T12:31:00.000Z', '0 min'],
    ['2026-11-21T11:30:00.000Z', '1 h'],
    ['2026-11-21T08:18:00.000Z', '4 h 12 min'],
    ['2026-11-19T12:20:00.000Z', '2 days'],
    ['2026-11-19T09:20:00.000Z', '2 days 3 h'],
  ])('since %s: %s', (from, text) => {
    expect(lengthText(from, now, EN)).toBe(text);
  });

  it('writes clock times and rates', () => {
    expect(timeText('2026-07-01T23:05:00.000Z', 'Europe/Copenhagen')).toBe('01:05');
    expect(rateText(25.5, 'is')).toBe('25,5%');
    expect(rateText(24, 'en')).toBe('24%');
  });
});
