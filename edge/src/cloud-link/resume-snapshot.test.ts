import { Fault } from '@hlid/protocol/base/fault';
import type { SnapshotLine } from '@hlid/protocol/site-link/edge-api';
import { expect, test } from 'vitest';
import type { ParsedLine } from '../site-lists/feed-book.ts';
import { resumeSnapshot, type SnapshotPlace } from './resume-snapshot.ts';

const HASH = 'ab'.repeat(16);
const ZONES = ['a', 'b', 'c', 'd', 'e', 'f'];
const head = (n: number): SnapshotLine => ({ kind: 'head', v: 1, n, hash: HASH });
const zone = (id: string): SnapshotLine => ({ kind: 'zone', id, item: { id, name: id, capacity: null } });
const change: SnapshotLine = { kind: 'change', change: { kind: 'zone', op: 'remove', id: 'a' } };

/**
 * A cloud that breaks the connection after these numbers of lines; the last number holds for all later
 * answers.
 */
function brokenLine(afterLines: number[], lines: (from: SnapshotPlace | null) => SnapshotLine[] = whole) {
  const asked: (SnapshotPlace | null)[] = [];
  async function* open(from: SnapshotPlace | null): AsyncGenerator<SnapshotLine[]> {
    const most = afterLines[Math.min(asked.length, afterLines.length - 1)] ?? 0;
    asked.push(from);
    const whole = lines(from);
    // Two at a time: a place may be anywhere in a piece.
    for (let at = 0; at < Math.min(most, whole.length); at += 2) {
      yield whole.slice(at, Math.min(at + 2, most));
    }
    if (most < whole.length) throw new Fault('link-lost', 'the line broke');
  }
  return { asked, open };
}

function whole(from: SnapshotPlace | null): SnapshotLine[] {
  const zones = ZONES.filter((id) => from === null || id > from.id).map(zone);
  return [head(from ? 9 : 4), ...zones, change, head(9), { kind: 'end', lines: zones.length + 1 }];
}

async function taken(open: (from: SnapshotPlace | null) => AsyncIterable<SnapshotLine[]>) {
  const lines: ParsedLine[] = [];
  const broken: string[] = [];
  const retry = { firstMs: 1, maxMs: 2 };
  const { signal } = new AbortController();
  const onBroken = ({ message }: Fault) => void broken.push(message);
  for await (const piece of resumeSnapshot(open, { retry, signal, onBroken })) lines.push(...piece);
  return { lines, broken };
}
const zonesOf = (lines: ParsedLine[]) => lines.flatMap((line) => (line.kind === 'zone' ? [line.id] : []));

test('goes on behind the last item, with the number of the first head, however often the line breaks', async () => {
  const { asked, open } = brokenLine([3, 3, 2, 99]);
  const { lines, broken } = await taken(open);
  expect(asked).toEqual([
    null,
    { since: 4, kind: 'zone', id: 'b' },
    { since: 4, kind: 'zone', id: 'd' },
    { since: 4, kind: 'zone', id: 'e' },
  ]);
  expect(zonesOf(lines)).toEqual(ZONES);
  expect(broken).toHaveLength(3);
  expect(lines.at(-1)).toEqual({ kind: 'end', lines: 7 });
});

test('gets the changes after the items once more, and counts them', async () => {
  const { open } = brokenLine([8, 99]);
  const { lines } = await taken(open);
  expect(lines.filter(({ kind }) => kind === 'change')).toHaveLength(2);
  expect(lines.at(-1)).toEqual({ kind: 'end', lines: 8 });
});

test('gives up where nothing more comes, and before anything has come', async () => {
  const never = brokenLine([4, 1]);
  await expect(taken(never.open)).rejects.toMatchObject({ code: 'link-lost' });
  expect(never.asked).toHaveLength(7);
  const nothing = brokenLine([1]);
  await expect(taken(nothing.open)).rejects.toMatchObject({ code: 'link-lost' });
  expect(nothing.asked).toHaveLength(1);
});

test('takes an answer that just ends for a broken line', async () => {
  const cut = brokenLine([99], (from) => (from ? whole(from) : whole(from).slice(0, 4)));
  expect(zonesOf((await taken(cut.open)).lines)).toEqual(ZONES);
});

test('does not put together what does not belong together', async () => {
  const fromTheStart = brokenLine([3, 99], () => whole(null));
  await expect(taken(fromTheStart.open)).rejects.toMatchObject({ code: 'peer-misbehaved' });
  const lineMissing = brokenLine([99], (from) => whole(from).toSpliced(2, 1));
  await expect(taken(lineMissing.open)).rejects.toThrow('missing');
});

test('ends when it is stopped in a pause', async () => {
  const stopping = new AbortController();
  const { open } = brokenLine([3]);
  const lines = resumeSnapshot(open, {
    retry: { firstMs: 60_000, maxMs: 60_000 },
    signal: stopping.signal,
    onBroken: () => stopping.abort(),
  });
  const all = async () => {
    for await (const _piece of lines);
  };
  await expect(all()).rejects.toThrow('aborted');
});
