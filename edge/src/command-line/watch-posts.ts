import { pause } from '@hlid/node/pause';
import { EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { findDaemon } from './call-daemon.ts';
import type { PostingCamera } from './choose-camera.ts';
import { waitForEnd } from './duration.ts';
import type { Shell } from './shell.ts';

const RECONNECT_AFTER_MS = 1000;

const PassageUpdateSchema = z.object({
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
const ReadUpdateSchema = z.object({
  read: z.object({
    cameraId: z.string(),
    at: z.string(),
    plate: z.string().nullable(),
    score: z.number(),
    standing: z.string(),
    reason: z.string().nullable(),
  }),
});

/** Why a read decides nothing; other codes are clear by themselves. */
const STANDING_WORDS: Readonly<Record<string, string>> = {
  late: 'late: by its time, it is old',
  parked: 'the car is parked, or not on the loop',
  'wrong-way': 'it drives the other way',
  filtered: 'excluded by a filter of the camera',
  'low-score': 'the camera is not sure enough',
  'camera-inactive': 'the camera is switched off in the settings',
  'held-back': 'it waits for the loop to notice the car',
};

interface PostWatch extends PostingCamera {
  json: boolean;
}

/**
 * Prints how the running daemon handles what a camera posts: each read, each document that it refuses, and each decided
 * passage of the camera's lanes. Reconnects when the daemon was away.
 *
 * @param seconds null: until it is interrupted
 */
export async function watchPosts(
  { seconds, ...watched }: PostWatch & { seconds: number | null },
  shell: Shell,
): Promise<ExitCode> {
  if (!findDaemon(shell)) return EXIT.failed;
  const ending = new AbortController();
  const watching = watch(createPrinter(watched, shell), shell, ending.signal);
  await waitForEnd(seconds);
  ending.abort();
  await watching;
  return EXIT.done;
}

type Print = (name: string, data: unknown) => void;

async function watch(print: Print, shell: Shell, signal: AbortSignal): Promise<void> {
  // The daemon may have another address after a restart.
  for (let lost = false; !signal.aborted; lost = true) {
    const daemon = findDaemon({ ...shell, complain: () => undefined });
    try {
      const response = daemon && (await fetch(new URL('/api/events', daemon.url), { signal }));
      if (response?.ok && response.body) {
        if (lost) shell.complain('The daemon is back.');
        for await (const { name, data } of eventsIn(response.body)) print(name, JSON.parse(data));
      }
    } catch {
      // The daemon is away, or this was stopped: the loop checks both.
    }
    if (signal.aborted) return;
    if (!lost) shell.complain('The daemon is away; waiting for it.');
    await pause(RECONNECT_AFTER_MS, { signal });
  }
}

function createPrinter({ cameraId, laneIds, json }: PostWatch, shell: Shell): Print {
  /**
   * The line printed last for a passage, and the failure of its gate: the same passage comes several times.
   */
  let printed = '';
  let failure = '';
  const print = (line: { at: string; what: string; [field: string]: unknown }, words: string) =>
    shell.print(json ? JSON.stringify(line) : `${line.at.slice(11, 23)}  ${words}`);

  function printPassage({ laneId, passage }: z.infer<typeof PassageUpdateSchema>) {
    const { id, at, plate, open, reason, gate } = passage;
    const update = JSON.stringify([id, plate, open, reason]);
    const failed = gate === 'refused' || gate === 'unreachable' || gate === 'unknown';
    if (update === printed && (!failed || gate === failure)) return;
    printed = update;
    failure = failed ? gate : '';
    const what = open ? (failed ? `opening, ${gate}` : 'open') : 'closed';
    const line = { at, what: 'passage', laneId, plate, open, reason, ...(failed && { gate }) };
    const where = laneIds.length > 1 ? ` at ${laneId}` : '';
    print(line, `passage ${plate ?? 'unreadable'}${where}  ${what} (${reason})`);
  }

  function printRead({ at, plate, score, standing, reason }: z.infer<typeof ReadUpdateSchema>['read']) {
    if (standing === 'refused') {
      print({ at, what: 'refused', cameraId, reason }, `refused ${reason}`);
      return;
    }
    if (standing === 'mended') {
      print({ at, what: 'mended', cameraId, reason }, `mended  ${reason}`);
      return;
    }
    const explanation = reason ?? STANDING_WORDS[standing] ?? '';
    const words = `plate   ${plate ?? 'unreadable'}  ${Math.round(score * 100)} %  ${explanation}`;
    const line = { cameraId, plate, score, standing, ...(reason !== null && { reason }) };
    print({ at, what: 'plate', ...line }, words.trimEnd());
  }

  return (name, data) => {
    if (name === 'passage') {
      const { data: update } = PassageUpdateSchema.safeParse(data);
      if (update && laneIds.includes(update.laneId)) printPassage(update);
    } else if (name === 'read') {
      const { data: update } = ReadUpdateSchema.safeParse(data);
      if (update?.read.cameraId === cameraId) printRead(update.read);
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
