import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import type { GeneratedRead, GeneratedSite } from './generated-year.ts';

/** A pair that a way of matching settles by itself. */
export interface SettledPair {
  entry: GeneratedRead;
  exit: GeneratedRead;
}

/** A way to match the open entries and exits of a site, called night by night. */
export interface Matcher {
  /** @returns the pairs that it settles; it may learn from them, and from what a person would say of others */
  match(
    entries: readonly GeneratedRead[],
    exits: readonly GeneratedRead[],
    now: number,
  ): SettledPair[] | Promise<SettledPair[]>;
}

export interface Score {
  settled: number;
  right: number;
  /** The stays of which both ends were read. */
  whole: number;
}

/** What is still open this long after it was read is left to other rules. */
const ENTRY_DAYS = 30;
const EXIT_DAYS = 3;
/** Each run is at four at night. */
const RUN_AT_MS = 4 * HOUR_MS;
/** Nothing counts before that: the matcher has to learn first. */
const LEARNING_DAYS = 90;

/** Runs a year of a site night by night, and counts what was settled after the days of learning. */
export async function matchYear({ reads }: GeneratedSite, matcher: Matcher): Promise<Score> {
  const score: Score = { settled: 0, right: 0, whole: 0 };
  const from = Math.floor((reads[0]?.seen.at ?? 0) / DAY_MS) * DAY_MS;
  const countedFrom = from + LEARNING_DAYS * DAY_MS;
  let entries: GeneratedRead[] = [];
  let exits: GeneratedRead[] = [];
  let next = 0;
  for (let now = from + RUN_AT_MS; next < reads.length; now += DAY_MS) {
    for (let read = reads[next]; read !== undefined && read.seen.at < now; read = reads[next]) {
      (read.side === 'entry' ? entries : exits).push(read);
      next += 1;
    }
    const pairs = await matcher.match(entries, exits, now);
    for (const { entry, exit } of pairs) {
      if (exit.seen.at < countedFrom) continue;
      score.settled += 1;
      if (entry.stay === exit.stay) score.right += 1;
    }
    const taken = new Set(pairs.flatMap(({ entry, exit }) => [entry, exit]));
    entries = entries.filter((one) => !taken.has(one) && one.seen.at > now - ENTRY_DAYS * DAY_MS);
    exits = exits.filter((one) => !taken.has(one) && one.seen.at > now - EXIT_DAYS * DAY_MS);
  }
  const cameIn = new Set(reads.filter(({ side }) => side === 'entry').map(({ stay }) => stay));
  score.whole = reads.filter(
    ({ side, stay, seen }) => side === 'exit' && seen.at >= countedFrom && cameIn.has(stay),
  ).length;
  return score;
}

/** The lower end of the 95 % interval of a share (Wilson). */
export function lowerShare(right: number, all: number): number {
  if (all === 0) return 0;
  const z = 1.96;
  const share = right / all;
  const centre = share + (z * z) / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  return (centre - spread) / (1 + (z * z) / all);
}
