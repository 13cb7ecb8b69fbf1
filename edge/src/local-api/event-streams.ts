import type { ServerResponse } from 'node:http';

/** How much may wait for a reader that does not read. */
const MAX_WAITING_BYTES = 1024 * 1024;
const MAX_STREAMS = 64;

/** Readers of server-sent events, who all are told the same. */
export interface EventStreams {
  /** Whether somebody reads: what nobody reads need not be put into words. */
  anyone(): boolean;
  /** Begins a stream with one event; false where there are too many readers. */
  open(response: ServerResponse, name: string, content: object): boolean;
  send(name: string, content: object): void;
  close(): void;
}

export function createEventStreams(maxStreams: number = MAX_STREAMS): EventStreams {
  const readers = new Set<ServerResponse>();

  function send(name: string, content: object): void {
    if (readers.size === 0) return;
    const text = frame(name, content);
    for (const reader of readers) {
      // It comes back by itself, and begins with the state as it is then.
      if (reader.writableLength > MAX_WAITING_BYTES) reader.destroy();
      else reader.write(text);
    }
  }

  return {
    anyone: () => readers.size > 0,
    open(response, name, content) {
      if (readers.size >= maxStreams) return false;
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Nothing else comes on this connection, and the server need not wait for it when it stops.
        connection: 'close',
      });
      readers.add(response);
      response.on('close', () => readers.delete(response)).on('error', () => readers.delete(response));
      response.write(`retry: 2000\n\n${frame(name, content)}`);
      return true;
    },
    send,
    close() {
      for (const reader of readers) reader.end();
    },
  };
}

function frame(name: string, content: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(content)}\n\n`;
}
