import type { PlateCandidate } from '@hlid/protocol/plate/plate';

interface Read {
  plate: string | null;
  score: number;
  candidates: readonly PlateCandidate[];
}

/**
 * The plate that the reads of a stay speak for more than for its own; null: none. The scores of a plate are added over
 * the reads, and each read gives a plate its best score.
 */
export function likelierPlate(
  own: string | null,
  reads: readonly Read[],
): { plate: string; score: number } | null {
  const scores = new Map<string, number>();
  for (const read of reads) {
    for (const [plate, score] of bestOf(read)) scores.set(plate, (scores.get(plate) ?? 0) + score);
  }
  const [best] = [...scores].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (best === undefined || best[0] === own || best[1] <= (scores.get(own ?? '') ?? 0)) return null;
  return { plate: best[0], score: best[1] / reads.length };
}

function bestOf({ plate, score, candidates }: Read): Map<string, number> {
  const best = new Map<string, number>();
  const all = plate === null ? candidates : [{ plate, score }, ...candidates];
  for (const one of all) best.set(one.plate, Math.max(best.get(one.plate) ?? 0, one.score));
  return best;
}
