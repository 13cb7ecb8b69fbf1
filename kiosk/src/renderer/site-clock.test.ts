import { LANGUAGES } from '@hlid/protocol/base/language';
import { formatRate } from '@hlid/protocol/base/money';
import { lengthText } from '@hlid/protocol/words/length-text';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  daysUntil,
  dayText,
  enteredText,
  momentOf,
  shortEnteredText,
  timeText,
  untilText,
} from './site-clock.ts';
import { DICTIONARY, wordsOf } from './words/words.ts';

beforeAll(async () => {
  for (const language of LANGUAGES) await DICTIONARY.load(language);
});

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
    expect(dayText('2026-11-21', '2026-11-21', 'is')).toBe('Í\u00a0dag');
    expect(dayText('2026-11-20', '2026-11-21', 'en')).toBe('Yesterday');
    expect(dayText('2026-11-19', '2026-11-21', 'is')).toBe('fimmtudagur 19.\u00a0nóvember');
    expect(enteredText('2026-11-21T08:22:00.000Z', now, zone, 'is')).toBe(
      'Kom inn í\u00a0dag kl.\u00a008:22',
    );
    // “On Thursday” is a separate case, and so is “until Thursday”.
    expect(enteredText('2026-11-19T08:22:00.000Z', now, zone, 'is')).toBe(
      'Kom inn fimmtudaginn 19.\u00a0nóvember kl.\u00a008:22',
    );
    expect(untilText('2026-11-26T08:22:00.000Z', now, zone, 'is')).toBe(
      'til fimmtudags 26.\u00a0nóvember kl.\u00a008:22',
    );
    expect(enteredText('2026-11-19T08:22:00.000Z', now, zone, 'en')).toBe(
      'Came in on Thursday 19\u00a0November at\u00a008:22',
    );
    // The text on a small card.
    const shortly = (at: string) =>
      (['is', 'en'] as const).map((language) => shortEnteredText(at, now, zone, language));
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
    expect(lengthText(from, now, wordsOf('en').duration)).toBe(text);
  });

  it.each([
    ['pl', 'Wjazd: wczoraj, 08:22', 'Wjazd: czwartek, 19 listopada, 08:22', 'do 26 listopada, 08:22'],
    [
      'de',
      'Einfahrt: gestern um 08:22 Uhr',
      'Einfahrt: Donnerstag, 19. November, 08:22 Uhr',
      'bis Donnerstag, 26. November, 08:22 Uhr',
    ],
    [
      'fr',
      'Entrée : hier à 08:22',
      'Entrée : jeudi 19 novembre à 08:22',
      'jusqu’au jeudi 26 novembre à 08:22',
    ],
    [
      'es',
      'Entrada: ayer, 08:22',
      'Entrada: jueves, 19 de noviembre, 08:22',
      'hasta el jueves 26 de noviembre, 08:22',
    ],
    [
      'da',
      'Kørt ind i går kl. 08.22',
      'Kørt ind torsdag den 19. november kl. 08.22',
      'til torsdag den 26. november kl. 08.22',
    ],
  ] as const)('says days and times in %s', (language, yesterday, before, until) => {
    const plain = (text: string) => text.replaceAll(/\s/g, ' ');
    const entered = (at: string) => plain(enteredText(at, now, zone, language));
    expect([entered('2026-11-20T08:22:00.000Z'), entered('2026-11-19T08:22:00.000Z')]).toEqual([
      yesterday,
      before,
    ]);
    expect(plain(untilText('2026-11-26T08:22:00.000Z', now, zone, language))).toBe(until);
  });

  it('counts as each language does', () => {
    const days = (n: number) => LANGUAGES.map((language) => wordsOf(language).duration.days({ n }));
    expect(days(1)).toEqual(['1 dagur', '1 day', '1 dzień', '1 Tag', '1 jour', '1 día', '1 dag']);
    expect(days(21)[0]).toBe('21 dagur');
    const minutes = (n: number) => wordsOf('pl').leave.minutes({ minutes: n });
    expect([1, 2, 5, 12, 22].map(minutes)).toEqual([
      'Masz 1 minutę na wyjazd',
      'Masz 2 minuty na wyjazd',
      'Masz 5 minut na wyjazd',
      'Masz 12 minut na wyjazd',
      'Masz 22 minuty na wyjazd',
    ]);
  });

  it('writes clock times and rates', () => {
    expect(timeText('2026-07-01T23:05:00.000Z', 'Europe/Copenhagen', 'en')).toBe('01:05');
    expect(timeText('2026-07-01T23:05:00.000Z', 'Europe/Copenhagen', 'da')).toBe('01.05');
    expect(formatRate(25.5, 'is')).toBe('25,5%');
    expect(formatRate(24, 'en')).toBe('24%');
    expect(formatRate(25.5, 'fr').replaceAll(/\s/g, ' ')).toBe('25,5 %');
  });
});
