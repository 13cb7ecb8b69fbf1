import { wrong } from './mistakes/mistake.ts';
/** How much a JSON text may hold. */
export interface JsonBounds {
  maxValues: number;
  maxDepth: number;
  maxEscapes: number;
}

/** Languages of one text. */
export const MAX_LANGUAGES = 30;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The bound that a JSON text in UTF-8 exceeds, null where it exceeds none. It runs before `JSON.parse`, which
 * takes seconds and all memory for some megabytes of brackets, and before schemas, which check every item of
 * an array before they count them. The text need not be JSON.
 */
export function beyondJsonBounds(
  body: Uint8Array,
  { maxValues, maxDepth, maxEscapes }: JsonBounds,
): { of: 'escapes' | 'levels' | 'values'; max: number } | null {
  let escapes = 0;
  for (let at = body.indexOf(BACKSLASH); at !== -1; at = body.indexOf(BACKSLASH, at + 1)) {
    if (++escapes > maxEscapes) return { of: 'escapes', max: maxEscapes };
  }
  let depth = 0;
  let values = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth++;
      values++;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (depth > maxDepth) return { of: 'levels', max: maxDepth };
    if (values > maxValues) return { of: 'values', max: maxValues };
  }
  return null;
}

/** The end of the string that begins at a quote: pictures are megabytes in strings, and are skipped. */
function endOfString(body: Uint8Array, from: number): number {
  for (let at = body.indexOf(QUOTE, from + 1); at !== -1; at = body.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (body[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return body.length;
}

/** A check, with its message, of how many keys a record has: zod bounds arrays and strings only. */
export function atMostKeys(max: number): [(record: object) => boolean, string] {
  return [(record) => Object.keys(record).length <= max, wrong('too-many', { maximum: max })];
}
