import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { findDaemon } from './ask-daemon.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';
import { untilEnded } from './until-ended.ts';

const AGAIN_AFTER_MS = 1000;

const PassageNewsSchema = z.object({
  laneId: z.string(),
  passage: z.object({
    at: z.string(),
    plate: z.string().nullable(),
    open: z.boolean(),
    reason: z.string(),
  }),
});

/**
 * Prints what the running daemon makes of what a camera posts, which nobody else hears: each passage of its lane, as it
 * is decided. Connects again where the daemon was away.
 */
export async function watchPassages(
  { laneId, json, seconds }: { laneId: string; json: boolean; seconds: number | null },
  terminal: Terminal,
): Promise<ExitCode> {
  if (!findDaemon(terminal)) return 1;
  const ending = new AbortController();
  const watching = watch(laneId, json, terminal, ending.signal);
  await untilEnded(seconds);
  ending.abort();
  await watching;
  return 0;
}

async function watch(laneId: string, json: boolean, terminal: Terminal, signal: AbortSignal): Promise<void> {
  // It may have another address when it comes back.
  for (let lost = false; !signal.aborted; lost = true) {
    const daemon = findDaemon({ ...terminal, complain: () => undefined });
    try {
      const response = daemon && (await fetch(new URL('/api/events', daemon.url), { signal }));
      if (response?.ok && response.body) {
        if (lost) terminal.complain('The daemon is back.');
        for await (const data of passagesIn(response.body)) printPassage(data, laneId, json, terminal);
      }
    } catch {
      // It is away, or we are told to end: the loop knows.
    }
    if (signal.aborted) return;
    if (!lost) terminal.complain('The daemon is away; waiting for it.');
    await pause(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
}

function printPassage(data: string, of: string, json: boolean, terminal: Terminal): void {
  const news = PassageNewsSchema.safeParse(JSON.parse(data));
  if (!news.success || news.data.laneId !== of) return;
  const { at, plate, open, reason } = news.data.passage;
  const said = { at, what: 'passage', laneId: of, plate, open, reason };
  const words = `${at.slice(11, 23)}  passage ${plate ?? 'unreadable'}  ${open ? 'open' : 'closed'} (${reason})`;
  terminal.print(json ? JSON.stringify(said) : words);
}

/** The data of the events `passage` of a `text/event-stream`, as the daemon writes them. */
async function* passagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, data] = /^event: passage\ndata: (.*)$/.exec(block) ?? [];
      if (data !== undefined) yield data;
    }
  }
}
