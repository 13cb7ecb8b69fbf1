import { expect, it } from 'vitest';
import { defaultCaps, readAmount, readCaps, typeCaps } from './caps-fields.tsx';

it.each([
  ['5000', 'ISK', 5000],
  ['5.000', 'ISK', 5000],
  ['5 000', 'ISK', 5000],
  ['50', 'EUR', 5000],
  ['50,5', 'EUR', 5050],
  ['1.000,50', 'EUR', 100_050],
  ['1,000', 'EUR', 100_000],
  ['1.234.567', 'ISK', 1_234_567],
  ['11,5', 'ISK', null],
  ['14.50', 'ISK', null],
  ['1,23,4', 'EUR', null],
  ['1.234,567', 'EUR', null],
  ['1.5', 'EUR', 150],
  ['11,', 'EUR', 1100],
  ['0', 'ISK', null],
  ['', 'EUR', null],
  ['much', 'EUR', null],
])('“%s” %s is %s in the minor unit', (typed, currency, minor) => {
  expect(readAmount(typed, currency)).toBe(minor);
});

it('proposes limits that a stay like this one fits in, and reads them back', () => {
  expect(defaultCaps('ISK', 1450)).toEqual({ currency: 'ISK', stayMinor: 5000, dayMinor: 10_000 });
  const long = defaultCaps('EUR', 4321);
  expect(long).toEqual({ currency: 'EUR', stayMinor: 9000, dayMinor: 18_000 });
  expect(readCaps(typeCaps(long), 'EUR')).toEqual(long);
});
