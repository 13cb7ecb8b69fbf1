/**
 * Takes turns: one piece of long work, for any site, in a turn of the event loop. After an outage hundreds of sites
 * may request a snapshot at once; all other requests wait for one piece at most.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
