import { z } from 'zod';
import { isUnstated } from './unstated.ts';

/**
 * Score of a read from a camera that reports no confidence. Such a camera has its own threshold and reports only reads
 * that passed it. The score is above the default `minimumOcrScore` (0.7), so the plate can open a gate, and below
 * `confusableScore` (0.9), so the read is neither certain nor matched to similar plates. A `minimumOcrScore` above this
 * score ignores all reads of such a camera.
 */
export const UNSTATED_SCORE = 0.85;

/** Means of single-precision confidences can come out a hair above 100; another scale comes out far above. */
const HIGHEST_PERCENT = 100.01;

/**
 * Converts a maker's confidence, as a number or text, to a score of 0 to 1. An impossible value (`1234`, `high`) becomes
 * 0, so that the read opens nothing and is reviewed.
 *
 * @param full value of full confidence, 1 or 100; the other scale is recognised too
 * @param highest some firmware counts up to 255
 */
export function confidence(full: 1 | 100, highest: number = full) {
  return z
    .union([z.string().max(40), z.number()])
    .nullish()
    .catch('no number')
    .transform((given) => scoreOf(given, full, highest));
}

/** Converts as `confidence` does, for a value that is known to be text or a number. */
export function scoreOf(
  given: string | number | null | undefined,
  full: 1 | 100,
  highest: number = full,
): number {
  const text = String(given ?? '').trim();
  if (isUnstated(text)) return UNSTATED_SCORE;
  const [, digits, percent] = /^(\d{1,4}(?:[.,]\d{1,20})?(?:e[+-]?\d{1,2})?) ?(%?)$/i.exec(text) ?? [];
  // Negative, far too large or not a number.
  const value = Number(digits?.replace(',', '.') ?? 0);
  const scale = percent === '%' ? 100 : scaleOf(value, full);
  if (value / scale <= HIGHEST_PERCENT / 100) return Math.min(value / scale, 1);
  return value <= highest ? value / highest : 0;
}

/** No camera reports a plate with less than one percent, nor with 2 where 1 is full confidence. */
function scaleOf(value: number, full: 1 | 100): 1 | 100 {
  if (full === 100) return value > 0 && value < 1 ? 1 : 100;
  return value > HIGHEST_PERCENT / 100 ? 100 : 1;
}
