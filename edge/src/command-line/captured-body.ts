import { gunzipSync } from 'node:zlib';

/** A captured document: its body, and the headers that came with it. */
export interface CapturedBody {
  body: Uint8Array;
  headers: Record<string, string | undefined>;
}

const REQUEST_LINE = /^(?:POST|PUT) \S{1,2000} HTTP\/1\.[01]\r?\n/;
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_CHUNK_LINE_BYTES = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a body that may follow the head of its request, as capturing tools write it, and may be gzip’ed. Throws where
 * gzip data is damaged.
 */
export function capturedBody(bytes: Uint8Array): CapturedBody {
  const unpacked = unzipped(bytes);
  const head = Buffer.from(unpacked.subarray(0, MAX_HEAD_BYTES)).toString('latin1');
  if (!REQUEST_LINE.test(head)) return { body: unpacked, headers: {} };
  const [end] = /\r?\n\r?\n/.exec(head) ?? [];
  if (end === undefined) return { body: unpacked, headers: {} };
  const from = head.indexOf(end);
  const headers: Record<string, string | undefined> = Object.fromEntries(
    head
      .slice(0, from)
      .split(/\r?\n/)
      .slice(1)
      .map((line) => [line.replace(/:.*$/, '').trim().toLowerCase(), line.replace(/^[^:]*:/, '').trim()]),
  );
  // `content-length` is ignored: it does not fit a capture that was shortened or edited by hand.
  const sent = unpacked.subarray(from + end.length);
  const isChunked = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '');
  return { body: unzipped(isChunked ? withoutChunks(sent) : sent), headers };
}

/** RFC 9112, 7.1. */
function withoutChunks(bytes: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const line = Buffer.from(bytes.subarray(at, at + MAX_CHUNK_LINE_BYTES)).toString('latin1');
    const [head, digits = ''] = /^([\da-f]{1,7})[^\r\n]*\r?\n/i.exec(line) ?? [];
    const length = Number.parseInt(digits, 16);
    if (head === undefined || !(length > 0)) return Buffer.concat(chunks);
    const from = at + head.length;
    chunks.push(bytes.subarray(from, from + length));
    at = from + length;
    // The line end behind a chunk.
    while (bytes[at] === 0x0d || bytes[at] === 0x0a) at++;
  }
}

function unzipped(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
}
