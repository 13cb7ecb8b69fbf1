import { groupBy } from '../../platform/group-by.ts';

/** A pair of which a person has said whether it was right. */
export interface JudgedPair {
  probability: number;
  isRight: boolean;
}

/** Pairs from a probability on, and how many of them were right. */
interface Step {
  from: number;
  right: number;
  all: number;
}

/**
 * The share of right pairs by their stated probability, as judged pairs have shown it: it never falls as the probability
 * grows (isotonic regression by pool-adjacent-violators). Where few were judged it is the stated probability, rounded down.
 */
export function calibration(judged: readonly JudgedPair[]): (probability: number) => number {
  const counted = groupBy([...judged.map(counts), ...START], ({ from }) => from);
  const steps: Step[] = [];
  for (const [from, its] of [...counted].toSorted(([a], [b]) => a - b)) {
    const right = its.reduce((sum, one) => sum + one.right, 0);
    const all = its.reduce((sum, one) => sum + one.all, 0);
    steps.push({ from, right, all });
    pool(steps);
  }
  return (probability) => {
    const step = steps.findLast(({ from }) => from <= probability);
    return step === undefined ? 0 : step.right / step.all;
  };
}

function counts({ probability, isRight }: JudgedPair): Step {
  return { from: probability, right: isRight ? 1 : 0, all: 1 };
}

/** Probabilities that are trusted at the start, close together near 0 and 1, with the weight of one judged pair each. */
const START: readonly Step[] = Array.from({ length: 45 }, (_, n) => {
  const from = 1 / (1 + Math.exp(8 - n / 2));
  return { from, right: from, all: 1 };
});

function pool(steps: Step[]): void {
  for (
    let last = steps.at(-1), before = steps.at(-2);
    last !== undefined && before !== undefined && before.right * last.all > last.right * before.all;
    last = steps.at(-1), before = steps.at(-2)
  ) {
    const { from } = before;
    steps.splice(-2, 2, { from, right: before.right + last.right, all: before.all + last.all });
  }
}
