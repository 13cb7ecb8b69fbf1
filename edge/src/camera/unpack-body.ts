import { type DocumentLimits, type UnpackedDocument, unpackDocument } from '@hlid/node/unpack-document';
import type { BodyRoom } from './body-limits.ts';

export type Unpacked = UnpackedDocument | { ok: false; reason: 'no-room' };

/** A packed document as its camera wrote it, where there is room for it. */
export async function unpackBody(
  body: Uint8Array,
  limits: DocumentLimits,
  room: BodyRoom,
): Promise<Unpacked> {
  if (!room.take(limits.maxBytes)) return { ok: false, reason: 'no-room' };
  try {
    return await unpackDocument(body, limits);
  } finally {
    room.giveBack(limits.maxBytes);
  }
}
