import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inputWords } from '../base/mistakes/input-words.ts';
import { TariffSchema } from './tariff.ts';

const each = (more = {}) => ({ kind: 'each', priceMinor: 100, everyMinutes: 60, ...more });
const flat = (more = {}) => ({ kind: 'flat', priceMinor: 100, ...more });
const upTo = (minutes: number, priceMinor: number) => ({ kind: 'up-to', minutes, priceMinor });
const day = (more = {}) => ({ kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 900 }], ...more });
const steps = (...all: object[]) => ({ bands: [{ steps: all }] });

describe('a tariff that contradicts itself is refused', () => {
  it.each<[string, object, string, RegExp]>([
    ['nothing has a price', {}, 'bands', /nothing has a price/],
    ['a step after an endless one', steps(each(), flat()), 'bands.0.steps.0.minutes', /never ends/],
    ['nothing for longer stays', steps(flat({ minutes: 60 })), 'bands.0.steps.0.minutes', /longer stays/],
    ['a piece of a unit', steps(each({ minutes: 90 }), flat()), 'bands.0.steps.0.minutes', /multiple of 60/],
    [
      'a table that falls',
      steps(upTo(60, 200), upTo(90, 100), each()),
      'bands.0.steps.1.priceMinor',
      /cost less/,
    ],
    [
      'a table out of order',
      steps(upTo(60, 1), upTo(30, 2), each()),
      'bands.0.steps.1.minutes',
      /more than the 60/,
    ],
    [
      'a table in the middle',
      steps(flat({ minutes: 5 }), upTo(60, 1), each()),
      'bands.0.steps.1',
      /before all other/,
    ],
    [
      'a band behind one that is always open',
      { bands: [{ steps: [each()] }, { steps: [flat()] }] },
      'bands.0.window',
      /never count/,
    ],
    ['hours of a day without bands', { day: day() }, 'day.partial', /no bands that price hours/],
    [
      'no price of the first day',
      { day: day({ partial: 'full-day', prices: [{ fromDay: 2, priceMinor: 1 }] }) },
      'day.prices',
      /from day 1/,
    ],
    [
      'a cap of a week without days',
      { ...steps(each()), caps: { weekMinor: 5 } },
      'caps.weekMinor',
      /add day/,
    ],
    [
      'holidays that nobody names',
      { bands: [{ window: { holidays: 'only' }, steps: [each()] }] },
      'holidays',
      /none are named/,
    ],
    [
      'a grace longer than the free time',
      { ...steps(each()), free: { minutes: 5 }, entryGraceMinutes: 10 },
      'entryGraceMinutes',
      /free already/,
    ],
    [
      'dates of which one has a year',
      { bands: [{ window: { dates: [{ from: '2026-06-01', to: '08-31' }] }, steps: [each()] }] },
      'bands.0.window.dates.0.to',
      /both need a year/,
    ],
    [
      'a class that fits all before another',
      { classes: [{ ...steps(each()) }, { seatsUpTo: 5, ...steps(each()) }] },
      'classes.1',
      /never counts/,
    ],
    [
      'a class that a wider one comes before',
      {
        classes: [
          { category: 'heavy', seatsUpTo: 19, ...steps(each()) },
          { category: 'heavy', seatsUpTo: 8, massUpToKg: 7500, ...steps(each()) },
          { seatsUpTo: 8, ...steps(each()) },
        ],
      },
      'classes.1',
      /never counts/,
    ],
    [
      'a band of a time that others have',
      {
        bands: [
          { window: { startTime: '20:00', endTime: '07:59' }, steps: [each()] },
          { window: { startTime: '08:00', endTime: '19:59' }, steps: [each()] },
          { window: { weekdays: [6], startTime: '10:00', endTime: '12:59' }, steps: [each()] },
        ],
      },
      'bands.2.window',
      /never counts/,
    ],
    [
      'a flat rate for stays that are too long for it',
      {
        ...steps(each()),
        flatRates: [
          {
            entry: { weekdays: [5], startTime: '16:00' },
            exit: { weekdays: [1], endTime: '07:59' },
            withinMinutes: 1440,
            priceMinor: 5,
          },
        ],
      },
      'flatRates.0.withinMinutes',
      /longer than 1440 minutes/,
    ],
    [
      'a calendar week of rolling days',
      {
        day: { kind: 'rolling', partial: 'full-day', prices: [{ fromDay: 1, priceMinor: 5 }] },
        caps: { weekMinor: 20, week: 'calendar' },
      },
      'caps.week',
      /choose day.kind calendar/,
    ],
    [
      'a flat rate for stays of any length',
      { ...steps(each()), flatRates: [{ entry: { startTime: '18:00' }, priceMinor: 5 }] },
      'flatRates.0.exit',
      /set exit, untilNext, within or withinMinutes/,
    ],
    [
      'a second flat rate for the same times',
      {
        ...steps(each()),
        flatRates: [
          { entry: { weekdays: [6, 7] }, exit: {}, priceMinor: 9 },
          { entry: { weekdays: [7, 6], startTime: '00:00' }, exit: {}, priceMinor: 5 },
        ],
      },
      'flatRates.1',
      /same times/,
    ],
    [
      'a week that costs less than a day',
      { ...steps(each()), day: day(), caps: { weekMinor: 899 } },
      'caps.weekMinor',
      /less than a day/,
    ],
    [
      'a visit that costs less than a day',
      { ...steps(each()), day: day(), caps: { visitMinor: 1 } },
      'caps.visitMinor',
      /less than a day/,
    ],
    [
      'a visit that costs less than a week',
      { ...steps(each()), day: day(), caps: { weekMinor: 90_000, visitMinor: 80_000 } },
      'caps.visitMinor',
      /less than a week/,
    ],
    [
      'an hour that costs more than a day',
      { ...steps(each({ priceMinor: 90_000 })), day: day() },
      'bands.0.steps.0.priceMinor',
      /more than a day/,
    ],
    [
      'a language of more than two letters',
      { bands: [{ label: { english: 'Day' }, steps: [each()] }] },
      'bands.0.label.english',
      /two letters/,
    ],
    [
      'a part of a price for the rest',
      {
        straddle: 'pro-rata',
        bands: [{ window: { startTime: '08:00', endTime: '17:59' }, steps: [each()] }, { steps: [flat()] }],
      },
      'bands.1.steps.0.minutes',
      /cannot be pro-rata/,
    ],
    ['a day that no year has', { ...steps(each()), holidays: ['02-30'] }, 'holidays.0', /no such day/],
    [
      'a leap day of a year without one',
      { ...steps(each()), holidays: ['2027-02-29'] },
      'holidays.0',
      /no such/,
    ],
    ['a word that it does not know', { ...steps(each()), frei: 5 }, '', /there is no field “frei”/],
  ])('%s', (_name, tariff, path, message) => {
    const { error } = TariffSchema.safeParse(tariff);
    expect(error?.issues.map((issue) => [issue.path.join('.'), inputWords(issue)])).toContainEqual([
      path,
      expect.stringMatching(message),
    ]);
  });
});

it('takes what only looks like a contradiction', () => {
  const weekend = { entry: { weekdays: [5], startTime: '16:00' }, exit: { weekdays: [1] }, priceMinor: 5 };
  const window = { weekdays: [6, 7], startTime: '22:00', endTime: '03:59' };
  for (const tariff of [
    { ...steps(each()), holidays: ['02-29', '2028-02-29'] },
    { ...steps(each()), flatRates: [{ ...weekend, withinMinutes: 4320 }] },
    {
      bands: [
        { window: { dates: [{ from: '06-01', to: '08-31' }] }, steps: [each()] },
        ...steps(flat()).bands,
      ],
    },
    {
      bands: [
        { window, steps: [each()] },
        { window: { weekdays: [1], endTime: '04:00' }, steps: [each()] },
      ],
    },
    {
      classes: [
        { seatsUpTo: 8, ...steps(each()) },
        { massUpToKg: 3500, ...steps(each()) },
      ],
    },
    { ...steps(flat({ minutes: 60 })), day: day() },
  ]) {
    expect(TariffSchema.safeParse(tariff).error).toBeUndefined();
  }
});

it('has a JSON Schema', () => {
  const { $defs } = z.toJSONSchema(TariffSchema, { io: 'input' });
  expect($defs?.['Tariff']).toMatchObject({ type: 'object', additionalProperties: false });
  const words = Object.keys($defs?.['Tariff']?.properties ?? {});
  expect(words).toEqual(expect.arrayContaining(['bands', 'day', 'free', 'classes']));
});
