import { foldLetters } from '@hlid/protocol/plate/plate';
import { alignPlates, type CharacterPair } from './align-plates.ts';

/** Letters and digits that plates of one country have. */
const CHARACTERS = 36;
/** The start, until pairs have been learned: how often a character is read the same again, and as one that looks like it. */
const SAME = 0.97;
const ALIKE = 0.02;
const OTHER = 0.01;
/** How often one of two reads lacks a character. */
const LOST = 0.004;
/** The weight of the start, in characters. */
const START_WEIGHT = 50;

/**
 * How likely two reads are of the same car, character by character. Both may be wrong, so it is no matter of which is right:
 * it counts how often one is read where the other was (an association matrix: Oliveira-Neto, Han and Jeong 2012). It learns
 * from pairs that were accepted. A reader never transposes characters.
 */
export class CharacterOdds {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #totals = new Map<string, number>();
  #characters = START_WEIGHT / LOST;
  #lost = START_WEIGHT;

  /** @returns the logarithm of the probability that a car is read as `now`, given that it was read as `before` */
  logOf(before: string, now: string): number {
    const [shorter, longer] = before.length < now.length ? [before, now] : [now, before];
    if (longer.length - shorter.length > 1 || shorter === '') return Number.NEGATIVE_INFINITY;
    if (longer.length === shorter.length) return this.#logOfSameLength(before, now);
    let best = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < longer.length; at++) {
      const rest = longer.slice(0, at) + longer.slice(at + 1);
      const log = longer === now ? this.#logOfSameLength(before, rest) : this.#logOfSameLength(rest, now);
      best = Math.max(best, log);
    }
    // A character too many is any of them.
    const extra = longer === now ? Math.log(CHARACTERS) : 0;
    return best + Math.log(this.#lost / this.#characters) - extra;
  }

  /** Learns from two reads that are of the same car. */
  learn(before: string, now: string): void {
    for (const pair of alignPlates(before, now) ?? []) this.add(pair, 1);
  }

  /** Learns that a character was read so many times where the other was. */
  add({ before, now }: CharacterPair, times: number): void {
    this.#characters += times;
    if (before === '' || now === '') {
      this.#lost += times;
      return;
    }
    const row = this.#counts.get(before) ?? new Map<string, number>();
    row.set(now, (row.get(now) ?? 0) + times);
    this.#counts.set(before, row);
    this.#totals.set(before, (this.#totals.get(before) ?? 0) + times);
  }

  #logOfSameLength(before: string, now: string): number {
    let log = 0;
    for (let at = 0; at < before.length; at++) {
      log += Math.log(this.#shareOf(before.charAt(at), now.charAt(at)));
    }
    return log;
  }

  #shareOf(before: string, now: string): number {
    const counted = this.#counts.get(before)?.get(now) ?? 0;
    const total = this.#totals.get(before) ?? 0;
    return (counted + START_WEIGHT * startOf(before, now)) / (total + START_WEIGHT);
  }
}

function startOf(before: string, now: string): number {
  if (before === now) return SAME;
  return foldLetters(before) === foldLetters(now) ? ALIKE : OTHER / CHARACTERS;
}
