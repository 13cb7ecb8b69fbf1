import type { Connection } from './connection.ts';

/**
 * Connections that read, opened as they are needed, up to a limit; a reader that finds none free waits for the
 * next one.
 */
export class ReaderPool {
  readonly #size: number;
  readonly #open: () => Connection;
  readonly #idle: Connection[] = [];
  readonly #waiting: ((reader: Connection) => void)[] = [];
  #opened = 0;

  constructor(size: number, open: () => Connection) {
    this.#size = size;
    this.#open = open;
  }

  take(): Connection | Promise<Connection> {
    // The one used last: its statements are prepared and its pages are in memory.
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#opened < this.#size) {
      this.#opened++;
      return this.#open();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  giveBack(reader: Connection): void {
    const next = this.#waiting.shift();
    if (next) next(reader);
    else this.#idle.push(reader);
  }

  /** Closes the readers once all are given back. */
  close(): void {
    for (const reader of this.#idle) reader.close();
  }
}
