import { isPacked, type UnpackedDocument, unpackDocument } from '@hlid/node/unpack-document';
import {
  DocumentCollector,
  MAX_DOCUMENT_BYTES,
  MAX_SENT_BYTES,
} from '@hlid/protocol/camera/document-collector';
import type { Shortening } from '@hlid/protocol/plate/plate-read';

const LIMITS = { maxBytes: MAX_DOCUMENT_BYTES, maxSentBytes: MAX_SENT_BYTES };

/**
 * A camera's document, unpacked where it is packed, as at the edge; of one that is too large the large pictures are left
 * out while it arrives. `too-large`: even more was sent than may be. `broken`: it cannot be unpacked.
 */
export async function receiveDocument(request: Request): Promise<UnpackedDocument> {
  const sent = await readDocument(request);
  if (sent === null) return { ok: false, reason: 'too-large' };
  return isPacked(sent.body) ? await unpackDocument(sent.body, LIMITS) : { ok: true, ...sent };
}

async function readDocument(
  request: Request,
): Promise<{ body: Uint8Array; shortening: Shortening | null } | null> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN);
  if (announced <= MAX_DOCUMENT_BYTES || request.body === null) {
    return { body: new Uint8Array(await request.arrayBuffer()), shortening: null };
  }
  const collector = new DocumentCollector();
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.length;
    if (bytes > MAX_SENT_BYTES) return null;
    collector.add(chunk);
  }
  return collector.finish();
}
