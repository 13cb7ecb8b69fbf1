import { pause } from '@hlid/node/pause';
import { RetryPause } from '@hlid/node/retry-pause';
import { Fault, isFault } from '@hlid/protocol/base/fault';
import { LIST_KINDS, type ListKind } from '@hlid/protocol/site-link/site-change';
import type { ParsedLine } from '../site-lists/feed-book.ts';

/** How far a snapshot had come when its line broke: the number of its first head, and its last item. */
export interface SnapshotPlace {
  since: number;
  kind: ListKind;
  id: string;
}

/**
 * The number of attempts in a row without a line after which the snapshot starts again from the beginning.
 */
const FRUITLESS_TRIES = 6;

/**
 * Reads a snapshot over a connection that breaks. Each try continues after the last item received, as long as
 * each try brings something. The lines after the items are sent once more; `end` counts the lines of all
 * tries.
 *
 * @param open requests the lines from a place on, or from the beginning; throws Fault `link-lost` where the
 *   line breaks
 */
export async function* resumeSnapshot(
  open: (from: SnapshotPlace | null) => AsyncIterable<readonly ParsedLine[]>,
  options: {
    retry: { firstMs: number; maxMs: number };
    signal: AbortSignal;
    onBroken: (reason: Fault) => void;
  },
): AsyncGenerator<readonly ParsedLine[]> {
  const { signal, onBroken } = options;
  const retry = new RetryPause(options.retry);
  let place: SnapshotPlace | null = null;
  let since: number | null = null;
  let lines = 0;
  let fruitless = 0;
  for (;;) {
    const from: SnapshotPlace | null = place;
    let inAnswer = 0;
    try {
      for await (const piece of open(from)) {
        let last: ItemLine | undefined;
        let end: EndLine | undefined;
        for (const line of piece) {
          if (line.kind === 'end') {
            end = line;
            break;
          }
          if (line.kind === 'head') since ??= line.n;
          else {
            inAnswer++;
            lines++;
          }
          if (since === null || !isItem(line)) continue;
          if (from && inAnswer === 1) checkGoesOn(from, line);
          last = line;
        }
        if (since !== null && last) {
          place = { since, kind: last.kind, id: last.id };
          fruitless = 0;
        }
        if (end) {
          if (end.lines !== inAnswer) throw new Fault('peer-misbehaved', 'lines of the snapshot are missing');
          yield [...piece.slice(0, piece.indexOf(end)), { ...end, lines }];
          return;
        }
        yield piece;
      }
      throw new Fault('link-lost', 'the snapshot ends before its end');
    } catch (error) {
      if (!isFault(error, 'link-lost') || place === null || signal.aborted) throw error;
      if (fruitless++ >= FRUITLESS_TRIES) throw error;
      if (fruitless === 1) retry.reset();
      onBroken(error);
    }
    await pause(retry.nextMs(), { signal });
    signal.throwIfAborted();
  }
}

type ItemLine = Extract<ParsedLine, { kind: ListKind }>;
type EndLine = Extract<ParsedLine, { kind: 'end' }>;

const ITEM_KINDS: ReadonlySet<string> = new Set(LIST_KINDS);

function isItem(line: ParsedLine): line is ItemLine {
  return ITEM_KINDS.has(line.kind);
}

/** A cloud that cannot go on somewhere begins at the beginning: with the site itself, or what has come before. */
function checkGoesOn(from: SnapshotPlace, line: ItemLine): void {
  if (line.kind === 'site' || (line.kind === from.kind && line.id <= from.id)) {
    throw new Fault('peer-misbehaved', 'the cloud begins anew where it should go on');
  }
}
