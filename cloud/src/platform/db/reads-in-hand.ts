/** The reads of a database that are under way; once it is closed, no more begin. */
export class ReadsInHand {
  readonly #reads = new Set<Promise<unknown>>();
  #closed = false;

  /** Throws once the database is closed. */
  track<T>(begin: () => Promise<T>): Promise<T> {
    this.refuseIfClosed();
    const reading = begin();
    this.#reads.add(reading);
    const done = () => this.#reads.delete(reading);
    reading.then(done, done);
    return reading;
  }

  refuseIfClosed(): void {
    if (this.#closed) throw new Error('the database is closed');
  }

  /**
   * Lets nothing more begin, and waits for the reads and for what else is named.
   *
   * @returns false where it was closed before
   */
  async close(alsoFor: Promise<unknown> | null): Promise<boolean> {
    if (this.#closed) return false;
    this.#closed = true;
    await Promise.allSettled([alsoFor, ...this.#reads]);
    return true;
  }
}
