import { expect, it } from 'vitest';
import { LANGUAGES } from '../base/language.ts';
import { type PriceLine, PriceLineSchema } from '../tariff/price-line.ts';
import { priceLanguage, priceTexts } from './price/price-texts.ts';
import { durationText, priceLineSentence, priceLineText } from './price-words.ts';

const line = (fields: Partial<PriceLine> = {}): PriceLine => ({
  rule: 'step',
  units: 1,
  amountMinor: 500,
  ...fields,
});

it('has words of its own for every rule and cap in every language', () => {
  for (const rule of PriceLineSchema.shape.rule.options) {
    const texts = LANGUAGES.map(
      (language) => priceLineText(line({ rule }), 'ISK', priceLanguage(language)).what,
    );
    expect(texts).not.toContain('');
    // Some words are the same in two languages, such as “Parking”.
    expect(new Set(texts).size).toBeGreaterThanOrEqual(LANGUAGES.length - 1);
  }
  for (const capOf of ['opening', 'week', 'visit'] as const) {
    const texts = LANGUAGES.map(
      (language) => priceLineText(line({ rule: 'cap', capOf }), 'ISK', priceLanguage(language)).detail,
    );
    expect(new Set(texts).size).toBe(LANGUAGES.length);
  }
});

it('says what one costs: of a started day always, of steps where there are several', () => {
  const rates = (fields: Partial<PriceLine>) =>
    LANGUAGES.map((language) =>
      priceLineText(line(fields), 'EUR', priceLanguage(language)).rate?.replaceAll(/\s/g, ' '),
    );
  expect(rates({ rule: 'unit', unitMinor: 500 })).toEqual([
    '5,00 EUR fyrir hvern byrjaðan sólarhring',
    '€5.00 per started day',
    '5,00 € za każdą rozpoczętą dobę',
    '5,00 € je angefangenem Tag',
    '5,00 € par jour entamé',
    '5,00 € por cada día iniciado',
    '5,00 € pr. påbegyndt døgn',
  ]);
  expect(rates({ units: 2, unitMinor: 250 })).toEqual([
    '2,50 EUR hver',
    '€2.50 each',
    'po 2,50 €',
    'je 2,50 €',
    '2,50 € l’unité',
    '2,50 € por unidad',
    'à 2,50 €',
  ]);
  expect(rates({ units: 1, unitMinor: 250 })[0]).toBeUndefined();
});

it('says how often and how long', () => {
  expect(priceLineSentence(line({ rule: 'unit', units: 2 }), 'ISK', priceLanguage('en'))).toBe(
    'Parking, 2 × 24 hours',
  );
  expect(priceLineSentence(line({ rule: 'unit' }), 'ISK', priceLanguage('is'))).toBe('Bílastæði, 24 klst.');
  expect(priceLineSentence(line({ units: 3, minutes: 30 }), 'ISK', priceLanguage('en'))).toBe(
    'Parking, 3 × 30 minutes',
  );
  expect(priceLineSentence(line({ rule: 'units-met', units: -1 }), 'ISK', priceLanguage('en'))).toBe(
    'Already paid for, 24 hours',
  );
  expect(priceLineSentence(line({ rule: 'free', units: 15 }), 'ISK', priceLanguage('is'))).toBe(
    'Gjaldfrjáls tími, 15 mínútur',
  );
  expect(priceLineSentence(line({ rule: 'day', units: 2 }), 'ISK', priceLanguage('is'))).toBe(
    'Heill dagur, 2 dagar',
  );
  expect(priceLineSentence(line({ rule: 'day' }), 'ISK', priceLanguage('en'))).toBe('Full day');
});

it('takes the tariff’s own name, in the language or in another that there is', () => {
  const label = { is: 'Nótt', en: 'Night' };
  expect(priceLineText(line({ label }), 'ISK', priceLanguage('is')).what).toBe('Nótt');
  expect(priceLineText(line({ label: { de: 'Nacht' } }), 'ISK', priceLanguage('is')).what).toBe('Nacht');
});

it('counts in Polish', () => {
  const texts = [1, 2, 5, 22, 60, 120, 300, 1440, 2880].map((minutes) =>
    durationText(minutes, priceTexts('pl')),
  );
  expect(texts).toEqual([
    '1 minuta',
    '2 minuty',
    '5 minut',
    '22 minuty',
    '1 godzina',
    '2 godziny',
    '5 godzin',
    '1 dzień',
    '2 dni',
  ]);
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
  expect([durationText(minutes, priceTexts('is')), durationText(minutes, priceTexts('en'))]).toEqual([
    is,
    en,
  ]);
});
