import type { LikelyPair } from './assign-stays.ts';

/** When a pair ends a stay by itself. */
export interface SettlingTerms {
  /** The least probability. */
  probability: number;
  /** How many times as likely it has to be as any other pair with one of its cars. */
  margin: number;
}

export const CAUTIOUS_TERMS: SettlingTerms = { probability: 0.999, margin: 100 };
/** Less likely pairs are not worth a person's look. */
const MIN_PROPOSED = 0.05;

export type PairVerdict = 'settled' | 'proposed' | 'left';

/**
 * What becomes of a pair: it is settled by itself, or a person is asked, or it is left.
 *
 * @param calibrated the share of right pairs among those with such a probability
 */
export function verdictOf(
  pair: LikelyPair,
  terms: SettlingTerms,
  calibrated: (probability: number) => number,
): PairVerdict {
  const probability = calibrated(pair.probability);
  const isClear = pair.probability >= terms.margin * pair.rival;
  if (pair.isBest && isClear && probability >= terms.probability) return 'settled';
  return probability >= MIN_PROPOSED ? 'proposed' : 'left';
}
