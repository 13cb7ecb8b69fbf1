import type { BoardEvents } from '@hlid/edge/local-api/lane-routes';
import { pause } from '@hlid/node/pause';

type BoardListeners = { [Name in keyof BoardEvents]?: (content: BoardEvents[Name]) => void };

const TRY_AGAIN_MS = 500;

/**
 * Listens to what happens on the lanes (`GET /api/events` of the edge) until it is aborted; connects again when the
 * edge was away, and then gets the state first.
 */
export async function watchBoard(
  localUrl: string,
  listeners: BoardListeners,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await fetch(new URL('/api/events', localUrl), { signal });
      if (response.ok && response.body) {
        for await (const { name, data } of serverSentEvents(response.body)) notify(listeners, name, data);
      }
    } catch {
      // The edge is away or the watch is stopped: the loop handles both.
    }
    await pause(TRY_AGAIN_MS, { signal });
  }
}

function notify(listeners: BoardListeners, name: string, data: string): void {
  const listener = Object.entries(listeners).find(([known]) => known === name)?.[1];
  // The edge's own words about its own lanes: taken as they are.
  if (listener) (listener as (content: unknown) => void)(JSON.parse(data));
}

/** The events of a `text/event-stream`. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ name: string; data: string }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split(/\r?\n/);
      const field = (key: string) =>
        lines.flatMap((line) =>
          line.startsWith(`${key}:`) ? line.slice(key.length + 1).replace(/^ /, '') : [],
        );
      const data = field('data');
      if (data.length > 0) yield { name: field('event').at(-1) ?? 'message', data: data.join('\n') };
    }
  }
}
