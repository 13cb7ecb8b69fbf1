import { MINUTE_MS } from '@hlid/protocol/base/durations';

/** The first bin ends after a minute; each next is longer by this factor, up to some months. */
const FACTOR = 1.25;
const BINS = 60;
/** The start, until stays have been learned: half of them are longer than this. */
const MEDIAN_MINUTES = 75;
/** The spread of the logarithms of their lengths. */
const SPREAD = 1.4;
/** The weight of the start, in stays. */
const START_WEIGHT = 100;

/** How long cars stay at a site. It learns from stays that are known. */
export class StayLengths {
  readonly #counts = startCounts();
  #all = START_WEIGHT;

  learn(ms: number): void {
    const bin = binOf(ms);
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1;
    this.#all += 1;
  }

  /** @returns the logarithm of the probability that a stay ends within one millisecond after this time */
  logDensity(ms: number): number {
    const bin = binOf(ms);
    const width = (endOf(bin) - (bin === 0 ? 0 : endOf(bin - 1))) * MINUTE_MS;
    return Math.log((this.#counts[bin] ?? 0) / this.#all / width);
  }

  /** The share of stays that are longer. */
  longer(ms: number): number {
    const bin = binOf(ms);
    const beyond = this.#counts.slice(bin).reduce((sum, count) => sum + count, 0);
    return beyond / this.#all;
  }
}

function endOf(bin: number): number {
  return FACTOR ** bin;
}

function binOf(ms: number): number {
  const minutes = Math.max(0, ms) / MINUTE_MS;
  return minutes <= 1 ? 0 : Math.min(BINS - 1, Math.ceil(Math.log(minutes) / Math.log(FACTOR)));
}

function startCounts(): number[] {
  const weights = Array.from({ length: BINS }, (_, bin) => {
    const from = (Math.log(endOf(bin)) - Math.log(MEDIAN_MINUTES)) / SPREAD;
    return Math.exp((-from * from) / 2) + 1e-4;
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (START_WEIGHT * weight) / all);
}
