/** The word that was probably meant; null where none is near. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const [best] = words
    .map((word) => ({ word, slips: slipsBetween(typed.toLowerCase(), word) }))
    .sort((a, b) => a.slips - b.slips);
  return best && best.slips <= Math.max(1, Math.floor(best.word.length / 3)) ? best.word : null;
}

/** Letters too many, too few, wrong, or two in the wrong order (Damerau, Levenshtein: optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
