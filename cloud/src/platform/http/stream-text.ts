import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';

/** A reader that takes nothing for this long is gone. */
const STALLED_MS = MINUTE_MS;

/**
 * A body that is written as it is read: `write` gets a function that takes a piece and resolves when there is room
 * for the next. The body is cut off where `write` throws; `send` throws where the reader has gone.
 */
export function streamText(
  gzip: boolean,
  write: (send: (piece: string) => Promise<void>) => Promise<void>,
): ReadableStream<Uint8Array> {
  const text = new PassThrough({ highWaterMark: 256 * 1024 });
  const body = gzip ? createGzip({ level: 1 }) : text;
  if (body !== text) pipeline(text, body, () => undefined);
  // Its reader learns of an error by the broken stream; there is no other listener.
  body.on('error', () => undefined);
  write((piece) => sendPiece(text, piece)).then(
    () => text.end(),
    (error) => body.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return Readable.toWeb(body) as ReadableStream<Uint8Array>;
}

function sendPiece(text: PassThrough, piece: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (text.destroyed) {
      reject(new Fault('link-lost', 'the reader has gone'));
      return;
    }
    if (text.write(piece)) {
      // Others get a turn between pieces, also where the reader is as fast as we are.
      setImmediate(resolve);
      return;
    }
    const stalled = setTimeout(() => text.destroy(), STALLED_MS);
    const settle = () => {
      clearTimeout(stalled);
      text.off('drain', settle);
      text.off('close', settle);
      if (text.destroyed) reject(new Fault('link-lost', 'the reader has gone'));
      else resolve();
    };
    text.on('drain', settle);
    text.on('close', settle);
  });
}
