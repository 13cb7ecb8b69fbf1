import { expect, it } from 'vitest';
import { textsOf, translate } from './texts.ts';

const EN = {
  title: 'Stays',
  none: 'No car has the plate {plate}.',
  left: { days: '{days: one # day | other # days} left', until: 'until {day.weekday} at {time}' },
  steps: '{count: =0 Nothing | one One step | other # steps}{place: none  | other  at #}',
} as const;

const PL = translate<typeof EN>()({
  title: 'Postoje',
  none: 'Brak numeru {plate}.',
  left: {
    days: 'Pozostało: {days: one # dzień | few # dni | many # dni | other # dnia}',
    until: 'do {day.date}, {time}',
  },
  steps: '{count: =0 Nic | one Krok | few # kroki | other # kroków}{place: none  | other : #}',
});

it('fills in values, and the form that goes with a number', () => {
  const words = textsOf<typeof EN>(EN, 'en');
  expect(words.title).toBe('Stays');
  expect(words.none({ plate: 'ABX12' })).toBe('No car has the plate ABX12.');
  expect([1, 2, 21].map((days) => words.left.days({ days }))).toEqual([
    '1 day left',
    '2 days left',
    '21 days left',
  ]);
  expect(words.steps({ count: 0, place: null })).toBe('Nothing');
  expect(words.steps({ count: 1, place: '' })).toBe('One step');
  expect(words.steps({ count: 3, place: 'Exit $&' })).toBe('3 steps at Exit $&');
});

it('has the forms of each language', () => {
  const words = textsOf<typeof EN>(PL, 'pl');
  expect([1, 2, 5, 1.5].map((days) => words.left.days({ days }))).toEqual([
    'Pozostało: 1 dzień',
    'Pozostało: 2 dni',
    'Pozostało: 5 dni',
    'Pozostało: 1.5 dnia',
  ]);
  const day = { base: '', weekday: 'Friday 6 November', date: '6.11.' };
  expect(words.left.until({ day, time: '12:00' })).toBe('do 6.11., 12:00');
  expect(textsOf<typeof EN>(EN, 'en').left.until({ day, time: '12:00' })).toBe(
    'until Friday 6 November at 12:00',
  );
});

it('puts a value in as it is', () => {
  const words = textsOf<typeof EN>(EN, 'en');
  expect(words.none({ plate: '$& {plate}' })).toBe('No car has the plate $& {plate}.');
});

it('does not compile without a key, a place or a value', () => {
  const words = textsOf<typeof EN>(EN, 'en');
  const { title, none, left, steps } = EN;
  // @ts-expect-error: `steps` is missing.
  translate<typeof EN>()({ title, none, left });
  // @ts-expect-error: `{plate}` is missing.
  translate<typeof EN>()({ title, none: 'Brak numeru.', left, steps });
  // @ts-expect-error: English has no `{zone}`.
  translate<typeof EN>()({ title, none: 'Brak {plate} {zone}.', left, steps });
  // @ts-expect-error: `{time}` is missing in a group.
  translate<typeof EN>()({ title, none, left: { ...left, until: 'do {day.date}' }, steps });
  // @ts-expect-error: English has no such key.
  translate<typeof EN>()({ title, none, left, steps, more: 'Więcej' });
  // @ts-expect-error: a value is missing.
  expect(words.none({})).toBe('No car has the plate .');
});
