/** Work of each site in the order asked, one piece at a time; sites do not wait for each other. */
export class SiteQueue {
  readonly #limit: number;
  readonly #lines = new Map<string, { waiting: number; last: Promise<void> }>();

  /** @param limit pieces of work that a site may have waiting */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** @returns false where the site's line is full; the work is not done then */
  add(siteId: string, work: () => Promise<void>): boolean {
    const line = this.#lines.get(siteId) ?? { waiting: 0, last: Promise.resolve() };
    if (line.waiting >= this.#limit) return false;
    line.waiting++;
    this.#lines.set(siteId, line);
    const done = () => {
      line.waiting--;
      if (line.waiting === 0) this.#lines.delete(siteId);
    };
    line.last = line.last.then(work).then(done, done);
    return true;
  }

  /** Waits until nothing is left to do. */
  async settled(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map((line) => line.last));
  }
}
