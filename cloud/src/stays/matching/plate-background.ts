/** The weight of plates that were never seen, in visits: of cars that come once. */
const NEWCOMERS = 5000;
/** The weight of a character that was never seen at its place, in plates. */
const UNSEEN = 0.5;
const CHARACTERS = 36;
const LENGTHS = 10;

/** How likely any other car is read as a plate: rare for most, and often for one that comes every day. */
export class PlateBackground {
  readonly #plates = new Map<string, number>();
  readonly #lengths = new Map<number, number>();
  /** How often each character stands at each place, by the length of the plate. */
  readonly #places = new Map<string, number>();
  #all = 0;

  learn(plate: string): void {
    this.#all += 1;
    add(this.#plates, plate);
    add(this.#lengths, plate.length);
    for (const [at, character] of [...plate].entries())
      add(this.#places, `${plate.length} ${at} ${character}`);
  }

  /** @returns the logarithm of its probability */
  logOf(plate: string): number {
    const known = this.#plates.get(plate) ?? 0;
    return Math.log((known + NEWCOMERS * this.#shapeOf(plate)) / (this.#all + NEWCOMERS));
  }

  #shapeOf(plate: string): number {
    const ofLength = this.#lengths.get(plate.length) ?? 0;
    let share = (ofLength + UNSEEN) / (this.#all + UNSEEN * LENGTHS);
    for (const [at, character] of [...plate].entries()) {
      const seen = this.#places.get(`${plate.length} ${at} ${character}`) ?? 0;
      share *= (seen + UNSEEN) / (ofLength + UNSEEN * CHARACTERS);
    }
    return share;
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
