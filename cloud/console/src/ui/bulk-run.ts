/** One thing that could not be done, and why. */
interface BulkFailure<T> {
  row: T;
  error: unknown;
}

export interface BulkProgress<T> {
  done: number;
  /** Null: not known before the last page is read. */
  total: number | null;
  failures: readonly BulkFailure<T>[];
  state: 'running' | 'stopped' | 'finished';
  /** The list itself could not be read to its end. */
  listError: unknown;
}

const AT_ONCE = 4;

/** Does one thing to many rows, four at a time, and goes on after failures. */
export class BulkRun<T> {
  readonly #pages: AsyncIterator<readonly T[]>;
  readonly #act: (row: T) => Promise<unknown>;
  readonly #onProgress: (progress: BulkProgress<T>) => void;
  #waiting: T[] = [];
  #isStopped = false;
  #reading: Promise<void> | null = null;
  #isAllRead = false;
  #progress: BulkProgress<T>;

  /** @param pages pages of rows, read as they are needed */
  constructor(
    pages: AsyncIterable<readonly T[]>,
    act: (row: T) => Promise<unknown>,
    { total, onProgress }: { total: number | null; onProgress: (progress: BulkProgress<T>) => void },
  ) {
    this.#pages = pages[Symbol.asyncIterator]();
    this.#act = act;
    this.#onProgress = onProgress;
    this.#progress = { done: 0, total, failures: [], state: 'running', listError: null };
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work()));
    this.#report({ state: this.#isStopped ? 'stopped' : 'finished' });
  }

  /** Starts no further item; the items in progress end. */
  stop(): void {
    this.#isStopped = true;
  }

  async #work(): Promise<void> {
    for (let row = await this.#next(); row !== undefined; row = await this.#next()) {
      try {
        await this.#act(row);
      } catch (error) {
        this.#report({ failures: [...this.#progress.failures, { row, error }] });
      }
      this.#report({ done: this.#progress.done + 1 });
    }
  }

  async #next(): Promise<T | undefined> {
    while (!this.#isStopped) {
      const row = this.#waiting.shift();
      if (row !== undefined || this.#isAllRead) return row;
      // Four wait for the same page.
      this.#reading ??= this.#readPage();
      await this.#reading;
    }
    return undefined;
  }

  async #readPage(): Promise<void> {
    try {
      const page = await this.#pages.next();
      if (page.done) this.#isAllRead = true;
      else this.#waiting = [...page.value];
    } catch (listError) {
      this.#isAllRead = true;
      this.#report({ listError });
    } finally {
      this.#reading = null;
    }
  }

  #report(news: Partial<BulkProgress<T>>): void {
    this.#progress = { ...this.#progress, ...news };
    this.#onProgress(this.#progress);
  }
}

/** Rows that are at hand, as one page. */
export async function* onePage<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}

/**
 * Reads all rows of a list, page by page. Each page is read before the rows of the previous one are changed.
 * Otherwise rows that leave the list by the change would move others out of sight.
 */
export async function* everyPage<T>(
  read: (next: string | undefined) => Promise<{ data: T[]; next: string | null }>,
): AsyncGenerator<readonly T[]> {
  let page = await read(undefined);
  while (page.next !== null) {
    const following = await read(page.next);
    yield page.data;
    page = following;
  }
  yield page.data;
}
