import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignStays, type Edge } from './assign-stays.ts';

/** Every way to pair cars of these pairs, each car once at most. */
function waysOf(edges: readonly Edge[]): Edge[][] {
  const [first, ...rest] = edges;
  if (first === undefined) return [[]];
  const without = waysOf(rest);
  const free = rest.filter(({ entryId, exitId }) => entryId !== first.entryId && exitId !== first.exitId);
  return [...without, ...waysOf(free).map((way) => [first, ...way])];
}

const weightOf = (way: readonly Edge[]) => Math.exp(way.reduce((sum, { odds }) => sum + odds, 0));

/** At most as many cars on either side. */
const someEdges = (cars: number, most: number) =>
  fc.uniqueArray(
    fc.record({
      entryId: fc.integer({ min: 0, max: cars - 1 }).map((n) => `e${n}`),
      exitId: fc.integer({ min: 0, max: cars - 1 }).map((n) => `x${n}`),
      odds: fc.double({ min: -6, max: 12, noNaN: true }),
    }),
    { selector: ({ entryId, exitId }) => `${entryId} ${exitId}`, maxLength: most },
  );

describe('the pairs of a site', () => {
  it('have the share of all ways to pair its cars, and the best way is the likeliest', () => {
    fc.assert(
      fc.property(someEdges(4, 10), (edges) => {
        const pairs = assignStays(edges);
        const ways = waysOf(edges);
        const whole = ways.reduce((sum, way) => sum + weightOf(way), 0);
        for (const pair of pairs) {
          const its = ways.filter((way) =>
            way.some(({ entryId, exitId }) => entryId === pair.entryId && exitId === pair.exitId),
          );
          const share = its.reduce((sum, way) => sum + weightOf(way), 0) / whole;
          expect(pair.probability).toBeCloseTo(share, 9);
        }
        const best = pairs.filter(({ isBest }) => isBest);
        const chosen = edges.filter((edge) =>
          best.some(({ entryId, exitId }) => entryId === edge.entryId && exitId === edge.exitId),
        );
        expect(weightOf(chosen)).toBeCloseTo(Math.max(...ways.map(weightOf)), 6);
      }),
      { numRuns: 500 },
    );
  });

  it('never claim a car twice, and their probabilities never add up to more than one, in large groups too', () => {
    fc.assert(
      fc.property(someEdges(14, 80), (edges) => {
        const pairs = assignStays(edges);
        for (const side of ['entryId', 'exitId'] as const) {
          const best = pairs.filter(({ isBest }) => isBest).map((pair) => pair[side]);
          expect(new Set(best).size).toBe(best.length);
        }
        for (const { probability, rival } of pairs) {
          expect(probability).toBeGreaterThanOrEqual(0);
          expect(probability).toBeLessThanOrEqual(1 + 1e-9);
          expect(rival).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('are as likely in a large group as the same in a small one, beside cars that cannot be theirs', () => {
    const chain = Array.from({ length: 30 }, (_, n): Edge[] => [
      { entryId: `e${n}`, exitId: `x${n}`, odds: 9 },
      { entryId: `e${n + 1}`, exitId: `x${n}`, odds: -5 },
    ]).flat();
    for (const { entryId, exitId, probability, isBest } of assignStays(chain)) {
      const isOwn = entryId.slice(1) === exitId.slice(1);
      expect(isBest).toBe(isOwn);
      if (isOwn) expect(probability).toBeGreaterThan(0.999);
      else expect(probability).toBeLessThan(0.01);
    }
  });
});
