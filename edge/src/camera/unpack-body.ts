import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import type { BodyRoom } from './read-body.ts';

const unpack = promisify(unzip);

export type Unpacked =
  | { ok: true; body: Uint8Array }
  | { ok: false; reason: 'too-large' | 'no-room' | 'broken' };

/**
 * A packed document (gzip, zlib) as its camera wrote it. Never throws.
 *
 * @param maxBytes of the document; no more is unpacked
 */
export async function unpackBody(body: Uint8Array, maxBytes: number, room: BodyRoom): Promise<Unpacked> {
  if (!room.take(maxBytes)) return { ok: false, reason: 'no-room' };
  try {
    return { ok: true, body: await unpack(body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    return { ok: false, reason: tooLarge ? 'too-large' : 'broken' };
  } finally {
    room.giveBack(maxBytes);
  }
}

/**
 * Whether something between us packed the document. By its bytes, since cameras are known to say that they pack what
 * they send as it is: no document begins as gzip (RFC 1952) or zlib (RFC 1950) does.
 */
export function isPacked([first = 0, second = 0]: Uint8Array): boolean {
  if (first === 0x1f && second === 0x8b) return true;
  return first === 0x78 && (first * 256 + second) % 31 === 0;
}
