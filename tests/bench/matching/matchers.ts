import { calibration, type JudgedPair } from '@hlid/cloud/stays/matching/calibrate';
import { matchSite } from '@hlid/cloud/stays/matching/match-site';
import { CAUTIOUS_TERMS, verdictOf } from '@hlid/cloud/stays/matching/settle-pairs';
import { learnPair, learnRead, newHabits, type SiteHabits } from '@hlid/cloud/stays/matching/site-habits';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { comparePlates, foldLetters } from '@hlid/protocol/plate/plate';
import type { GeneratedRead } from './generated-year.ts';
import type { Matcher, SettledPair } from './match-year.ts';

/** Ours: the whole site at once, with what it learns from pairs that were settled, or that a person accepted. */
export function createSolver(): Matcher {
  const habits = newHabits();
  const judged: JudgedPair[] = [];
  const known = new Set<string>();
  let exitsSeen = 0;
  let from: number | null = null;
  return {
    async match(entries, exits, now) {
      from ??= now - DAY_MS;
      for (const { side, seen } of [...entries, ...exits]) {
        if (known.has(seen.id)) continue;
        known.add(seen.id);
        learnRead(habits, seen);
        if (side === 'exit') exitsSeen += 1;
      }
      habits.exitRate = Math.max(1, exitsSeen) / (now - from);
      const calibrated = calibration(judged);
      const settled: SettledPair[] = [];
      for (const { entry, exit, pair } of await pairsOf(entries, exits, habits, now)) {
        const verdict = pair.isBest ? verdictOf(pair, CAUTIOUS_TERMS, calibrated) : 'left';
        if (verdict === 'left') continue;
        const isRight = entry.stay === exit.stay;
        // A person looks at what is proposed, and at one in twenty of what is settled.
        if (verdict === 'proposed' || known.size % LOOKED_AT === 0) {
          judged.push({ probability: pair.probability, isRight });
        }
        if (verdict === 'settled') settled.push({ entry, exit });
        if (verdict === 'settled' || isRight) learnPair(habits, entry.seen, exit.seen);
      }
      return settled;
    },
  };
}

const LOOKED_AT = 20;

async function pairsOf(
  entries: readonly GeneratedRead[],
  exits: readonly GeneratedRead[],
  habits: SiteHabits,
  now: number,
) {
  const [came, left] = [entries, exits].map((reads) => new Map(reads.map((read) => [read.seen.id, read])));
  const seenOf = (reads: readonly GeneratedRead[]) => reads.map(({ seen }) => seen);
  const pairs = await matchSite(seenOf(entries), seenOf(exits), habits, now);
  return pairs.flatMap((pair) => {
    const [entry, exit] = [came?.get(pair.entryId), left?.get(pair.exitId)];
    return entry && exit ? [{ entry, exit, pair }] : [];
  });
}

const plateOf = ({ plates }: GeneratedRead['seen']) => plates[0]?.plate ?? '';

/** Pairs each exit with the only open entry whose plate fits. */
function createByPlate(fits: (entry: string, exit: string) => boolean): Matcher {
  return {
    match(entries, exits) {
      const open = new Set(entries);
      const settled: SettledPair[] = [];
      for (const exit of exits) {
        const fitting = [...open].filter(
          (entry) => entry.seen.at <= exit.seen.at && fits(plateOf(entry.seen), plateOf(exit.seen)),
        );
        const [only] = fitting;
        if (fitting.length !== 1 || only === undefined) continue;
        open.delete(only);
        settled.push({ entry: only, exit });
      }
      return settled;
    },
  };
}

export const createExact = () => createByPlate((entry, exit) => entry === exit);
/** Takes plates that are at most one edit apart, where that is unique. */
export const createByEdits = () =>
  createByPlate((entry, exit) => entry === exit || comparePlates(entry, exit) !== 'different');

/** Genetec's documented rule: five common characters and four in a row, with one that readers take for another. */
export const createGenetec = () => createByPlate(fitsAtGenetec);

function fitsAtGenetec(entry: string, exit: string): boolean {
  if (entry === exit) return true;
  const length = Math.min(entry.length, exit.length);
  let [common, run, longest, alike] = [0, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const [before, now] = [entry.charAt(at), exit.charAt(at)];
    const isAlike = before !== now && foldLetters(before) === foldLetters(now) && alike === 0;
    if (isAlike) alike += 1;
    if (before === now || isAlike) {
      common += 1;
      run += 1;
    } else run = 0;
    longest = Math.max(longest, run);
  }
  return common >= 5 && longest >= 4;
}
