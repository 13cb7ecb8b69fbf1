/** Numbers from 0 up to 1 that look random, the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    return this.bits() / 2 ** 32;
  }

  /** 32 of them. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** One of the indexes of some weights, each as often as it weighs. */
  weighted(weights: readonly number[]): number {
    let rest = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const index = weights.findIndex((weight) => {
      rest -= weight;
      return rest < 0;
    });
    return Math.max(0, index);
  }

  /** Few of the low ones come often, most come seldom, up to a limit. */
  zipf(limit: number): number {
    return Math.floor(limit * this.next() ** 2.5);
  }

  uuid(): string {
    return uuidOf(hex(this.bits()) + hex(this.bits()), this.bits(), this.bits(), 4);
  }

  /** A UUID of version 7, which begins with its time. */
  timedUuid(atMs: number): string {
    const time = Math.floor(atMs).toString(16).padStart(12, '0');
    return uuidOf(time + hex(this.bits()).slice(4), this.bits(), this.bits(), 7);
  }

  text(digits: string, length: number): string {
    let text = '';
    for (let at = 0; at < length; at++) text += digits[this.below(digits.length)];
    return text;
  }
}

const HEX = Array.from({ length: 0x10000 }, (_unused, value) => value.toString(16).padStart(4, '0'));
const hex = (bits: number) => `${HEX[bits >>> 16]}${HEX[bits & 0xffff]}`;

function uuidOf(first: string, middle: number, last: number, version: number): string {
  const [a, b] = [first.slice(0, 8), first.slice(8, 12)];
  const variant = HEX[0x8000 | (middle & 0x3fff)];
  return `${a}-${b}-${version}${first.slice(13)}-${variant}-${HEX[middle >>> 16]}${hex(last)}`;
}
