import { parseXml, type XmlElement } from '../xml.ts';
import { utf16Of } from './body-text.ts';
import { type Checked, quoted, refuse } from './json-border.ts';

/** An alert has some thousand bytes. */
const MAX_BYTES = 128 * 1024;
const BOUNDS = { maxCharacters: MAX_BYTES, maxElements: 3000, maxDepth: 50 };

/** Reads the XML document of a camera. Never throws. */
export function readXml(body: Uint8Array): Checked<XmlElement> {
  if (body.length > MAX_BYTES) return refuse('malformed', `the XML is longer than ${MAX_BYTES} bytes`);
  const text = decodeXml(body);
  if (text === null) return refuse('malformed', 'the XML names an encoding that is not known');
  if (text.trim() === '') return refuse('malformed', 'the body is empty');
  const xml = parseXml(text, BOUNDS);
  return xml.ok ? { ok: true, value: xml.root } : refuse('malformed', `the body is not XML: ${xml.reason}`);
}

/**
 * Decodes by the first bytes if it is UTF-16, else by its declaration, else as UTF-8; null: unknown encoding. Invalid
 * bytes, as in the name of a camera, become U+FFFD.
 */
function decodeXml(body: Uint8Array): string | null {
  const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    String.fromCharCode(...body.subarray(0, 200)),
  )?.[1];
  // A declaration that was readable as single bytes cannot be UTF-16, even if it claims to be.
  const encoding = declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
  try {
    return new TextDecoder(utf16Of(body) ?? encoding).decode(body);
  } catch {
    return null;
  }
}

/** Whether an element has this name, in any case. */
export function isNamed(element: XmlElement, name: string): boolean {
  return element.name.toLowerCase() === name.toLowerCase();
}

/** The children of a name, in any case; where there is none, those whose names are a slip away from it. */
export function childrenNamed(parent: XmlElement, name: string): readonly XmlElement[] {
  const exact = parent.children.filter((child) => isNamed(child, name));
  if (exact.length > 0) return exact;
  return parent.children.filter((child) => isSlipOf(child.name.toLowerCase(), name.toLowerCase()));
}

/** All elements of a name inside an element, in any case and at any depth, in the document's order. */
export function elementsNamed(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.flatMap((child) => [
    ...(isNamed(child, name) ? [child] : []),
    ...elementsNamed(child, name),
  ]);
}

/** The text of the first child of any of these names that has one; undefined where none has. */
export function childText(parent: XmlElement, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const child of childrenNamed(parent, name)) if (child.text !== '') return child.text;
  }
  return undefined;
}

/** For a refusal: what the document is instead. */
export function rootName(element: XmlElement): string {
  return quoted(element.name);
}

const SHORTEST_SLIP = 6;

/**
 * Firmware is known to misspell its elements (`vehicelRect`, `vehileModel`, `palteTypeByGAT`): a letter left out, too
 * many or wrong, or letters in another order.
 */
function isSlipOf(word: string, name: string): boolean {
  if (name.length < SHORTEST_SLIP || Math.abs(word.length - name.length) > 1) return false;
  let at = 0;
  while (at < name.length && word[at] === name[at]) at++;
  if (word.length < name.length) return word.slice(at) === name.slice(at + 1);
  if (word.length > name.length) return word.slice(at + 1) === name.slice(at);
  return word.slice(at + 1) === name.slice(at + 1) || lettersOf(word) === lettersOf(name);
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
