import { type DocumentLimits, type UnpackedDocument, unpackDocument } from '@hlid/node/unpack-document';
import type { ByteBudget } from './body-limits.ts';

export type Unpacked = UnpackedDocument | { ok: false; reason: 'no-memory' };

/** A packed document as its camera wrote it, where there is memory for it. */
export async function unpackBody(
  body: Uint8Array,
  limits: DocumentLimits,
  budget: ByteBudget,
): Promise<Unpacked> {
  if (!budget.take(limits.maxBytes)) return { ok: false, reason: 'no-memory' };
  try {
    return await unpackDocument(body, limits);
  } finally {
    budget.giveBack(limits.maxBytes);
  }
}
