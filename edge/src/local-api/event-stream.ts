import type { ServerResponse } from 'node:http';

/** A reader that is further behind than this is disconnected. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
const MAX_READERS = 64;

/** A stream of server-sent events with many readers, who all get the same. */
export class EventStream {
  readonly #readers = new Set<ServerResponse>();

  /** An event without readers need not be made. */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Adds a reader, who gets one event first. @returns false where there are too many readers */
  open(response: ServerResponse, name: string, content: object): boolean {
    if (this.#readers.size >= MAX_READERS) return false;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // The server need not wait for this connection when it stops: it carries nothing else.
      connection: 'close',
    });
    this.#readers.add(response);
    const remove = () => this.#readers.delete(response);
    response.on('close', remove).on('error', remove);
    response.write(`retry: 2000\n\n${frame(name, content)}`);
    return true;
  }

  send(name: string, content: object): void {
    if (!this.hasReaders) return;
    const text = frame(name, content);
    for (const reader of this.#readers) {
      // It reconnects by itself, and starts with the state at that time.
      if (reader.writableLength > MAX_BACKLOG_BYTES) reader.destroy();
      else reader.write(text);
    }
  }

  /** Ends the stream for all its readers. */
  close(): void {
    for (const reader of this.#readers) reader.end();
  }
}

function frame(name: string, content: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(content)}\n\n`;
}
