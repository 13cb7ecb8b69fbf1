import { Random } from '../history/random.ts';

/** What a generated year draws: the same year for the same seed. */
export class Draws extends Random {
  isOneIn(share: number): boolean {
    return this.next() < share;
  }

  of<T>(values: readonly T[]): T {
    const drawn = values[this.below(values.length)];
    if (drawn === undefined) throw new RangeError('nothing to draw from');
    return drawn;
  }

  /** Draws by a bell curve around 0 with spread 1 (Box and Muller). */
  bell(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
}
