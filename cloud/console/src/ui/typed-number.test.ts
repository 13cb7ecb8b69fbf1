import { describe, expect, it } from 'vitest';
import { numberText, readNumber } from './typed-number.ts';

const LANGUAGES = ['is', 'en'] as const;
const TWO = { digits: 2 };

/** What a person sees after each key. */
function readKeyByKey(text: string, language: 'is' | 'en'): number[] {
  return [...text].map((_, at) => readNumber(text.slice(0, at + 1), language, TWO).number);
}

describe('a typed number', () => {
  it.each([
    ['11,5', 'is', 11.5],
    ['11.5', 'en', 11.5],
    ['1.234,5', 'is', 1234.5],
    ['1,234.5', 'en', 1234.5],
    ['1.234', 'is', 1234],
    ['1,234', 'en', 1234],
    [' 1 234 ', 'is', 1234],
    ['11,', 'is', 11],
    ['-3,5', 'is', -3.5],
    ['−3.5', 'en', -3.5],
    ['007', 'en', 7],
  ] as const)('“%s” in %s is %d', (text, language, number) => {
    expect(readNumber(text, language, TWO)).toEqual({ number, mistake: null });
  });

  it('counts at each key', () => {
    expect(readKeyByKey('11,5', 'is')).toEqual([1, 11, 11, 11.5]);
    expect(readKeyByKey('11.5', 'en')).toEqual([1, 11, 11, 11.5]);
  });

  it('is never read by the marks of another language', () => {
    for (const [text, language] of [
      ['11.5', 'is'],
      ['11,5', 'en'],
      ['1,234.5', 'is'],
      ['1.234,5', 'en'],
      ['1.2345', 'is'],
      ['1,23,456', 'en'],
    ] as const) {
      expect(readNumber(text, language, TWO)).toEqual({ number: Number.NaN, mistake: 'no-number' });
    }
  });

  it.each(['much', '1e5', '0x10', '12kr', '--1', '1-', ',', '.', '+', '١٢', 'Infinity', 'NaN'])(
    'is not “%s”',
    (text) => {
      for (const language of LANGUAGES) {
        expect(readNumber(text, language, TWO).mistake).toBe('no-number');
      }
    },
  );

  it('is none in an empty field, which is no mistake', () => {
    expect(readNumber('  ', 'is', TWO)).toEqual({ number: Number.NaN, mistake: null });
  });

  it('has its limits', () => {
    const limits = { minValue: 1, maxValue: 100, digits: 0 };
    expect(readNumber('0', 'is', limits).mistake).toBe('too-small');
    expect(readNumber('1', 'is', limits).mistake).toBeNull();
    expect(readNumber('100', 'is', limits).mistake).toBeNull();
    expect(readNumber('101', 'is', limits)).toEqual({ number: 101, mistake: 'too-large' });
    expect(readNumber('1,5', 'is', limits).mistake).toBe('not-whole');
    expect(readNumber('1,555', 'is', TWO).mistake).toBe('too-many-decimals');
  });

  it('is shown as it is read', () => {
    for (const number of [0, 0.01, 0.5, 11.5, 999, 1000, 1234.56, 1_234_567.89, -0.25, -12_345.6]) {
      for (const language of LANGUAGES) {
        for (const isGrouped of [true, false]) {
          const text = numberText(number, language, { digits: 2, isGrouped });
          expect(readNumber(text, language, TWO)).toEqual({ number, mistake: null });
        }
      }
    }
    expect(numberText(1234.5, 'is', TWO)).toBe('1.234,5');
    expect(numberText(1234.5, 'en', TWO)).toBe('1,234.5');
    expect(numberText(Number.NaN, 'en', TWO)).toBe('');
  });
});
