import type { IncomingMessage } from 'node:http';

const MAX_BYTES = 4096;

/** The JSON of a short request; undefined where it is none, or too long. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > MAX_BYTES) return undefined;
    pieces.push(buffer);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}
