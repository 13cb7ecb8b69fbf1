const MAX_FIELDS = 20;
const LONGEST_NAME = 60;
const NAME = /^[A-Za-z_][\w.-]*$/;

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const ZERO = 0x30;
const LETTER_A = 0x61;
const LOWER_CASE = 0x20;

/**
 * Extracts the document from a field of a form (`application/x-www-form-urlencoded`): simple clients and
 * gateways forward the post of a camera so. Null: the body is not such a form. The form is recognised by its
 * bytes, since the declared type is often wrong. A field that was not encoded extends to the end: its `&` and
 * `+` belong to the document.
 */
export function fromForm(body: Uint8Array): Uint8Array | null {
  let from = 0;
  for (let field = 0; field < MAX_FIELDS && from < body.length; field++) {
    const equals = body.subarray(from, from + LONGEST_NAME).indexOf(EQUALS);
    if (equals === -1 || !NAME.test(String.fromCharCode(...body.subarray(from, from + equals)))) return null;
    const start = from + equals + 1;
    const beginning = String.fromCharCode(...body.subarray(start, start + 8));
    if (/^\s*[{[<]/.test(beginning)) return body.subarray(start);
    const end = body.indexOf(AMPERSAND, start);
    const value = body.subarray(start, end === -1 ? body.length : end);
    if (/^(?:\+|%20|%0[AD])*%(?:7B|5B|3C)/i.test(beginning)) return decoded(value);
    from = start + value.length + 1;
  }
  return null;
}

/** Decodes a form's value (URL Standard, 5.1). */
function decoded(value: Uint8Array): Uint8Array {
  const out = new Uint8Array(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    const byte = value[at] ?? 0;
    const escaped = byte === PERCENT ? (digitOf(value[at + 1]) << 4) | digitOf(value[at + 2]) : -1;
    if (escaped >= 0) at += 2;
    out[length++] = escaped >= 0 ? escaped : byte === PLUS ? SPACE : byte;
  }
  return out.subarray(0, length);
}

/** The value of a hexadecimal digit; -1 for anything else, which stays -1 whatever it is joined with. */
function digitOf(byte = 0): number {
  if (byte >= ZERO && byte <= ZERO + 9) return byte - ZERO;
  const letter = byte | LOWER_CASE;
  return letter >= LETTER_A && letter < LETTER_A + 6 ? letter - LETTER_A + 10 : -1;
}
