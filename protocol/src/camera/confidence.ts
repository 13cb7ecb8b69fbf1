import { z } from 'zod';
import { saysNothing } from './says-nothing.ts';

/**
 * The score of a read whose camera does not say how sure it is, whoever made it and however it came. Such a camera
 * has a threshold of its own and tells only what has passed it: good enough to open for the plate that it names, with
 * the usual `minimumOcrScore` (0.7); not to guess by (`confusableScore`, 0.9), nor to be taken for certain. A
 * `minimumOcrScore` above this shuts such a camera up.
 */
export const UNSTATED_SCORE = 0.85;

/** Means of single-precision confidences can come out a hair above 100; another scale comes out far above. */
const HIGHEST_PERCENT = 100.01;

/**
 * A maker's confidence, as a number or as text, to a score of 0 to 1. One that cannot be (`1234`, `high`) is not
 * believed: 0, so that the read opens nothing and a person sees it.
 *
 * @param full what it says when it is certain; firmware that uses the other of the two scales is understood too
 * @param highest some firmware goes on to 255
 */
export function confidence(full: 1 | 100, highest: number = full) {
  return z
    .union([z.string().max(40), z.number()])
    .nullish()
    .transform((given) => scoreOf(given, full, highest));
}

/** As `confidence`, of what is text or a number already. */
export function scoreOf(
  given: string | number | null | undefined,
  full: 1 | 100,
  highest: number = full,
): number {
  const text = String(given ?? '').trim();
  if (saysNothing(text)) return UNSTATED_SCORE;
  const [, digits, percent] = /^(\d{1,4}(?:[.,]\d{1,20})?(?:e[+-]?\d{1,2})?) ?(%?)$/i.exec(text) ?? [];
  // Less than nothing, far too much or no number at all: no idea.
  const value = Number(digits?.replace(',', '.') ?? 0);
  const scale = percent === '%' ? 100 : scaleOf(value, full);
  if (value / scale <= HIGHEST_PERCENT / 100) return Math.min(value / scale, 1);
  return value <= highest ? value / highest : 0;
}

/** Nobody reports a plate of which he is less than one percent sure, nor one of 2 where 1 is certain. */
function scaleOf(value: number, full: 1 | 100): 1 | 100 {
  if (full === 100) return value > 0 && value < 1 ? 1 : 100;
  return value > HIGHEST_PERCENT / 100 ? 100 : 1;
}
