import { isOftenMisread, type PlateCandidate } from './plate.ts';

/** One character of a plate as it was read. */
export interface PlateCharacter {
  character: string;
  /** 0: every candidate agrees; towards 1: most of them have something else here. */
  doubt: number;
  /** The readings of the other candidates here, the likeliest first; `''`: no character. */
  others: string[];
}

/**
 * The characters of a plate that are in doubt: those in which the candidates differ, weighed by their scores.
 * If there is only one candidate, they are those that are easily mixed up, by how uncertain the whole read
 * is.
 */
export function plateCharacters(
  plate: string,
  score: number,
  candidates: readonly PlateCandidate[],
): PlateCharacter[] {
  const rivals = candidates.filter((candidate) => candidate.plate !== plate && candidate.score > 0);
  const own = candidates.find((candidate) => candidate.plate === plate)?.score ?? score;
  const total = rivals.reduce((sum, rival) => sum + rival.score, Math.max(own, Number.EPSILON));
  const read = [...plate];
  const against = read.map(() => new Map<string, number>());
  for (const rival of rivals) {
    for (const [at, other] of differences(read, [...rival.plate])) {
      const others = against[at];
      others?.set(other, (others.get(other) ?? 0) + rival.score);
    }
  }
  return read.map((character, at) => {
    const others = [...(against[at] ?? [])].sort(([, a], [, b]) => b - a);
    const share = others.reduce((sum, [, weight]) => sum + weight, 0) / total;
    const isAlone = rivals.length === 0 && isOftenMisread(character);
    const doubt = Math.min(1, isAlone ? Math.max(share, 1 - score) : share);
    return { character, doubt: Math.round(doubt * 100) / 100, others: others.map(([other]) => other) };
  });
}

/**
 * The differences of two texts, aligned by the fewest edits: the place in the first, and the second's
 * characters there.
 */
function differences(a: readonly string[], b: readonly string[]): [number, string][] {
  const rows = a.length + 1;
  const columns = b.length + 1;
  const cost: number[][] = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => cost[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i < rows; i++) {
    for (let j = 1; j < columns; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const row = cost[i];
      if (row) row[j] = Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  const found: [number, string][] = [];
  let [i, j] = [a.length, b.length];
  while (i > 0 || j > 0) {
    const same = i > 0 && j > 0 && a[i - 1] === b[j - 1];
    if (i > 0 && j > 0 && at(i, j) === at(i - 1, j - 1) + (same ? 0 : 1)) {
      if (!same) found.push([i - 1, b[j - 1] ?? '']);
      i--;
      j--;
    } else if (i > 0 && at(i, j) === at(i - 1, j) + 1) {
      found.push([i - 1, '']);
      i--;
    } else {
      // A character more than was read: its neighbour is in doubt.
      found.push([Math.max(0, i - 1), `${i > 0 ? (a[i - 1] ?? '') : ''}${b[j - 1] ?? ''}`]);
      j--;
    }
  }
  return found;
}
