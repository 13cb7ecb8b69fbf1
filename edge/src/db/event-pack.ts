import { deflateSync, inflateSync } from 'node:zlib';

/** An event as it was written: `body` is JSON. */
export interface EventRow {
  seq: number;
  at: string;
  body: string;
}

/** A row of `event_pack`: events with consecutive numbers, compressed together. */
export interface EventPack {
  firstSeq: number;
  lastSeq: number;
  body: Uint8Array;
}

/** JSON has no line breaks, and a time no spaces: a line is the time of an event, a space and its body. */
export function packEvents(rows: readonly Omit<EventRow, 'seq'>[]): Buffer {
  return deflateSync(rows.map(({ at, body }) => `${at} ${body}`).join('\n'));
}

/** @throws where the pack is damaged */
export function unpackEvents({ firstSeq, lastSeq, body }: EventPack): EventRow[] {
  const lines = inflateSync(body).toString().split('\n');
  if (lines.length !== lastSeq - firstSeq + 1) throw new RangeError('a pack lacks events');
  return lines.map((line, n) => {
    const space = line.indexOf(' ');
    return { seq: firstSeq + n, at: line.slice(0, space), body: line.slice(space + 1) };
  });
}
