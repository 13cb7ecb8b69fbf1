/** What one read has where another one has something; empty: it lacks the character. */
export interface CharacterPair {
  before: string;
  now: string;
}

/**
 * The characters of two reads of one car, side by side. One character may be lost, at the place that leaves most of the others
 * equal; readers never transpose. Null: the lengths differ by more.
 */
export function alignPlates(before: string, now: string): CharacterPair[] | null {
  if (before.length === now.length) return sideBySide(before, now);
  const [shorter, longer] = before.length < now.length ? [before, now] : [now, before];
  if (longer.length - shorter.length > 1) return null;
  let best: { at: number; equal: number } = { at: 0, equal: -1 };
  for (let at = 0; at < longer.length; at++) {
    const padded = `${shorter.slice(0, at)} ${shorter.slice(at)}`;
    const equal = [...longer].filter((character, place) => character === padded.charAt(place)).length;
    if (equal > best.equal) best = { at, equal };
  }
  const padded = [...shorter.slice(0, best.at), '', ...shorter.slice(best.at)];
  return [...longer].map((character, place) =>
    longer === now
      ? { before: padded[place] ?? '', now: character }
      : { before: character, now: padded[place] ?? '' },
  );
}

function sideBySide(before: string, now: string): CharacterPair[] {
  return [...before].map((character, place) => ({ before: character, now: now.charAt(place) }));
}
