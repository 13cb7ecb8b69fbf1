import { setTimeout as pause } from 'node:timers/promises';
import { EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { findDaemon } from './ask-daemon.ts';
import type { Shell } from './shell.ts';
import { untilEnded } from './until-ended.ts';

const AGAIN_AFTER_MS = 1000;

const PassageNewsSchema = z.object({
  laneId: z.string(),
  passage: z.object({
    id: z.string(),
    at: z.string(),
    plate: z.string().nullable(),
    open: z.boolean(),
    reason: z.string(),
    gate: z.string(),
  }),
});
const ReadNewsSchema = z.object({
  read: z.object({
    cameraId: z.string(),
    at: z.string(),
    plate: z.string().nullable(),
    score: z.number(),
    standing: z.string(),
    why: z.string().nullable(),
  }),
});

/** Why a read decides nothing; what is not here says it for itself. */
const STANDING_WORDS: Readonly<Record<string, string>> = {
  late: 'late: by its time it was taken long ago',
  parked: 'the car is parked, or not on the loop',
  'wrong-way': 'it drives the other way',
  filtered: 'kept out by a filter of the camera',
  'low-score': 'the camera is not sure enough',
  'camera-inactive': 'the camera is switched off in the settings',
  'held-back': 'it waits for the loop to notice the car',
};

/** A camera that posts by itself, and how it is watched. */
interface PostWatch {
  cameraId: string;
  laneIds: readonly string[];
  json: boolean;
  /** Null: until it is interrupted. */
  seconds: number | null;
}

/**
 * Prints what the running daemon makes of what a camera posts, which nobody else hears: each read and each document
 * that is refused, and each passage of its lane as it is decided. Connects again where the daemon was away.
 */
export async function watchPosts(wish: PostWatch, shell: Shell): Promise<ExitCode> {
  if (!findDaemon(shell)) return EXIT.failed;
  const ending = new AbortController();
  const watching = watch(createPrinter(wish, shell), shell, ending.signal);
  await untilEnded(wish.seconds);
  ending.abort();
  await watching;
  return EXIT.done;
}

type Print = (name: string, data: unknown) => void;

async function watch(print: Print, shell: Shell, signal: AbortSignal): Promise<void> {
  // It may have another address when it comes back.
  for (let lost = false; !signal.aborted; lost = true) {
    const daemon = findDaemon({ ...shell, complain: () => undefined });
    try {
      const response = daemon && (await fetch(new URL('/api/events', daemon.url), { signal }));
      if (response?.ok && response.body) {
        if (lost) shell.complain('The daemon is back.');
        for await (const { name, data } of eventsIn(response.body)) print(name, JSON.parse(data));
      }
    } catch {
      // It is away, or we are told to end: the loop knows.
    }
    if (signal.aborted) return;
    if (!lost) shell.complain('The daemon is away; waiting for it.');
    await pause(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
}

function createPrinter({ cameraId, laneIds, json }: PostWatch, shell: Shell): Print {
  /** What was last said of a passage, and how its gate has failed: it is told again and again meanwhile. */
  let told = '';
  let failure = '';
  const say = (said: { at: string; what: string }, words: string) =>
    shell.print(json ? JSON.stringify(said) : `${said.at.slice(11, 23)}  ${words}`);

  function sayPassage({ laneId, passage }: z.infer<typeof PassageNewsSchema>) {
    const { id, at, plate, open, reason, gate } = passage;
    const news = JSON.stringify([id, plate, open, reason]);
    const failed = gate === 'refused' || gate === 'unreachable' || gate === 'unknown';
    if (news === told && (!failed || gate === failure)) return;
    told = news;
    failure = failed ? gate : '';
    const what = open ? (failed ? `told to open, ${gate}` : 'open') : 'closed';
    const said = { at, what: 'passage', laneId, plate, open, reason, ...(failed && { gate }) };
    const where = laneIds.length > 1 ? ` at ${laneId}` : '';
    say(said, `passage ${plate ?? 'unreadable'}${where}  ${what} (${reason})`);
  }

  function sayRead({ at, plate, score, standing, why }: z.infer<typeof ReadNewsSchema>['read']) {
    if (standing === 'refused') {
      say({ at, what: 'refused', ...{ cameraId, why } }, `refused ${why}`);
      return;
    }
    const reason = why ?? STANDING_WORDS[standing] ?? '';
    const words = `plate   ${plate ?? 'unreadable'}  ${Math.round(score * 100)} %  ${reason}`;
    const said = { cameraId, plate, score, standing, ...(why !== null && { why }) };
    say({ at, what: 'plate', ...said }, words.trimEnd());
  }

  return (name, data) => {
    if (name === 'passage') {
      const { data: news } = PassageNewsSchema.safeParse(data);
      if (news && laneIds.includes(news.laneId)) sayPassage(news);
    } else if (name === 'read') {
      const { data: news } = ReadNewsSchema.safeParse(data);
      if (news?.read.cameraId === cameraId) sayRead(news.read);
    }
  };
}

/** The events of a `text/event-stream`, as the daemon writes them. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<{ name: string; data: string }> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (name !== undefined && data !== undefined) yield { name, data };
    }
  }
}
