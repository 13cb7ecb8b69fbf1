import type { Writable } from 'node:stream';

/** A reader that is further behind is disconnected; it comes back and goes on from its last event. */
const MAX_BACKLOG_BYTES = 64 * 1024;
/** The pause of the browser before it connects again. */
const RETRY = Buffer.from('retry: 2000\n\n');

/**
 * An event as it goes to readers: encoded once, however many read.
 *
 * @param id what the browser sends back as `Last-Event-ID`
 */
export function encodeEvent(name: string, content: object, id?: number): Buffer {
  return Buffer.from(
    `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(content)}\n\n`,
  );
}

/** One stream of server-sent events. */
export class LiveReader {
  readonly #out: Writable;
  readonly #onEnd: () => void;
  #isOpen = true;

  /** @param onEnd called once, when either side has ended the stream */
  constructor(out: Writable, onEnd: () => void) {
    this.#out = out;
    this.#onEnd = onEnd;
    out.on('close', () => this.#ended());
    out.on('error', ignore);
    if (out.destroyed) this.#ended();
    else this.send(RETRY);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(event: Buffer): void {
    if (!this.#isOpen) return;
    if (this.#out.writableLength > MAX_BACKLOG_BYTES) this.end();
    else this.#out.write(event);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#out.end();
    this.#ended();
  }

  #ended(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onEnd();
  }
}

/** A broken connection closes the stream, too. */
function ignore(): void {}
