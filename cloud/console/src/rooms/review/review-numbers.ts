import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { LANGUAGE } from '../../words/words.ts';

const numbers = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], { maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], {
  style: 'percent',
  maximumFractionDigits: 0,
});

export function numberText(count: number): string {
  return numbers.format(count);
}

/** A share of 1. */
export function percentText(share: number): string {
  return percents.format(share);
}

const odds = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], { style: 'percent', maximumFractionDigits: 1 });

/** A probability. It is rounded down: none that is not certain reads as certain. */
export function oddsText(probability: number): string {
  return odds.format(Math.floor(probability * 1000) / 1000);
}

/** The cloud counts no further. */
const MAX_COUNTED = 1000;

export function waitingText(count: number): string {
  return count < MAX_COUNTED ? String(count) : `${MAX_COUNTED}+`;
}
