import { type Checked, refuse } from './json-border.ts';
import { pictureType } from './picture-type.ts';

/** One part of a multipart body. */
export interface BodyPart {
  name: string;
  fileName: string;
  /** Lower case, without parameters; empty where none is given. */
  contentType: string;
  /** A view into the body, not a copy. */
  content: Uint8Array;
  /** Another boundary follows: what comes last in a body that breaks off may be cut. */
  closed: boolean;
}

/** One delimiter line: where it begins (with the line end before it) and where the next line begins. */
interface Delimiter {
  from: number;
  to: number;
  last: boolean;
}

const MAX_PARTS = 64;
const MAX_HEADER_BYTES = 8192;
const LONGEST_BOUNDARY = 200;
/** Lines that begin with the boundary and go on. */
const MAX_MISSES = 1000;
/** The number of bytes in which the boundary is searched, if the headers do not name it. */
const PREAMBLE_BYTES = 8192;

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * The parts of a multipart body (RFC 2046, RFC 7578), null where it is none. They are found by the bytes
 * alone: `Content-Length` of parts is often wrong or 0, boundaries are announced with their dashes or not at
 * all, lines end in LF alone, the closing boundary is missing. Never throws, and takes time in proportion to
 * the body.
 */
export function splitMultipart(
  body: Uint8Array,
  contentType: string | undefined,
): Checked<BodyPart[]> | null {
  const announced = parameterOf(contentType ?? '', 'boundary');
  const isMultipart = /^\s*multipart\//i.test(contentType ?? '');
  for (const boundary of boundariesToTry(body, isMultipart ? announced : null)) {
    const delimiters = delimitersOf(body, boundary);
    if (delimiters.length > MAX_PARTS) return refuse('malformed', `more than ${MAX_PARTS} parts`);
    const parts = partsBetween(body, delimiters);
    if (parts.length > 0) return { ok: true, value: parts };
  }
  if (!isMultipart || isOneDocument(textOf(body.subarray(0, 64)))) return null;
  return refuse('malformed', 'the body has no part between boundaries');
}

/** A parameter of a header's value, quoted or bare: `form-data; name="image"; filename=a.jpg`. */
export function parameterOf(header: string, parameter: string): string | null {
  for (const [, name, quoted, single, bare] of header.matchAll(
    /;\s*([\w-]+)\*?\s*=\s*(?:"([^"]*)"|'([^']*)'|([^;\r\n]*))/g,
  )) {
    if (name?.toLowerCase() === parameter) return quoted ?? single ?? bare?.trim() ?? '';
  }
  return null;
}

function boundariesToTry(body: Uint8Array, announced: string | null): string[] {
  const boundaries: string[] = [];
  if (announced) boundaries.push(announced);
  // Announced as it stands in the body, dashes and all.
  if (announced?.startsWith('--')) boundaries.push(announced.slice(2));
  const found = boundaryIn(body);
  if (found !== null && !boundaries.includes(found)) boundaries.push(found);
  return boundaries.filter((boundary) => boundary.length <= LONGEST_BOUNDARY);
}

/**
 * The boundary that the body itself shows: a line of two dashes and a word. The next line is a header's, or
 * the content of a part without headers: a document, or a picture, which has a first byte that is no UTF-8.
 */
function boundaryIn(body: Uint8Array): string | null {
  const start = textOf(body.subarray(0, PREAMBLE_BYTES)).trimStart();
  if (isOneDocument(start)) return null;
  const [, boundary] =
    /(?:^|\n)--([^\r\n]{1,200}?)[ \t]*\r?\n(?:[A-Za-z][\w-]*:|\s*[<{[\uFFFD])/.exec(start) ?? [];
  return boundary ?? null;
}

/** A body that begins so is XML or JSON, whatever stands inside it. */
function isOneDocument(beginning: string): boolean {
  return /^\s*[<{[]/.test(beginning);
}

function delimitersOf(body: Uint8Array, boundary: string): Delimiter[] {
  const mark = new TextEncoder().encode(`--${boundary}`);
  const found: Delimiter[] = [];
  let misses = 0;
  for (let at = 0; at < body.length && found.length <= MAX_PARTS; at++) {
    if (body[at] !== DASH || body[at + 1] !== DASH || (at > 0 && body[at - 1] !== LF)) continue;
    if (!standsAt(body, mark, at)) continue;
    const delimiter = delimiterAt(body, at, at + mark.length);
    if (delimiter === null) {
      // A genuine body has no such line.
      if (++misses > MAX_MISSES) return [];
      continue;
    }
    found.push(delimiter);
    if (delimiter.last) break;
    at = delimiter.to - 1;
  }
  return found;
}

function standsAt(body: Uint8Array, mark: Uint8Array, at: number): boolean {
  for (let offset = 0; offset < mark.length; offset++) {
    if (body[at + offset] !== mark[offset]) return false;
  }
  return true;
}

/** Null where the line goes on: another boundary that begins alike. */
function delimiterAt(body: Uint8Array, lineStart: number, markEnd: number): Delimiter | null {
  let from = lineStart;
  if (from > 0) from--;
  if (from > 0 && body[from - 1] === CR) from--;
  let to = markEnd;
  const last = body[to] === DASH && body[to + 1] === DASH;
  if (last) return { from, to: to + 2, last };
  while (body[to] === SPACE || body[to] === TAB) to++;
  if (body[to] === CR && body[to + 1] === LF) to++;
  if (to < body.length && body[to] !== LF) return null;
  return { from, to: to + 1, last };
}

function partsBetween(body: Uint8Array, delimiters: readonly Delimiter[]): BodyPart[] {
  return delimiters.flatMap((delimiter, index) => {
    if (delimiter.last || delimiter.to >= body.length) return [];
    const next = delimiters[index + 1];
    const end = next === undefined ? endOfLast(body) : next.from;
    const part = partFrom(body.subarray(delimiter.to, Math.max(end, delimiter.to)));
    return part === null ? [] : [{ ...part, closed: next !== undefined }];
  });
}

/** The line end that would stand before the missing boundary is not the part's. */
function endOfLast(body: Uint8Array): number {
  let end = body.length;
  if (body[end - 1] === LF) end--;
  if (body[end - 1] === CR) end--;
  return end;
}

/** Null where its headers do not end. */
function partFrom(bytes: Uint8Array): Omit<BodyPart, 'closed'> | null {
  // No header begins like that: the sender forgot them, and the empty line behind them.
  if (isOneDocument(textOf(bytes.subarray(0, 64))) || pictureType(bytes) !== null) {
    return { name: '', fileName: '', contentType: '', content: bytes };
  }
  let lineStart = 0;
  for (let at = 0; at < bytes.length && at < MAX_HEADER_BYTES; at++) {
    if (bytes[at] !== LF) continue;
    const lineLength = at - lineStart - (bytes[at - 1] === CR && at > lineStart ? 1 : 0);
    if (lineLength === 0) {
      const headers = readHeaders(textOf(bytes.subarray(0, lineStart)));
      const disposition = headers.get('content-disposition') ?? '';
      const [type = ''] = (headers.get('content-type') ?? '').split(';');
      return {
        name: parameterOf(disposition, 'name') ?? '',
        fileName:
          parameterOf(disposition, 'filename') ??
          parameterOf(headers.get('content-type') ?? '', 'name') ??
          '',
        contentType: type.trim().toLowerCase(),
        content: bytes.subarray(at + 1),
      };
    }
    lineStart = at + 1;
  }
  return null;
}

function readHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>();
  // A line that begins with a space goes on with the one before.
  for (const line of block.replace(/\r?\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return headers;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
