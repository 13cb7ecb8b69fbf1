import { expect, it } from 'vitest';
import { type PriceLine, PriceLineSchema } from '../price-line.ts';
import { durationText, priceLineSentence, priceLineText } from './price-words.ts';

const line = (fields: Partial<PriceLine> = {}): PriceLine => ({
  rule: 'step',
  units: 1,
  amountMinor: 500,
  ...fields,
});

it('has words for every rule and cap in both languages', () => {
  for (const rule of PriceLineSchema.shape.rule.options) {
    const [is, en] = [priceLineText(line({ rule }), 'is'), priceLineText(line({ rule }), 'en')];
    expect(is.what).not.toBe('');
    expect(en.what).not.toBe(is.what);
  }
  for (const capOf of ['opening', 'week', 'visit'] as const) {
    expect(priceLineText(line({ rule: 'cap', capOf }), 'is').detail).toMatch('ekki meira');
  }
});

it('says how often and how long', () => {
  expect(priceLineSentence(line({ rule: 'unit', units: 2 }), 'en')).toBe('Parking, 2 × 24 hours');
  expect(priceLineSentence(line({ rule: 'unit' }), 'is')).toBe('Bílastæði, 24 klst.');
  expect(priceLineSentence(line({ units: 3, minutes: 30 }), 'en')).toBe('Parking, 3 × 30 minutes');
  expect(priceLineSentence(line({ rule: 'units-met', units: -1 }), 'en')).toBe('Already paid for, 24 hours');
  expect(priceLineSentence(line({ rule: 'free', units: 15 }), 'is')).toBe('Gjaldfrjáls tími, 15 mínútur');
  expect(priceLineSentence(line({ rule: 'day', units: 2 }), 'is')).toBe('Heill dagur, 2 dagar');
  expect(priceLineSentence(line({ rule: 'day' }), 'en')).toBe('Full day');
});

it('takes the tariff’s own name, in the language or in another that there is', () => {
  const label = { is: 'Nótt', en: 'Night' };
  expect(priceLineText(line({ label }), 'is').what).toBe('Nótt');
  expect(priceLineText(line({ label: { de: 'Nacht' } }), 'is').what).toBe('Nacht');
});

it.each([
  [1, '1 mínúta', '1 minute'],
  [11, '11 mínútur', '11 minutes'],
  [21, '21 mínúta', '21 minutes'],
  [60, '1 klst.', '1 hour'],
  [90, '1 klst. 30 mínútur', '1 hour 30 minutes'],
  [1440, '1 dagur', '1 day'],
  [2880, '2 dagar', '2 days'],
])('says %i minutes', (minutes, is, en) => {
  expect([durationText(minutes, 'is'), durationText(minutes, 'en')]).toEqual([is, en]);
});
