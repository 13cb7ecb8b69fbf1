import { gunzipSync } from 'node:zlib';

/** A document as somebody caught it: what of it is the body, and what was said about it. */
export interface CapturedBody {
  body: Uint8Array;
  headers: Record<string, string | undefined>;
}

const REQUEST_LINE = /^(?:POST|PUT) \S{1,2000} HTTP\/1\.[01]\r?\n/;
const LONGEST_HEAD = 16 * 1024;
const LONGEST_CHUNK_LINE = 200;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * A body that may stand behind the head of its request, as tools that listen write it down, and may be gzip’ed.
 * Throws where it is said to be gzip and is not.
 */
export function capturedBody(bytes: Uint8Array): CapturedBody {
  const unpacked = unzipped(bytes);
  const head = Buffer.from(unpacked.subarray(0, LONGEST_HEAD)).toString('latin1');
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
  // Its length is not asked: what was cut down or edited by hand is longer or shorter.
  const sent = unpacked.subarray(from + end.length);
  const isChunked = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '');
  return { body: unzipped(isChunked ? withoutChunks(sent) : sent), headers };
}

/** RFC 9112, 7.1. */
function withoutChunks(bytes: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (;;) {
    const line = Buffer.from(bytes.subarray(at, at + LONGEST_CHUNK_LINE)).toString('latin1');
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
