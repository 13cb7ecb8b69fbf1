import { describe, expect, it } from 'vitest';
import { generateYear } from './generated-year.ts';
import { type Matcher, matchYear, type Score } from './match-year.ts';
import { createExact, createSolver } from './matchers.ts';

/** A seventh of the year that `npm run bench -- matching` measures. */
const sites = generateYear(30_000, 35);

async function scoreOf(create: () => Matcher): Promise<Score> {
  const scores = await Promise.all(sites.map((site) => matchYear(site, create())));
  const sum = (name: keyof Score) => scores.reduce((all, score) => all + score[name], 0);
  return { settled: sum('settled'), right: sum('right'), whole: sum('whole') };
}

describe('a generated year of car parks without gates', () => {
  it('is settled by itself without a wrong pair, and far further than by equal plates', async () => {
    const [ours, exact] = [await scoreOf(createSolver), await scoreOf(createExact)];
    expect(ours.whole).toBeGreaterThan(10_000);
    expect(ours.settled - ours.right).toBe(0);
    expect(ours.right / ours.whole).toBeGreaterThan(0.97);
    expect(exact.right / exact.whole).toBeLessThan(0.93);
  });

  it('has stays that nobody can pair, and cars that were read wrongly', () => {
    const [first] = sites;
    const reads = first?.reads ?? [];
    const cameIn = new Set(reads.filter(({ side }) => side === 'entry').map(({ stay }) => stay));
    const strangers = reads.filter(({ side, stay }) => side === 'exit' && !cameIn.has(stay));
    expect(strangers.length).toBeGreaterThan(0);
    const plates = new Map<number, Set<string>>();
    for (const { stay, seen } of reads) {
      plates.set(stay, new Set([...(plates.get(stay) ?? []), seen.plates[0]?.plate ?? '']));
    }
    expect([...plates.values()].filter(({ size }) => size > 1).length).toBeGreaterThan(0);
  });
});
