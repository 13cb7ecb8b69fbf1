import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountText, formatMoney, MoneySchema, minorUnitDigits } from './money.ts';

describe('minorUnitDigits', () => {
  it.each([
    ['ISK', 0],
    ['JPY', 0],
    ['EUR', 2],
    ['DKK', 2],
    ['HUF', 2],
    ['RSD', 2],
    ['ALL', 2],
    ['KWD', 3],
    ['CLF', 4],
  ])('of %s are %d, by ISO 4217', (currency, digits) => {
    expect(minorUnitDigits(currency)).toBe(digits);
  });
});

describe('formatMoney', () => {
  const text = (amountMinor: number, currency: string, language: 'is' | 'en') =>
    formatMoney({ amountMinor, currency }, language).replaceAll(/\s/g, ' ');

  it('writes as people do', () => {
    expect(text(1500, 'ISK', 'is')).toBe('1.500 kr.');
    expect(text(1500, 'ISK', 'en')).toBe('ISK 1,500');
    expect(text(1250, 'EUR', 'is')).toBe('12,50 EUR');
    expect(text(1250, 'EUR', 'en')).toBe('€12.50');
    expect(text(0, 'ISK', 'is')).toBe('0 kr.');
    expect(text(5, 'EUR', 'en')).toBe('€0.05');
  });

  it('writes Icelandic as a machine does that knows it, which browsers do not', () => {
    const currency = fc.constantFrom('ISK', 'EUR', 'DKK');
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 1_000_000_000 }), currency, (amountMinor, currency) => {
        const known = new Intl.NumberFormat('is-IS', { style: 'currency', currency });
        const amount = amountMinor / 10 ** minorUnitDigits(currency);
        expect(formatMoney({ amountMinor, currency }, 'is')).toBe(known.format(amount));
      }),
    );
  });

  it('shows every digit of the amount, in any currency', () => {
    const currency = fc.constantFrom('ISK', 'EUR', 'HUF', 'KWD', 'UYW');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), currency, (amountMinor, currency) => {
        for (const language of ['is', 'en'] as const) {
          const digits = text(amountMinor, currency, language).replaceAll(/\D/g, '');
          expect(Number(digits)).toBe(amountMinor);
          expect(digits.length).toBeGreaterThan(minorUnitDigits(currency));
        }
      }),
    );
  });
});

describe('MoneySchema', () => {
  it.each([
    [500, 'ISK', true],
    [0, 'EUR', true],
    [0.5, 'EUR', false],
    [-1, 'EUR', false],
    [Number.MAX_SAFE_INTEGER + 1, 'EUR', false],
    [500, 'isk', false],
    [500, 'ISKR', false],
  ])('takes %d %s: %s', (amountMinor, currency, taken) => {
    expect(MoneySchema.safeParse({ amountMinor, currency }).success).toBe(taken);
  });
});

it.each([
  [1234, 'ISK', '1234'],
  [1234, 'EUR', '12.34'],
  [5, 'EUR', '0.05'],
  [-5, 'EUR', '-0.05'],
  [1_000_000_000_000_001, 'KWD', '1000000000000.001'],
])('%i minor units of %s are %s for programs', (amountMinor, currency, text) => {
  expect(amountText({ amountMinor, currency }, '.')).toBe(text);
});
