import { NUMBER_LOCALES, NUMBER_MARKS, type OfficeLanguage } from '@hlid/protocol/base/language';

/** The whole part and the decimals of a typed number, without marks. */
export interface TypedDigits {
  whole: string;
  decimals: string;
}

/**
 * The digits of a number without a sign, as people of the language write it; null: it is none. Thousands may be marked,
 * in groups of three: a mark at another place is read as a mistake, since it may be a decimal mark of another language.
 */
export function readDigits(text: string, language: OfficeLanguage): TypedDigits | null {
  const { group, decimal } = NUMBER_MARKS[language];
  const [whole = '', ...rest] = text.replace(/\s/g, '').split(decimal);
  const [decimals = ''] = rest;
  if (rest.length > 1 || !/^\d*$/.test(decimals)) return null;
  const groups = whole.split(group);
  const [first = '', ...others] = groups;
  const isGrouped = /^\d{1,3}$/.test(first) && others.every((one) => /^\d{3}$/.test(one));
  if (!/^\d+$/.test(first) || (others.length > 0 && !isGrouped)) return null;
  return { whole: groups.join(''), decimals };
}

/** Which numbers a field takes. */
export interface NumberLimits {
  minValue?: number | undefined;
  maxValue?: number | undefined;
  /** Decimals, at most; 0: whole numbers only. */
  digits: number;
}

export type NumberMistake = 'no-number' | 'not-whole' | 'too-many-decimals' | 'too-small' | 'too-large';

/**
 * A typed number. An empty field has none (NaN), and so has a text that is none. A number beyond the limits is one, with
 * its mistake.
 */
export function readNumber(
  text: string,
  language: OfficeLanguage,
  { minValue = Number.NEGATIVE_INFINITY, maxValue = Number.POSITIVE_INFINITY, digits }: NumberLimits,
): { number: number; mistake: NumberMistake | null } {
  const trimmed = text.trim();
  if (trimmed === '') return { number: Number.NaN, mistake: null };
  const isNegative = /^[-−]/.test(trimmed);
  const read = readDigits(isNegative ? trimmed.slice(1) : trimmed, language);
  if (read === null) return { number: Number.NaN, mistake: 'no-number' };
  if (read.decimals.length > digits) {
    return { number: Number.NaN, mistake: digits === 0 ? 'not-whole' : 'too-many-decimals' };
  }
  const amount = Number(`${read.whole}.${read.decimals}`);
  const number = isNegative && amount !== 0 ? -amount : amount;
  if (number < minValue) return { number, mistake: 'too-small' };
  return { number, mistake: number > maxValue ? 'too-large' : null };
}

/** A number as its field shows it, which `readNumber` reads again. */
export function numberText(
  number: number,
  language: OfficeLanguage,
  { digits, isGrouped = true }: { digits: number; isGrouped?: boolean },
): string {
  if (Number.isNaN(number)) return '';
  const options = { maximumFractionDigits: digits, useGrouping: isGrouped };
  return new Intl.NumberFormat(NUMBER_LOCALES[language], options).format(number);
}
