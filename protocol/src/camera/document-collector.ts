import type { Shortening } from '../plate/plate-read.ts';

const MIB = 1024 * 1024;

/** The largest document that is parsed: pictures in base64 make megabytes. */
export const MAX_DOCUMENT_BYTES = 12 * MIB;
/** The largest document that a camera may send: large pictures are left out while a longer one arrives. */
export const MAX_SENT_BYTES = 64 * MIB;

/** A picture is left out if it has more than this part of a document. */
const PARTS_OF_DOCUMENT = 64;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DASH = 0x2d;
/** A line that begins as JPEG or PNG does, with the line feed before it. */
const PICTURE_STARTS: ReadonlySet<number> = new Set([0x0affd8ff, 0x0a89504e]);
/** Boundaries have at most 70 characters (RFC 2046), and some makers' have more. */
const MAX_BOUNDARY_BYTES = 210;

/** Base64 in JSON and XML, its line ends, its escapes, and the zeros between its characters in UTF-16. */
const IN_RUN = new Uint8Array(256);
for (const byte of new TextEncoder().encode(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\\\r\n\t \0',
)) {
  IN_RUN[byte] = 1;
}

/**
 * Collects a document that arrives in pieces. If it is larger than allowed, the largest pieces are left out;
 * those are its pictures, as runs of base64 or as parts of a multipart body. The plate is found wherever it
 * stands. Takes time in proportion to what arrives, and no more memory than twice `maxBytes`.
 */
export class DocumentCollector {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #shortener: Shortener | null = null;

  constructor(maxBytes = MAX_DOCUMENT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** How much of it is kept until now. */
  get keptBytes(): number {
    return Math.min(this.#bytes, this.#maxBytes);
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#shortener !== null) {
      this.#shortener.add(chunk);
      return;
    }
    this.#chunks.push(chunk);
    if (this.#bytes <= this.#maxBytes) return;
    this.#shortener = new Shortener(this.#maxBytes, boundaryLine(this.#chunks));
    for (const early of this.#chunks) this.#shortener.add(early);
    this.#chunks = [];
  }

  /** @returns `shortening` null: it is whole */
  finish(): { body: Uint8Array; shortening: Shortening | null } {
    if (this.#shortener !== null) return this.#shortener.finish();
    const [only] = this.#chunks;
    if (only !== undefined && this.#chunks.length === 1) return { body: only, shortening: null };
    const body = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      body.set(chunk, at);
      at += chunk.length;
    }
    return { body, shortening: null };
  }
}

/** A whole document, shortened if it is too large. */
export function shortenDocument(
  body: Uint8Array,
  maxBytes: number,
): { body: Uint8Array; shortening: Shortening | null } {
  const collector = new DocumentCollector(maxBytes);
  collector.add(body);
  return collector.finish();
}

/** The words for the installer: the same for each document of a camera, so that it is reported once. */
export function shorteningWords({ isCut }: Shortening): string {
  const limit = `a document has more than ${MAX_DOCUMENT_BYTES / MIB} MB`;
  return isCut
    ? `${limit}: its large pictures and its end are left out`
    : `${limit}: its large pictures are left out`;
}

/** The first line of a multipart body, after a line feed, as its boundary stands there; null: it is no such body. */
function boundaryLine([first = new Uint8Array()]: readonly Uint8Array[]): Uint8Array | null {
  if (first[0] !== DASH || first[1] !== DASH) return null;
  const end = first
    .subarray(0, MAX_BOUNDARY_BYTES)
    .findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
  return end < 3 ? null : Uint8Array.of(LINE_FEED, ...first.subarray(0, end));
}

/**
 * The parts of a document that are kept, piece by piece; a piece that turns out to be too long is taken out
 * again.
 */
class KeptSegments {
  readonly #out: Uint8Array;
  readonly #maxSegment: number;
  #used = 0;
  #segmentFrom = 0;
  #segmentBytes = 0;
  #arrived = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#out = new Uint8Array(maxBytes);
    this.#maxSegment = Math.ceil(maxBytes / PARTS_OF_DOCUMENT);
  }

  /** Part of a piece that is kept only if it is short. */
  extend(bytes: Uint8Array): void {
    this.#arrived += bytes.length;
    const before = this.#segmentBytes;
    this.#segmentBytes += bytes.length;
    if (before <= this.#maxSegment) this.#write(bytes.subarray(0, this.#maxSegment - before + 1));
  }

  /** @param without the number of its last bytes that are not part of the piece */
  end(without = 0): void {
    const length = this.#segmentBytes - without;
    if (length > this.#maxSegment) this.#used = this.#segmentFrom;
    else if (this.#used < this.#segmentFrom + length) this.#isCut = true;
    else this.#used = this.#segmentFrom + length;
    this.#arrived -= without;
    this.#begin();
  }

  /** Keeps what is of no such piece. */
  keep(bytes: Uint8Array): void {
    this.#arrived += bytes.length;
    if (this.#write(bytes) < bytes.length) this.#isCut = true;
    this.#begin();
  }

  finish(): { body: Uint8Array; shortening: Shortening } {
    const shortening = { droppedBytes: this.#arrived - this.#used, isCut: this.#isCut };
    return { body: this.#out.subarray(0, this.#used), shortening };
  }

  #begin(): void {
    this.#segmentFrom = this.#used;
    this.#segmentBytes = 0;
  }

  /** @returns how many of them had room */
  #write(bytes: Uint8Array): number {
    if (this.#isCut) return 0;
    const fitting = bytes.subarray(0, this.#out.length - this.#used);
    this.#out.set(fitting, this.#used);
    this.#used += fitting.length;
    return fitting.length;
  }
}

/** Leaves out long runs of base64, and long pictures among the parts of a multipart body. */
class Shortener {
  readonly #kept: KeptSegments;
  /** The end of a part: the boundary, with the line feed before it; null: the body has no parts. */
  readonly #mark: Uint8Array | null;
  #isInPicture = false;
  #matched = 0;
  #lastFour = 0;

  constructor(maxBytes: number, mark: Uint8Array | null) {
    this.#kept = new KeptSegments(maxBytes);
    this.#mark = mark;
  }

  add(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      at =
        this.#isInPicture && this.#mark ? this.#addPicture(chunk, at, this.#mark) : this.#addText(chunk, at);
    }
  }

  finish(): { body: Uint8Array; shortening: Shortening } {
    this.#kept.end();
    return this.#kept.finish();
  }

  #addText(chunk: Uint8Array, from: number): number {
    const end = this.#mark === null ? chunk.length : this.#startOfPicture(chunk, from);
    let at = from;
    while (at < end) {
      const run = endOf(chunk, at, end, 1);
      if (run > at) this.#kept.extend(chunk.subarray(at, run));
      if (run === end) break;
      this.#kept.end();
      at = endOf(chunk, run, end, 0);
      this.#kept.keep(chunk.subarray(run, at));
    }
    return end;
  }

  /** The end of the first bytes of a picture that begins a line; the end of the chunk where none begins. */
  #startOfPicture(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      this.#lastFour = ((this.#lastFour << 8) | (chunk[at] ?? 0)) >>> 0;
      if (!PICTURE_STARTS.has(this.#lastFour)) continue;
      this.#isInPicture = true;
      return at + 1;
    }
    return chunk.length;
  }

  #addPicture(chunk: Uint8Array, from: number, mark: Uint8Array): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === mark[this.#matched]) this.#matched++;
      // The mark has its only line feed at its beginning.
      else this.#matched = byte === LINE_FEED ? 1 : 0;
      if (this.#matched < mark.length) continue;
      this.#matched = 0;
      this.#isInPicture = false;
      this.#kept.extend(chunk.subarray(from, at + 1));
      this.#kept.end(mark.length);
      this.#kept.keep(mark);
      return at + 1;
    }
    this.#kept.extend(chunk.subarray(from));
    return chunk.length;
  }
}

function endOf(chunk: Uint8Array, from: number, to: number, inRun: 0 | 1): number {
  let at = from;
  while (at < to && IN_RUN[chunk[at] ?? 0] === inRun) at++;
  return at;
}
