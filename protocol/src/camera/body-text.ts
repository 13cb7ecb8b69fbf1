/**
 * The byte order of a UTF-16 body. It follows from the byte order mark, or from the zeros beside the first
 * two characters, which in JSON and XML are ASCII (RFC 4627, XML 1.0 appendix F). Null: it is no UTF-16.
 */
export function utf16Of([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  return first === 0 && second && third === 0 && fourth ? 'utf-16be' : null;
}

/** The body in UTF-8, if it is UTF-16; null: it is not. */
export function fromUtf16(body: Uint8Array): Uint8Array | null {
  const encoding = utf16Of(body);
  return encoding && new TextEncoder().encode(new TextDecoder(encoding).decode(body));
}

/** No more is looked at to find where a text begins. */
const LONGEST_BEGINNING = 1024;
/** Spaces, byte order marks, and the halves of UTF-16. */
const BEFORE_TEXT = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);
const [LESS_THAN, OPEN_BRACE, OPEN_BRACKET] = [0x3c, 0x7b, 0x5b];

/** Whether a body begins as JSON does that is more than a bare value. */
export function beginsAsJson(body: Uint8Array): boolean {
  const first = firstOf(body);
  return first === OPEN_BRACE || first === OPEN_BRACKET;
}

/** Whether a body begins as XML does. */
export function beginsAsXml(body: Uint8Array): boolean {
  return firstOf(body) === LESS_THAN;
}

function firstOf(body: Uint8Array): number | undefined {
  let at = 0;
  while (at < LONGEST_BEGINNING && BEFORE_TEXT.has(body[at] ?? -1)) at++;
  return body[at];
}
