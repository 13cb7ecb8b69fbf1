/** The place at which a text stops being JSON. */
export interface JsonFault {
  /** Characters before the fault. */
  at: number;
  /** The text is valid JSON that was cut off. */
  endsEarly: boolean;
}

type Expected = 'value' | 'first-item' | 'key' | 'first-key' | 'colon' | 'separator';

const SPACE = /[ \t\n\r]*/y;
/** Characters that stand for themselves in a string; pictures are megabytes of them. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPED = '"\\/bfnrt';
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** More digits than any number of a camera; bounds the work of the expression. */
const LONGEST_NUMBER = 400;

/**
 * Finds the first fault in a text that should be JSON (RFC 8259); null if there is none. The messages of `JSON.parse`
 * differ by engine, often lack the position, and quote the document, which would put a plate into a log.
 */
export function findJsonFault(text: string): JsonFault | null {
  return scanJson(text).fault;
}

/** JSON that was cut off, up to its last whole value, with the brackets closed that are open there; null: it is no such text. */
export function closeJson(text: string): string | null {
  const { fault, whole } = scanJson(text);
  return fault?.endsEarly ? text.slice(0, whole.to) + whole.closers : null;
}

interface JsonScan {
  fault: JsonFault | null;
  /** The end of the last whole value, and the characters that close the brackets which are open there. */
  whole: { to: number; closers: string };
}

function scanJson(text: string): JsonScan {
  const closers: string[] = [];
  let expected: Expected = 'value';
  let whole = { to: 0, depth: 0 };
  let at = skipSpace(text, 0);
  const result = (fault: JsonFault | null): JsonScan => {
    const open = closers.slice(0, whole.depth).reverse().join('');
    return { fault, whole: { to: whole.to, closers: open } };
  };
  while (at < text.length) {
    const character = text.charAt(at);
    let end: number | JsonFault = at + 1;
    const mayClose = expected === 'separator' || expected === 'first-item' || expected === 'first-key';
    if (mayClose && character === closers.at(-1)) {
      closers.pop();
      expected = 'separator';
    } else if (expected === 'separator') {
      if (character !== ',' || closers.length === 0) return result({ at, endsEarly: false });
      expected = closers.at(-1) === '}' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (character !== ':') return result({ at, endsEarly: false });
      expected = 'value';
    } else if (expected === 'key' || expected === 'first-key') {
      end = endOfString(text, at);
      expected = 'colon';
    } else if (character === '{') {
      closers.push('}');
      expected = 'first-key';
    } else if (character === '[') {
      closers.push(']');
      expected = 'first-item';
    } else {
      end = character === '"' ? endOfString(text, at) : endOfWordOrNumber(text, at);
      expected = 'separator';
    }
    if (typeof end !== 'number') return result(end);
    // A number at the end may have lost its last digits.
    const isWhole = end < text.length || /["}\]]/.test(character);
    if (expected === 'separator' && isWhole) whole = { to: end, depth: closers.length };
    at = skipSpace(text, end);
  }
  return result(expected === 'separator' && closers.length === 0 ? null : { at, endsEarly: true });
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function endOfString(text: string, from: number): number | JsonFault {
  if (text.charAt(from) !== '"') return { at: from, endsEarly: false };
  for (let at = from + 1; at < text.length; at++) {
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    at = PLAIN.lastIndex;
    if (at >= text.length) break;
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character < ' ') return { at, endsEarly: false };
    if (character !== '\\') continue;
    at++;
    if (text.charAt(at) === 'u') {
      for (const last = at + 4; at < last && at + 1 < text.length; at++) {
        if (!/[0-9a-fA-F]/.test(text.charAt(at + 1))) return { at: at + 1, endsEarly: false };
      }
    } else if (at < text.length && !ESCAPED.includes(text.charAt(at))) {
      return { at, endsEarly: false };
    }
  }
  return { at: text.length, endsEarly: true };
}

function endOfWordOrNumber(text: string, from: number): number | JsonFault {
  for (const word of ['true', 'false', 'null']) {
    if (text.startsWith(word, from)) return from + word.length;
    if (text.length - from < word.length && word.startsWith(text.slice(from)))
      return { at: text.length, endsEarly: true };
  }
  NUMBER.lastIndex = 0;
  const number = NUMBER.exec(text.slice(from, from + LONGEST_NUMBER));
  if (number !== null) return from + number[0].length;
  return text.slice(from) === '-' ? { at: text.length, endsEarly: true } : { at: from, endsEarly: false };
}
