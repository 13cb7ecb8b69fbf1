/** Work in the order in which it was added, one piece at a time. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns the result of the work; a failure does not stop the work behind it */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Work in the order in which it was added, one piece at a time for each key. Keys do not wait for each other. */
export class SerialQueues {
  readonly #maxWaiting: number;
  readonly #queues = new Map<string, { waiting: number; last: Promise<void> }>();

  /** @param maxWaiting pieces of work that each key may have at a time */
  constructor(maxWaiting = Number.POSITIVE_INFINITY) {
    this.#maxWaiting = maxWaiting;
  }

  /** @returns false where the queue of the key is full: then the work is not done */
  add(key: string, work: () => Promise<void>): boolean {
    const queue = this.#queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= this.#maxWaiting) return false;
    queue.waiting++;
    this.#queues.set(key, queue);
    const done = () => {
      queue.waiting--;
      if (queue.waiting === 0) this.#queues.delete(key);
    };
    queue.last = queue.last.then(work).then(done, done);
    return true;
  }

  /** Resolves when all work is done. */
  async settled(): Promise<void> {
    while (this.#queues.size > 0) {
      await Promise.all([...this.#queues.values()].map((queue) => queue.last));
    }
  }
}
