import type { ReviewCase } from './review-calls.ts';

/** A plate that the picture may show, to be chosen by one key. */
export interface Choice {
  plate: string;
  /** How sure the camera was; null: it did not read this. */
  score: number | null;
  /** A visit of that time with this plate. */
  visit: ReviewCase['nearby'][number] | null;
}

/** Keys 1 to 9. */
const MAX_CHOICES = 9;

/** The camera's readings, best first, then plates of visits that resemble them. */
export function choicesOf({
  plate,
  score,
  candidates,
  nearby,
}: Pick<ReviewCase, 'plate' | 'score' | 'candidates' | 'nearby'>): readonly Choice[] {
  const isListed = plate === null || candidates.some((one) => one.plate === plate);
  const read = isListed ? candidates : [{ plate, score }, ...candidates];
  // If several visits have a plate, the first is the likeliest.
  const visitOf = (text: string) => nearby.find((visit) => visit.plate === text) ?? null;
  const others = new Set(nearby.map((visit) => visit.plate));
  for (const one of read) others.delete(one.plate);
  return [
    ...read.map((one) => ({ ...one, visit: visitOf(one.plate) })),
    ...[...others].map((text) => ({ plate: text, score: null, visit: visitOf(text) })),
  ].slice(0, MAX_CHOICES);
}
