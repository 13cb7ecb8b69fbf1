/** A reader that is further behind is disconnected; it comes back and goes on from its last event. */
const MAX_BACKLOG_BYTES = 64 * 1024;
/** What the browser waits before it comes back. */
const RETRY_MS = 2000;

const encoder = new TextEncoder();

/** One stream of server-sent events. */
export class LiveReader {
  readonly body: ReadableStream<Uint8Array>;
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  /** @param onEnd called once, when either side has ended the stream */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#ended(),
      },
      { highWaterMark: MAX_BACKLOG_BYTES, size: (bytes) => bytes.byteLength },
    );
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  /** @param id what the browser sends back as `Last-Event-ID` */
  send(name: string, content: object, id?: number): void {
    this.#write(
      `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(content)}\n\n`,
    );
  }

  end(): void {
    this.#controller?.close();
    this.#ended();
  }

  #write(text: string): void {
    const controller = this.#controller;
    if (controller === null) return;
    if ((controller.desiredSize ?? 0) < 0) this.end();
    else controller.enqueue(encoder.encode(text));
  }

  #ended(): void {
    if (this.#controller === null) return;
    this.#controller = null;
    this.#onEnd();
  }
}
