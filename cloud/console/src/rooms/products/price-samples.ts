import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { priceAtExit } from '@hlid/protocol/tariff/price-visit';
import type { Product } from '@hlid/protocol/tariff/product';
import { priceLineText } from '@hlid/protocol/words/price-words';
import { LANGUAGE, wordsOf } from '../../words/words.ts';
import { withDefaults } from './tariff-defaults.ts';

/** Loaded by itself: the rules of prices and the calendar are larger than the rest of the room. */

export interface PricedSample {
  lengthMs: number;
  amountMinor: number;
  /** The parts of the price. */
  made: string;
}

const LENGTHS_MS = [
  ...[10, 30, 60, 90].map((minutes) => minutes * MINUTE_MS),
  ...[2, 4, 8, 12, 24, 36, 72, 168].map((hours) => hours * HOUR_MS),
];

/** A product as a form has it, before it is checked. */
export type SampledProduct = Pick<Product, 'type' | 'priceMinor' | 'currency' | 'vehicleCategory'> & {
  config: { startTime: string; endTime: string; tariff?: Record<string, unknown> };
};

export interface SampleTerms {
  timeZone: string;
  /** The site's grace period at the entrance, for tariffs that set none. */
  graceMinutes: number;
}

/** Prices of stays of usual lengths that begin at a moment; null: what is typed cannot be priced. */
export function priceSamples(
  typed: SampledProduct,
  startedAt: string,
  terms: SampleTerms,
): PricedSample[] | null {
  const start = Date.parse(startedAt);
  const samples = LENGTHS_MS.map((lengthMs) => priceSample(typed, { start, lengthMs }, terms));
  return samples.every((sample) => sample !== null) ? samples : null;
}

/** The price of one stay; null: what is typed cannot be priced. */
export function priceSample(
  typed: SampledProduct,
  { start, lengthMs }: { start: number; lengthMs: number },
  { timeZone, graceMinutes }: SampleTerms,
): PricedSample | null {
  try {
    const until = utcTime(start + lengthMs);
    const question = { product: productOf(typed), startedAt: utcTime(start), until, timeZone };
    const { amountMinor, currency, lines } = priceAtExit(question, graceMinutes);
    // An amount that is no number comes from a tariff that lacks one.
    if (!Number.isSafeInteger(amountMinor)) return null;
    const texts = lines.map((line) =>
      priceLineText(line, currency, { language: LANGUAGE, words: wordsOf('price') }),
    );
    const made = texts.map(({ what, detail }) => (detail === null ? what : `${what} (${detail})`));
    return { lengthMs, amountMinor, made: made.join(' + ') };
  } catch {
    return null;
  }
}

/**
 * The product as the gate has it.
 *
 * @throws TypeError where the tariff has another shape than a tariff
 */
export function productOf({ config: { tariff, ...window }, ...typed }: SampledProduct): Product {
  return {
    id: 'sample',
    version: 1,
    vatRate: 0,
    category: null,
    name: {},
    productCode: '',
    ...typed,
    config: { ...window, ...(tariff && { tariff: withDefaults(tariff) }) },
  };
}
