import { Readable } from 'node:stream';
import { createUnzip } from 'node:zlib';
import { DocumentCollector } from '@hlid/protocol/camera/document-collector';
import type { Shortening } from '@hlid/protocol/plate/plate-read';

/** The content encodings of a camera's document that are understood, as a request announces them. */
const ENCODINGS = ['gzip', 'x-gzip', 'deflate', 'identity'] as const;
/** The value of the header `Accept-Encoding` of a refusal (RFC 9110, 12.5.3), and what its text names. */
export const ACCEPTED_ENCODINGS = ENCODINGS.join(', ');

/** Whether a document with this header `Content-Encoding` can be understood; absent: it is not packed. */
export function isEncodingAccepted(header: string | null | undefined): boolean {
  const encoding = (header ?? '').trim().toLowerCase();
  return encoding === '' || ENCODINGS.some((accepted) => accepted === encoding);
}

export type UnpackedDocument =
  | { ok: true; body: Uint8Array; shortening: Shortening | null }
  | { ok: false; reason: 'too-large' | 'broken' };

/** Limits of one document, and of the part of it that is kept. */
export interface DocumentLimits {
  maxBytes: number;
  /** Beyond `maxBytes` the large pictures are left out; beyond this it is refused. */
  maxSentBytes: number;
}

/** A packed document (gzip, zlib) as its camera wrote it. Never throws, and unpacks no more than may be sent. */
export async function unpackDocument(
  body: Uint8Array,
  { maxBytes, maxSentBytes }: DocumentLimits,
): Promise<UnpackedDocument> {
  const collector = new DocumentCollector(maxBytes);
  let bytes = 0;
  try {
    const chunks: AsyncIterable<Uint8Array> = Readable.from([body]).pipe(createUnzip());
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxSentBytes) return { ok: false, reason: 'too-large' };
      collector.add(chunk);
    }
    return { ok: true, ...collector.finish() };
  } catch {
    return { ok: false, reason: 'broken' };
  }
}

/**
 * Whether something between us packed the document. By its bytes, since some cameras announce that they pack
 * what they send unpacked: no document begins as gzip (RFC 1952) or zlib (RFC 1950) does.
 */
export function isPacked([first = 0, second = 0]: Uint8Array): boolean {
  if (first === 0x1f && second === 0x8b) return true;
  return first === 0x78 && (first * 256 + second) % 31 === 0;
}
