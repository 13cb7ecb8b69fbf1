import type { BenchRow } from '../bench-table.ts';
import { generateYear } from './generated-year.ts';
import { lowerShare, type Matcher, matchYear, type Score } from './match-year.ts';
import { createByEdits, createExact, createGenetec, createSolver } from './matchers.ts';
import type { Quality } from './read-errors.ts';

const STAYS = 200_000;
const SEED = 20_251_129;
const MIN_PRECISION = 0.999;

const OTHERS: Readonly<Record<string, () => Matcher>> = {
  'equal plates': createExact,
  'one edit apart': createByEdits,
  'Genetec’s rule': createGenetec,
};

/** A year of ten car parks without gates: which stays were ended by themselves, and which of them rightly. */
export async function benchMatching(add: (row: BenchRow) => void, stays = STAYS): Promise<void> {
  const sites = generateYear(stays, SEED);
  const scores = new Map<string, Map<Quality, Score>>();
  for (const [name, create] of Object.entries({ ours: createSolver, ...OTHERS })) {
    scores.set(name, await scoresOf(sites, create));
  }
  for (const [quality, score] of scores.get('ours') ?? []) {
    const [precision, recall] = sharesOf(score);
    const precisionLower = lowerShare(score.right, score.settled);
    add({
      work: `matching, ${quality} cameras, pairs settled by themselves that are right (of ${score.settled})`,
      ours: precision.toFixed(5),
      against: `${MIN_PRECISION}, lower end`,
      ratio: precisionLower / MIN_PRECISION,
      goal: { atLeast: 1 },
      figures: { quality, precision, precisionLower, recall },
    });
    for (const [name, of] of scores) {
      const other = of.get(quality);
      if (name === 'ours' || other === undefined) continue;
      const [otherPrecision, otherRecall] = sharesOf(other);
      add({
        work: `matching, ${quality} cameras, stays settled, against ${name} (${otherPrecision.toFixed(5)} right)`,
        ours: recall.toFixed(4),
        against: otherRecall.toFixed(4),
        ratio: recall / otherRecall,
        goal: null,
      });
    }
  }
}

async function scoresOf(
  sites: ReturnType<typeof generateYear>,
  create: () => Matcher,
): Promise<Map<Quality, Score>> {
  const scores = new Map<Quality, Score>();
  for (const site of sites) {
    const { settled, right, whole } = await matchYear(site, create());
    const sum = scores.get(site.quality) ?? { settled: 0, right: 0, whole: 0 };
    scores.set(site.quality, {
      settled: sum.settled + settled,
      right: sum.right + right,
      whole: sum.whole + whole,
    });
  }
  return scores;
}

/** Precision, and recall among the stays of which both ends were read. */
function sharesOf({ settled, right, whole }: Score): [number, number] {
  return [settled === 0 ? 0 : right / settled, whole === 0 ? 0 : right / whole];
}
